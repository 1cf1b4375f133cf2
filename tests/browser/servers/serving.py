"""Servers in processes of their own: started, killed and started again on the same port."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60.0


def free_port() -> int:
    """A port on which nothing listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process:
    """A child process that serves an address; a context manager."""

    def __init__(
        self,
        *command: str | Path,
        port: int,
        log: Path,
        cwd: Path | None = None,
        environment: dict[str, str] | None = None,
        health: str = "_stcore/health",
    ) -> None:
        self.port, self.log = port, log
        self._command, self._cwd, self._environment, self._health = command, cwd, environment or {}, health
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def runs(self) -> bool:
        """Whether it was started, and not killed since."""
        return self._process is not None

    def start(self) -> None:
        """Start, and wait until it answers. Raises RuntimeError with the log's end if it does not."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, *self._command],
                cwd=self._cwd or self.log.parent,
                env={**os.environ, "PYTHONPATH": os.fspath(ROOT), **self._environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/{self._health}", timeout=1):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"{self.url} does not answer: {self.log.read_text('utf-8')[-2000:]}")

    def kill(self) -> None:
        """Kill it without a chance to save anything."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(20)
        self.kill()


class Server(Process):
    """Runs one script of this folder in Streamlit."""

    def __init__(self, script: str, *, environment: dict[str, str], log: Path) -> None:
        port, path = free_port(), Path(__file__).parent / script
        command = ("-m", "streamlit", "run", path, f"--server.port={port}")
        super().__init__(*command, port=port, log=log, cwd=ROOT, environment=environment)
