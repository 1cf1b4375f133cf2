"""Where the judge is with a comparison, in words for a page."""

from __future__ import annotations

from datetime import datetime

from comparator.domain.labels import Frozen
from comparator.domain.scoring.judgment import JudgeState
from comparator.store.bulk import leases, pair_batches, workers
from comparator.store.bulk.batches import BatchState, ItemState
from comparator.store.core.database import Connection

QUEUED = "Waiting for a free place"
INTERRUPTED = "Judging was interrupted. Start it again; what is done is not paid for twice."


class Progress(Frozen):
    """Where the judge is; `asked_at` is when a pair that waits was asked for."""

    state: JudgeState
    step: str | None = None
    problem: str | None = None
    asked_at: datetime | None = None

    @property
    def in_progress(self) -> bool:
        """Whether something will come of it without anybody doing anything."""
        return self.state is JudgeState.RUNNING or self.step is not None


def progress_of(connection: Connection, comparison_id: str, *, now: datetime) -> Progress:
    """Where the judge is at this time, whichever process has the comparison."""
    return progress_since(
        connection, comparison_id, pair_batches.last_asked(connection, comparison_id), now=now
    )


def progress_since(
    connection: Connection, comparison_id: str, asked: pair_batches.LastBatch | None, *, now: datetime
) -> Progress:
    """The same, for a caller that knows how the judge was asked last."""
    lease = leases.of_pair(connection, comparison_id)
    if lease is not None and lease.beat_at is not None and workers.is_alive(lease.beat_at, at=now):
        return Progress(state=JudgeState.RUNNING, step=lease.step)
    if asked is None:
        return Progress(state=JudgeState.WAITING)
    match asked.state:
        case ItemState.DONE:
            return Progress(state=JudgeState.DONE)
        case ItemState.FAILED:
            return Progress(state=JudgeState.FAILED, problem=asked.problem)
        case ItemState.CANCELLED if asked.problem is not None:
            return Progress(state=JudgeState.INTERRUPTED, problem=asked.problem)
        case ItemState.WAITING if asked.single and asked.batch_state is BatchState.PAUSED:
            return Progress(state=JudgeState.FAILED, problem=asked.batch_problem)
        case ItemState.WAITING if asked.single:
            return Progress(state=JudgeState.WAITING, step=QUEUED, asked_at=asked.touched_at)
        case _:
            return Progress(state=JudgeState.WAITING)
