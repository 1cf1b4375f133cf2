"""Who judges a comparison at this moment: taking it, signs of life while it lasts, and freeing what the dead left."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Collection
from datetime import datetime, timedelta

from comparator.domain.errors import ComparatorError, Conflict
from comparator.domain.judgment import JudgeState
from comparator.domain.labels import Frozen
from comparator.judges.protocol import Judge
from comparator.store.bulk import progress
from comparator.store.bulk.progress import ProgressState
from comparator.store.judging import budgets
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

STALE_AFTER = timedelta(seconds=30)
"""A judge without a sign of life for this long is taken for dead."""
SILENT_AFTER = timedelta(hours=6)
"""No request lasts so long: what a worker without a sign of life had set aside before is settled, on whatever machine
it was."""
BEAT_SECONDS = 5.0
QUEUED = "Waiting for a free place"
INTERRUPTED = "Judging was interrupted. Start it again; what is done is not paid for twice."
ELSEWHERE = "This comparison is being judged elsewhere at this moment. Wait for it to end."


class Progress(Frozen):
    """Where the judge is with a comparison, in words for a page."""

    state: JudgeState
    step: str | None = None
    problem: str | None = None

    @property
    def at_work(self) -> bool:
        """Whether something will come of it without anybody doing anything."""
        return self.state is JudgeState.RUNNING or self.step is not None


class Lost(Conflict):
    """Another worker has taken the comparison over."""


def worker_id(services: Services) -> str:
    """A name for one run of this process: by it one sees later whether the process is gone."""
    # A fresh id each time: the same process may be asked twice at once.
    return f"{socket.gethostname()}:{os.getpid()}:{services.new_id()}"


def lease(services: Services, judge: Judge, comparison_id: str, *, queued: bool = False) -> str | None:
    """Take the comparison for one run of this judge; the run's own worker id, or None where another holds it.

    `queued` takes it before there is a place for it.
    """
    worker = worker_id(services)
    with services.database.write() as connection:
        taken = progress.begin(
            connection,
            comparison_id,
            worker=worker,
            judge=judge.identity,
            stale_after=STALE_AFTER,
            at=services.now(),
            queued=queued,
        )
    return worker if taken else None


def finish(
    services: Services, comparison_id: str, *, worker: str, problem: str | None, interrupted: bool = False
) -> None:
    """Note how the run ended. A database that fails here is logged: what was judged is stored already."""
    try:
        with services.database.write() as connection:
            progress.end(
                connection,
                comparison_id,
                worker=worker,
                problem=problem,
                at=services.now(),
                interrupted=interrupted,
            )
    except ComparatorError as error:
        log.warning("the end of judging %s could not be noted: %s", comparison_id, error)


def where(row: progress.Progress | None, *, now: datetime) -> Progress:
    """What a progress row says at this time; None stands for a comparison that no judge has begun."""
    if row is None:
        return Progress(state=JudgeState.WAITING)
    match row.state:
        case ProgressState.QUEUED | ProgressState.RUNNING if now - row.beat_at >= STALE_AFTER:
            return Progress(state=JudgeState.INTERRUPTED, problem=INTERRUPTED)
        case ProgressState.QUEUED:
            return Progress(state=JudgeState.WAITING, step=QUEUED)
        case ProgressState.RUNNING:
            return Progress(state=JudgeState.RUNNING, step=row.step)
        case ProgressState.FAILED:
            return Progress(state=JudgeState.FAILED, problem=row.problem)
        case ProgressState.INTERRUPTED:
            return Progress(state=JudgeState.INTERRUPTED, problem=row.problem)
        case _:
            return Progress(state=JudgeState.DONE)


def free_dead(services: Services, *, starting: bool = False, alive: Collection[str] = ()) -> tuple[str, ...]:
    """Mark as interrupted what dead workers left behind; the ids of those comparisons.

    Dead is who gave no sign of life for long and is not in `alive`, the caller's own. `starting` is for a process that
    judges nothing yet: what stands under its own number, or under that of a process of this machine that is gone, is
    dead at once. What the dead had set aside counts as spent; a process of another machine, which cannot be asked, is
    given far longer for that.
    """
    now = services.now()
    with services.database.read() as connection:
        rows = progress.running(connection)
        paying = budgets.unsettled_workers(connection)
        silent = budgets.silent_workers(connection, since=now - SILENT_AFTER)
    for worker in paying:
        if worker not in alive and (worker in silent or (starting and process_gone(worker))):
            with services.database.write() as connection:
                budgets.settle_dead(connection, worker, at=now)
    dead = [
        row
        for row in rows
        if row.worker not in alive
        and (now - row.beat_at >= STALE_AFTER or (starting and process_gone(row.worker)))
    ]
    freed: list[str] = []
    for row in dead:
        with services.database.write() as connection:
            # It may have shown itself since.
            again = progress.get(connection, row.comparison_id)
            if again == row and progress.end(
                connection,
                row.comparison_id,
                worker=row.worker,
                problem=INTERRUPTED,
                at=services.now(),
                interrupted=True,
            ):
                freed.append(row.comparison_id)
    return tuple(freed)


class Heartbeat:
    """Shows that a run is alive while its block lasts; raises Lost out of it once another has taken over."""

    def __init__(self, services: Services, comparison_id: str, *, worker: str) -> None:
        self._services, self._comparison_id, self._worker = services, comparison_id, worker
        self._step: str | None = None
        self._lost = False
        self._owner: asyncio.Task[object] | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Heartbeat:
        self._owner = asyncio.current_task()
        self._task = asyncio.create_task(self._beat())
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        assert self._task is not None
        assert self._owner is not None
        self._task.cancel()
        if not self._lost:
            return
        if kind is None:
            # The cancelling came after the last wait of the block; it ends here.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(0)
        # As asyncio.timeout does it: only our own cancelling becomes an error of ours, not one from outside.
        if self._owner.uncancel() == 0 and kind is asyncio.CancelledError:
            raise Lost(ELSEWHERE)

    def start(self) -> None:
        """Note that the judge begins. Raises Lost where the comparison is no longer this run's own."""
        with self._services.database.write() as connection:
            mine = progress.start(
                connection, self._comparison_id, worker=self._worker, at=self._services.now()
            )
        if not mine:
            raise Lost(ELSEWHERE)

    def note(self, step: str) -> None:
        """Note the present step."""
        self._step = step
        self._write()

    def _write(self) -> None:
        try:
            with self._services.database.write() as connection:
                mine = progress.beat(
                    connection,
                    self._comparison_id,
                    worker=self._worker,
                    step=self._step,
                    at=self._services.now(),
                )
        except ComparatorError as error:
            # What is paid for is worth more than a sign of life; the next one may get through.
            log.warning("no sign of life for %s: %s", self._comparison_id, error)
            return
        if not mine and not self._lost and self._owner is not None:
            self._lost = True
            self._owner.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self._write()


def process_gone(worker: str) -> bool:
    """Whether the process of a worker's id (host:number:…) was one of this machine and is gone, or is this one."""
    host, _, rest = worker.partition(":")
    number, _, _ = rest.partition(":")
    if host != socket.gethostname() or not number.isdigit():
        return False
    if int(number) == os.getpid():
        return True
    if os.name != "posix":
        # Asking would end the process there; the heartbeat tells a little later.
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
