"""The app's own worker: a child process, started when there is something to do and ended with the app."""

import atexit
import logging
import subprocess
import sys
import threading
import time
from contextlib import suppress

from comparator.domain.errors import ComparatorError
from comparator.domain.scoring.judgment import JudgeState
from comparator.store.bulk import batches, office_pages
from comparator.workflow.judging import registry
from comparator.workflow.judging.asking import Progress, progress_of
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
LONGEST_PAUSE = 30.0
"""Between starts of workers that fail one after the other."""
SOON = 60.0
"""Who fails later than so many seconds after its start is not one of those."""
IDLE_SECONDS = 300
"""So long a worker stays without work: who has a page open soon asks for the next pair."""
STOP_SECONDS = 25.0
PATIENCE_SECONDS = 4.0
"""After so long a page says that no worker has started."""
NOT_STARTED = (
    "The process that asks the judge does not start; the app's log says why. Judging begins once it does."
)


class WorkerChild:
    """Looks for work, and keeps one worker process while there is any or a page is open."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._signal = threading.Event()
        self._ended = False
        self._failed = False
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._look, name="worker-child", daemon=True)

    def start(self) -> None:
        """Begin to look after the child, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """End the child in order."""
        self._ended = True
        self._signal.set()
        self._thread.join()
        child = self._child
        if child is None:
            return
        if self._runs():
            # It keeps the answers of what is on the wire, gives the rest back, and goes.
            child.terminate()
            try:
                child.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self._close_pipe()

    def wake(self) -> None:
        """Have a worker look for pairs now; one is started where none runs."""
        child = self._child
        if child is not None and child.stdin is not None and self._runs():
            # One that is just ending is followed by another.
            with suppress(OSError):
                child.stdin.write(b"\n")
                child.stdin.flush()
            return
        self._signal.set()

    def progress(self, comparison_id: str) -> Progress:
        """Where the judge is with a comparison, and whether nobody is there to begin with it."""
        now = self._services.now()
        with self._services.database.read() as connection:
            progress = progress_of(connection, comparison_id, now=now)
            if progress.asked_at is None or (now - progress.asked_at).total_seconds() < PATIENCE_SECONDS:
                return progress
            if registry.number(self._services, connection) or (self._runs() and not self._failed):
                return progress
        return Progress(state=JudgeState.FAILED, problem=NOT_STARTED)

    def _runs(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def _look(self) -> None:
        pause, started = LOOK_SECONDS, 0.0
        while True:
            woken = self._signal.wait(pause)
            self._signal.clear()
            if self._ended:
                return
            if self._runs() or not (woken or self._wanted()):
                continue
            failed = self._child is not None and self._child.returncode != 0
            again = failed and time.monotonic() - started < SOON
            pause = min(2 * pause, LONGEST_PAUSE) if again else LOOK_SECONDS
            started, self._failed = time.monotonic(), again
            self._close_pipe()
            try:
                self._child = self._start()
            except OSError:
                log.exception("the app's worker cannot be started")
                self._failed = True

    def _close_pipe(self) -> None:
        if self._child is not None and self._child.stdin is not None:
            with suppress(OSError):
                self._child.stdin.close()

    def _wanted(self) -> bool:
        try:
            with self._services.database.read() as connection:
                return batches.waits(connection) or office_pages.any_open(connection)
        except ComparatorError as error:
            log.warning("whether there is anything to judge cannot be told: %s", error)
            return False

    def _start(self) -> subprocess.Popen[bytes]:
        settings = self._services.settings
        environment = {
            **self._services.environment,
            "COMPARATOR_HOME": str(settings.home),
            "COMPARATOR_DATABASE_URL": settings.database_url,
            "COMPARATOR_BLOB_URL": settings.blob_url,
        }
        command = (
            sys.executable,
            "-P",  # The folder in which the app was started may hold outputs, with modules of their own.
            "-m",
            "comparator",
            "worker",
            f"--until-idle={IDLE_SECONDS}",
            "--beside-app",
        )
        # A process group of its own: Ctrl+C is for the app, which ends its worker in order.
        return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, start_new_session=True)


# Not a cache of a page: what a browser can have cleared must not stop what is being judged.
_CHILDREN: dict[str, WorkerChild] = {}
_LOCK = threading.Lock()


def app_worker(services: Services) -> WorkerChild:
    """The child that works on this database, looked after until the process ends."""
    key = services.settings.database
    with _LOCK:
        if key not in _CHILDREN:
            _CHILDREN[key] = child = WorkerChild(services)
            child.start()
        return _CHILDREN[key]


def end_app_workers() -> None:
    """End all children of this process in order."""
    with _LOCK:
        for child in _CHILDREN.values():
            child.stop()
        _CHILDREN.clear()


atexit.register(end_app_workers)
