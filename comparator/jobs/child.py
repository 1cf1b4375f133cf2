"""A worker beside the app: a child process, started when there is something to do and ended with the app."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time

from comparator.domain.errors import ComparatorError
from comparator.store.bulk import batches
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
LONGEST_PAUSE = 30.0
"""Between starts of workers that fail one after the other."""
SOON = 60.0
"""Who fails later than so many seconds after its start is not one of those."""
IDLE_SECONDS = 20
STOP_SECONDS = 25.0


class WorkerChild:
    """Looks for batches that run, and keeps one worker process while there are any. A context manager."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._ending = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._look, name="beside", daemon=True)

    def __enter__(self) -> WorkerChild:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()
        if self._child is not None and self._child.poll() is None:
            # It keeps the answers of what is on the wire, gives the rest back, and goes.
            self._child.terminate()
            try:
                self._child.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()

    def _look(self) -> None:
        pause, started = LOOK_SECONDS, 0.0
        while not self._ending.wait(pause):
            if self._child is not None and self._child.poll() is None:
                continue
            try:
                with self._services.database.read() as connection:
                    wanted = batches.waits(connection)
            except ComparatorError as error:
                log.warning("whether there is a batch to judge cannot be told: %s", error)
                continue
            if wanted:
                failed = self._child is not None and self._child.returncode != 0
                again = failed and time.monotonic() - started < SOON
                pause = min(2 * pause, LONGEST_PAUSE) if again else LOOK_SECONDS
                started = time.monotonic()
                self._child = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        settings = self._services.settings
        environment = {
            **os.environ,
            "COMPARATOR_HOME": str(settings.home),
            "COMPARATOR_DATABASE_URL": settings.database_url,
            "COMPARATOR_BLOB_URL": settings.blob_url,
        }
        command = (
            sys.executable,
            "-m",
            "comparator",
            "worker",
            f"--until-idle={IDLE_SECONDS}",
            f"--beside={os.getpid()}",
        )
        # A process group of its own: Ctrl+C is for the app, which ends its worker in order.
        return subprocess.Popen(command, env=environment, start_new_session=True)
