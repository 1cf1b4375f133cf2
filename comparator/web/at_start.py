"""The start of the app on a person's own machine: its page in the browser, and its end with its parent."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException

_REMOTE = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
_LOOK_SECONDS = 0.2
_LONGEST_START = 60.0


def has_browser(environ: Mapping[str, str], *, platform: str = sys.platform) -> bool:
    """Whether somebody sits here whose browser can be opened: not in CI, over SSH, or without a desktop.

    >>> has_browser({"DISPLAY": ":0"}, platform="linux"), has_browser({"DISPLAY": ":0", "CI": "true"}, platform="linux")
    (True, False)
    """
    if environ.get("CI") or any(environ.get(name) for name in _REMOTE):
        return False
    desktop = bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
    return desktop or platform in ("darwin", "win32")


def open_when_ready(
    page: str, *, host: str, port: int, opened: Callable[[str], object] = webbrowser.open
) -> threading.Thread:
    """Open `page` once the app answers at this address, in a thread of its own; nothing happens where it never does."""

    def wait() -> None:
        until = time.monotonic() + _LONGEST_START
        while time.monotonic() < until:
            try:
                with closing(HTTPConnection(host, port, timeout=1)) as connection:
                    connection.request("GET", "/_stcore/health")
                    connection.getresponse()
            except (HTTPException, OSError):
                time.sleep(_LOOK_SECONDS)
            else:
                opened(page)
                return

    thread = threading.Thread(target=wait, name="open-browser", daemon=True)
    thread.start()
    return thread


def end_with_parent() -> None:
    """End this process in order as soon as the one that started it is gone, even where that was killed."""
    first = os.getppid()

    def watch() -> None:
        while os.getppid() == first:
            time.sleep(_LOOK_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="end-with-parent", daemon=True).start()
