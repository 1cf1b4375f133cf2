"""Settings come from the environment and .env, and a wrong one is one clear line."""

import os
from decimal import Decimal
from pathlib import Path

import pytest

from comparator.bootstrap import ignored_file, load_settings
from comparator.domain.errors import SettingsError
from comparator.outputs.pictures.finder import find_chromium


def test_the_homes_file_gives_what_is_not_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMPARATOR_MODEL", "from-environment")
    # First set, so that what the file gives is gone again after the test.
    monkeypatch.setenv("COMPARATOR_BUDGET", "")
    monkeypatch.delenv("COMPARATOR_BUDGET")
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path))
    settings_text = "COMPARATOR_MODEL=from-file\nCOMPARATOR_BUDGET=2.50\nHTTPS_PROXY=http://x\n"
    (tmp_path / ".env").write_text(settings_text)
    settings = load_settings()
    assert "HTTPS_PROXY" not in os.environ
    assert settings.model == "from-environment"
    assert settings.budget == Decimal("2.50")


def test_a_home_may_be_relative_and_an_empty_one_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPARATOR_HOME", "data")
    assert load_settings().home == tmp_path / "data"
    assert load_settings().blobs == (tmp_path / "data" / "blobs").as_uri()
    monkeypatch.setenv("COMPARATOR_HOME", "")
    assert load_settings().home.is_absolute()
    assert load_settings().home != tmp_path


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("COMPARATOR_JUDGE", "oracle"), ("COMPARATOR_JUGDE", "offline"), ("COMPARATOR_BUDGET", "-1")),
        *(("COMPARATOR_SLOTS", "0"), ("COMPARATOR_SLOTS", "many")),
        ("COMPARATOR_DATABASE_URL", "mysql://me:hunter2@host/db"),
        *(("COMPARATOR_TOOL_LIMITS", "calls=40"), ("COMPARATOR_TOOL_LIMITS", '{"cals": 40}')),
        *(("COMPARATOR_PRICES", value) for value in ("my-model=3", "=3/15", "my-model=3/-15")),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as caught:
        load_settings()
    assert "\n" not in str(caught.value)
    # A value that may be a secret is not repeated.
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        *("COMPARATOR_DATABASE_URL=sqlite:///elsewhere.db", "COMPARATOR_BLOB_URL=file:///elsewhere"),
        *("COMPARATOR_CHROMIUM=./chrome.sh", "comparator_judges=./judges.toml", "AWS_CONFIG_FILE=aws"),
        *("ANTHROPIC_BASE_URL=http://127.0.0.1:9", "GOOGLE_APPLICATION_CREDENTIALS=google.json"),
        "COMPARATOR_OIDC_ADMINS=@example.org",
    ],
)
def test_a_judged_folders_file_is_named(line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"{line}\nANTHROPIC_API_KEY=sk-theirs\n")
    before = dict(os.environ)

    settings = load_settings()

    assert dict(os.environ) == before
    assert settings.database == f"sqlite:///{settings.home}/comparator.db"
    assert line.partition("=")[0] in ignored_file(settings)


def test_a_browser_that_is_tried_gets_no_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-mine")
    program = tmp_path / "chrome"
    program.write_text(f"#!/bin/sh\nenv > {tmp_path}/seen\necho 1\n")
    program.chmod(0o755)

    assert find_chromium(str(program)) == str(program)

    seen = (tmp_path / "seen").read_text().splitlines()
    assert any(line.startswith("PATH=/usr") for line in seen)
    assert not [line for line in seen if "sk-mine" in line]


def test_a_subject_in_an_allow_list_has_to_be_named_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_PUBLIC_URL", "https://compare.example.org")
    oidc = {"METADATA_URL": "https://idp.example.org/openid-configuration", "COOKIE_SECRET": "s" * 40}
    for name, value in {**oidc, "CLIENT_ID": "x", "CLIENT_SECRET": "x", "ADMINS": "olga"}.items():
        monkeypatch.setenv(f"COMPARATOR_OIDC_{name}", value)
    with pytest.raises(SettingsError, match="sub:olga"):
        load_settings()

    monkeypatch.setenv("COMPARATOR_OIDC_ADMINS", "sub:olga")
    assert load_settings().entry.lets_somebody_in
