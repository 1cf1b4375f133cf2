"""Drives Firefox over Marionette, its own remote control: there is no other driver for it on every machine."""

import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.browser.servers.serving import PATIENCE, free_port

NAMES = ("firefox-esr", "firefox")


def firefox() -> str | None:
    """The path of a Firefox; None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Firefox:
    """One Firefox without a window, with a profile of its own; a context manager."""

    def __init__(self, folder: Path, **preferences: int | str | bool) -> None:
        """`preferences` are Firefox's own, with "__" for a dot in their names."""
        self._port, self._number = free_port(), 0
        profile = folder / "profile"
        profile.mkdir()
        wanted = {"marionette__port": self._port, **preferences}
        lines = (
            f"user_pref({json.dumps(name.replace('__', '.'))}, {json.dumps(value)});\n"
            for name, value in wanted.items()
        )
        (profile / "user.js").write_text("".join(lines), encoding="utf-8")
        path = firefox()
        assert path is not None, "This test needs Firefox: install firefox-esr or firefox."
        with (folder / "firefox.log").open("ab") as log:
            self._process = subprocess.Popen(
                [path, "--headless", "--marionette", "--no-remote", "--profile", os.fspath(profile)],
                env={**os.environ, "HOME": os.fspath(folder)},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._line: socket.socket | None = None

    def __enter__(self) -> Self:
        deadline = time.monotonic() + PATIENCE
        while self._line is None:
            try:
                self._line = socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE)
            except OSError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    self.__exit__(None, None, None)
                    raise
                time.sleep(0.1)
        self._answer()
        self.asks("WebDriver:NewSession", strictFileInteractability=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._line is not None:
            self._line.close()
        self._process.terminate()
        self._process.wait(30)

    def asks(self, command: str, **parameters: object) -> Any:
        """What the command returns. Raises AssertionError with Firefox's words where it fails."""
        assert self._line is not None
        self._number += 1
        sent = json.dumps([0, self._number, command, parameters]).encode()
        self._line.sendall(b"%d:%s" % (len(sent), sent))
        _, _, problem, result = self._answer()
        assert problem is None, problem
        return result.get("value") if isinstance(result, dict) else result

    def opens(self, url: str) -> None:
        """Go to an address."""
        self.asks("WebDriver:Navigate", url=url)

    def runs(self, script: str) -> Any:
        """What a function's body returns on the page."""
        return self.asks("WebDriver:ExecuteScript", script=script, args=[])

    def waits(self, script: str) -> Any:
        """As `runs`, until it is something true."""
        deadline = time.monotonic() + PATIENCE
        while not (value := self.runs(script)):
            assert time.monotonic() < deadline, (
                f"never true: {script}: {self.runs('return document.body.innerText')}"
            )
            time.sleep(0.2)
        return value

    def clicks(self, x: float, y: float, *, button: int = 0) -> None:
        """Press and let go a button of the mouse (0 left, 1 middle) at a place of the window."""
        mouse = {
            "type": "pointer",
            "id": "mouse",
            "parameters": {"pointerType": "mouse"},
            "actions": [
                {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
                {"type": "pointerDown", "button": button},
                {"type": "pointerUp", "button": button},
            ],
        }
        self.asks("WebDriver:PerformActions", actions=[mouse])

    def _answer(self) -> Any:
        assert self._line is not None
        head = b""
        while not head.endswith(b":"):
            head += self._line.recv(1)
        length, body = int(head[:-1]), b""
        while len(body) < length:
            body += self._line.recv(length - len(body))
        return json.loads(body)
