"""Keys that the program works with are planted, and looked for wherever they could get out."""

import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.browser.servers.serving import free_port
from tests.integration.cli.test_commands import PROMPT
from tests.loopback.server import LoopbackServer
from tests.worlds.process import wait_until
from tests.worlds.workbench import reports_in

SECRETS = {"ANTHROPIC_API_KEY": "sk-planted-api-key-0001", "AWS_SECRET_ACCESS_KEY": "planted-aws-secret-0003"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return reports_in(tmp_path)


def environment(place: Path, model: LoopbackServer, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        **SECRETS,
        "COMPARATOR_HOME": str(place / "home"),
        "ANTHROPIC_BASE_URL": model.base_url,
        **more,
    }


def command(place: Path, model: LoopbackServer, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "comparator", *arguments],
        cwd=place, env=environment(place, model), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def command_lines() -> str:
    """Those of all processes of this machine that we may read, as `ps` shows them."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(process.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return "\n".join(found)


def clean(what: str, text: str) -> None:
    assert not [name for name, value in SECRETS.items() if value in text], what


@pytest.mark.slow
def test_no_key_gets_into_a_process_list_log_error_provenance_or_backup(place: Path) -> None:
    with LoopbackServer() as model:
        clean("result", command(place, model, "judge", "--a", "v31", "--b", "v32", "--prompt", PROMPT))
        assert any("sk-planted" in str(request.headers) for request in model.requests), "the key was used"
        clean("provenance", (place / "comparison.provenance.json").read_text())
        clean("backup message", command(place, model, "db", "backup", "all.tar"))
        clean("backup", (place / "all.tar").read_bytes().decode(errors="replace"))
        clean("doctor", command(place, model, "doctor", "--json"))
        refused = {"COMPARATOR_DATABASE_URL": "postgresql://me:planted-password-0004@127.0.0.1:1/none"}
        failed = subprocess.run(
            [sys.executable, "-m", "comparator", "projects", "list"],
            env=environment(place, model, **refused), capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert failed.returncode == 2
        assert "planted-password" not in failed.stderr
        port, log = free_port(), place / "log"
        with log.open("w") as file:
            server = subprocess.Popen(
                [sys.executable, "-m", "comparator", "serve", "--no-examples", f"--port={port}"],
                env=environment(place, model), stdout=file, stderr=file,
            )  # fmt: skip
            try:
                wait_until(lambda: "ready" in answer(port, "/ready"))
                clean("process list", command_lines())
                for path in ("/", "/media/none", "/live/none", "/changes", "/auth/login"):
                    clean(path, answer(port, path))
            finally:
                server.terminate()
                server.wait(timeout=40)
        clean("log", log.read_text())
    for kept in (place / "home").rglob("*"):
        if kept.is_file():
            clean(str(kept), kept.read_bytes().decode(errors="replace"))


def answer(port: int, path: str) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as found:
            return str(found.read())
    except urllib.error.HTTPError as error:
        return str(error.read())
    except OSError:
        return ""
