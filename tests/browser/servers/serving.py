"""A Streamlit server of its own for a test page: started, killed and started again on the same port."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
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


class Server:
    """Runs one script of this folder; a context manager."""

    def __init__(self, script: str, *, environment: dict[str, str], log: Path) -> None:
        self.script = Path(__file__).parent / script
        self.environment = environment
        self.log = log
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.port}/"

    @property
    def runs(self) -> bool:
        """Whether it was started, and not killed since."""
        return self._process is not None

    def start(self) -> None:
        """Start, and wait until it answers. Raises RuntimeError with the log's end if it does not."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", self.script, f"--server.port={self.port}"],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": os.fspath(ROOT), **self.environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}_stcore/health", timeout=1):
                    return
            except (urllib.error.URLError, OSError):
                if self._process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError(f"{self.script.name} does not answer: {self.log.read_text('utf-8')[-2000:]}")

    def kill(self) -> None:
        """Kill it without a chance to save anything."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
