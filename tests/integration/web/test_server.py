"""The server: how it starts and ends, health and readiness, odd hosts, and the secrets that no file holds."""

import os
import select
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from playwright.sync_api import sync_playwright
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from comparator.store.core.database import Database
from comparator.web.media.files import origin_of
from comparator.web.monitoring import monitoring_routes
from comparator.workflow.services import Services
from tests.browser.servers.serving import free_port
from tests.browser.servers.signing import served
from tests.worlds.process import wait_until
from tests.worlds.workbench import Workbench

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE)
child.stdout.read(1)
print(child.pid, flush=True)
child.wait()
"""
CHILD = """
import time
from comparator.web.start import end_with_parent
end_with_parent()
print("x", flush=True)
time.sleep(120)
"""


def test_the_app_ends_with_a_parent_that_is_killed(repository: Path) -> None:
    command = [sys.executable, "-c", PARENT, CHILD]
    environment = {**os.environ, "PYTHONPATH": str(repository)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        ended = os.pidfd_open(child)
        os.kill(parent.pid, signal.SIGKILL)
        ready, _, _ = select.select([ended], [], [], 20)
        os.close(ended)

    assert ready, "it still runs"


@pytest.mark.slow
@pytest.mark.parametrize("killed", [False, True])
def test_no_process_stays(repository: Path, tmp_path: Path, killed: bool, chromium_path: str) -> None:
    """Ended by Ctrl+C or with its parent, while its worker and the readers of outputs run."""
    port = free_port()
    command = ["-m", "comparator", "serve", "--no-browser", "--with-parent", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(repository), "COMPARATOR_HOME": str(tmp_path)}
    # A shell that lives on is what make is for the app.
    with subprocess.Popen(
        ["sh", "-c", f'"{sys.executable}" {" ".join(command)} & echo $!; wait'],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        start_new_session=True,
    ) as parent:
        assert parent.stdout is not None
        app = int(parent.stdout.readline())
        wait_until(lambda: _answers(port), what="the app does not answer")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
            browser.new_page().goto(f"http://127.0.0.1:{port}/new")
            wait_until(lambda: any("worker" in command for command in _below(app).values()), what="no worker")
            browser.close()
        every = {app, *_below(app)}
        os.kill(*((parent.pid, signal.SIGKILL) if killed else (app, signal.SIGINT)))
        wait_until(lambda: not every & _running().keys(), what="it still runs")
    assert not _answers(port)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _running() -> dict[int, tuple[int, str]]:
    """Each process that has not ended, with its parent and its command."""
    processes = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (place / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (place / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if state != "Z":
            processes[int(place.name)] = (int(parent), command)
    return processes


def _below(process: int) -> dict[int, str]:
    """The processes that this one has started, and theirs, with their commands."""
    running = _running()
    own = {id: command for id, (parent, command) in running.items() if parent == process}
    return own | {id: command for child in own for id, command in _below(child).items()}


def client(services: Services) -> TestClient:
    return TestClient(Starlette(routes=monitoring_routes(services)))


def test_a_server_is_ready_only_while_its_database_answers(workbench: Workbench) -> None:
    browser = client(workbench.services)
    assert browser.get("/ready").status_code == 200

    gone = Database(sa.create_engine("postgresql+psycopg://nobody@127.0.0.1:1/gone"))
    closed = client(replace(workbench.services, database=gone))

    assert closed.get("/ready").status_code == 503
    assert closed.get("/ready").text == "not ready"
    assert closed.get("/health").text == "ok"


def test_a_policy_names_a_host_and_a_port_and_nothing_else() -> None:
    for host, origin in (
        *(("127.0.0.1:8501", "http://127.0.0.1:8501"), ("[::1]:8501", "http://[::1]:8501")),
        *(("LocalHost", "http://localhost"), ("a b", "http://"), ("*.example", "http://")),
        *(("127.0.0.1:80; script-src *", "http://"), ("127.0.0.1/ ; script-src *", "http://127.0.0.1")),
        *(("127.0.0.1?, sandbox allow-scripts", "http://127.0.0.1"), ("me@127.0.0.1", "http://127.0.0.1")),
        *(("[127.0.0.1 *]", "http://"), ("[fe80::1%x; script-src *]:80", "http://[fe80::1]:80")),
        *(("[::1%25 *]", "http://[::1]"), ("127.0.0.1:+80", "http://")),
    ):
        scope = {"type": "http", "headers": [(b"host", host.encode())], "method": "GET", "path": "/"}

        assert origin_of(Request(scope)) == origin


@pytest.mark.slow
def test_a_running_server_has_written_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with served(tmp_path / "home", port=free_port(), provider_port=free_port(), log=tmp_path / "app.log"):
        for file in tmp_path.rglob("*"):
            assert not file.is_file() or b"client-secret" not in file.read_bytes(), file
