"""The file with the sign-in's secrets goes when the server is stopped, and what a killed one left goes at a start."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from comparator.bootstrap import load_settings
from comparator.web.sign_in import secrets_file
from tests.browser.servers.serving import free_port
from tests.browser.servers.signing import environment, served


@pytest.mark.slow
def test_a_server_that_is_told_to_stop_leaves_no_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with served(tmp_path / "home", port=free_port(), provider_port=free_port(), log=tmp_path / "app.log"):
        (file,) = temporary.glob("*/secrets.toml")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert "client-secret" in file.read_text("utf-8")

    assert not list(temporary.glob("**/secrets.toml"))


def test_what_a_killed_server_left_goes_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name, value in environment(tmp_path / "home", port=1, provider_port=2).items():
        monkeypatch.setenv(name, value)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    dead, alive = (tmp_path / f"comparator-secrets-{pid}-x" for pid in (gone.pid, os.getpid()))
    for folder in (dead, alive):
        folder.mkdir()
        (folder / "secrets.toml").touch()

    with secrets_file(load_settings()) as files:
        assert Path(files[0]).is_file()
        assert not dead.exists()
        assert alive.exists()
    assert not Path(files[0]).exists()
