"""The app opens in the browser of who starts it, and ends with the process that started it."""

import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.servers.serving import free_port
from tests.worlds.process import wait_until

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
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, CHILD],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(repository)},
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        ended = os.pidfd_open(child)
        os.kill(parent.pid, signal.SIGKILL)
        ready, _, _ = select.select([ended], [], [], 20)
        os.close(ended)

    assert ready, "it still runs"


@pytest.mark.slow
@pytest.mark.parametrize("parent_is_killed", [False, True])
def test_the_app_leaves_no_process_behind(
    repository: Path, tmp_path: Path, parent_is_killed: bool, chromium_path: str
) -> None:
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
            wait_until(
                lambda: any("worker" in each for each in _below(app).values()), what="no worker has started"
            )
            browser.close()
        every = {app, *_below(app)}
        os.kill(
            parent.pid if parent_is_killed else app, signal.SIGKILL if parent_is_killed else signal.SIGINT
        )
        wait_until(lambda: not every & _running().keys(), what="it still runs")
    assert not _answers(port)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _running() -> dict[int, tuple[int, str]]:
    """Each process that has not ended, with its parent and its command."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (place / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (place / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if state != "Z":
            found[int(place.name)] = (int(parent), command)
    return found


def _below(process: int) -> dict[int, str]:
    """The processes that this one has started, and theirs, with their commands."""
    running = _running()
    own = {id: command for id, (parent, command) in running.items() if parent == process}
    return own | {id: command for child in own for id, command in _below(child).items()}
