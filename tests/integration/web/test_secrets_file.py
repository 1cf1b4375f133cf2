"""The secrets of the sign-in are in no file that a running server writes."""

from pathlib import Path

import pytest

from tests.browser.servers.serving import free_port
from tests.browser.servers.signing import served


@pytest.mark.slow
def test_a_running_server_has_written_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with served(tmp_path / "home", port=free_port(), provider_port=free_port(), log=tmp_path / "app.log"):
        for file in tmp_path.rglob("*"):
            assert not file.is_file() or b"client-secret" not in file.read_bytes(), file
