"""The app opens in the browser of who starts it, and ends with the process that started it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from comparator.web.at_start import has_browser, open_when_ready
from tests.browser.serving import free_port

DESKTOP = {"DISPLAY": ":0"}


@pytest.mark.parametrize(
    ("environ", "platform", "opens"),
    [
        (DESKTOP, "linux", True),
        ({}, "linux", False),
        ({}, "darwin", True),
        ({**DESKTOP, "CI": "1"}, "linux", False),
        ({**DESKTOP, "SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, "linux", False),
    ],
)
def test_a_browser_is_opened_only_where_somebody_sits(
    environ: dict[str, str], platform: str, opens: bool
) -> None:
    assert has_browser(environ, platform=platform) is opens


def test_the_page_is_opened_once_the_app_answers() -> None:
    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    port, opened = free_port(), list[str]()
    waiting = open_when_ready("http://page", host="127.0.0.1", port=port, opened=opened.append)
    assert opened == []
    with HTTPServer(("127.0.0.1", port), Healthy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        waiting.join(timeout=20)
        server.shutdown()

    assert opened == ["http://page"]


PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE)
child.stdout.read(1)
print(child.pid, flush=True)
child.wait()
"""
CHILD = """
import time
from comparator.web.at_start import end_with_parent
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
