"""A home folder that was there before is closed to the other accounts of the machine, or that is said."""

import logging
from pathlib import Path

import pytest

from comparator.bootstrap import open_services
from comparator.settings import Settings
from comparator.workflow.doctor import close_home, open_to_others


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_home_and_a_database_that_were_there_before_become_their_owners_alone(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    open_services(settings).close()
    settings.home.chmod(0o755)
    database, kept = settings.home / "comparator.db", settings.home / "comparator.db.first"
    kept.touch()
    for path in (database, kept):
        path.chmod(0o644)
    assert set(open_to_others(settings)) == {settings.home, database, kept}

    open_services(settings).close()

    assert mode(settings.home) == 0o700
    assert {mode(path) for path in settings.home.glob("comparator.db*")} == {0o600}
    assert open_to_others(settings) == ()


def test_a_database_elsewhere_is_closed_as_well(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    database = tmp_path / "elsewhere" / "mine.db"
    settings = Settings(home=tmp_path / "home", database_url=f"sqlite:///{database}")

    open_services(settings).close()

    assert mode(database) == 0o600


def test_what_the_system_does_not_let_close_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(home=tmp_path / "home")
    open_services(settings).close()
    settings.home.chmod(0o755)
    # As on a disk without rights: the call does nothing, or is refused.
    monkeypatch.setattr(Path, "chmod", lambda self, mode, **more: None)
    with caplog.at_level(logging.WARNING):
        open_services(settings).close()
    assert f"may read {settings.home}" in caplog.text


def test_a_folder_that_belongs_to_everybody_is_left_to_them(tmp_path: Path) -> None:
    home = tmp_path / "shared"
    home.mkdir()
    home.chmod(0o1777)
    (told,) = close_home(Settings(home=home))
    assert str(home) in told
    assert home.stat().st_mode & 0o7777 == 0o1777
