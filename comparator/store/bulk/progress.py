"""Where a judge is at this moment: one row a comparison, with a heartbeat, so that a dead worker is noticed."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_new, lock, maybe
from comparator.store.judging.judgments import Identity
from comparator.store.rollup import rollup


class ProgressState(StrEnum):
    """What the judge is doing."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class Progress(Frozen):
    """How far the judge is, or how it ended; and which judge was asked."""

    comparison_id: str
    state: ProgressState
    step: str | None
    problem: str | None
    worker: str
    judge_kind: Literal["anthropic", "offline"]
    judge_model: str
    started_at: AwareDatetime
    beat_at: AwareDatetime


_progress = tables.progress.c
_HELD = _progress.state.in_([ProgressState.QUEUED.value, ProgressState.RUNNING.value])


def begin(
    connection: sa.Connection,
    comparison_id: str,
    *,
    worker: str,
    judge: Identity,
    stale_after: timedelta,
    at: datetime,
    queued: bool = False,
) -> bool:
    """Take the comparison for this worker; False if it is held and the heartbeat is younger than `stale_after`.

    `queued` takes it for later: `start` says when the judge begins.
    """
    fresh = {
        "state": (ProgressState.QUEUED if queued else ProgressState.RUNNING).value,
        "step": None,
        "problem": None,
        "worker": worker,
        "judge_kind": judge.kind,
        "judge_model": judge.model,
        "started_at": at,
        "beat_at": at,
    }
    if not insert_new(connection, tables.progress, {"comparison_id": comparison_id, **fresh}):
        lock(connection, tables.progress, comparison_id, what="such comparison")
        free = sa.or_(~_HELD, _progress.beat_at < at - stale_after)
        taken = connection.execute(
            tables.progress.update().where(_progress.comparison_id == comparison_id, free).values(**fresh)
        )
        if taken.rowcount == 0:
            return False
    rollup.refresh(connection, comparison_id, at=at)
    return True


def start(connection: sa.Connection, comparison_id: str, *, worker: str, at: datetime) -> bool:
    """Note that the judge begins with what was taken; False if the comparison is no longer the worker's own."""
    result = connection.execute(
        tables.progress.update()
        .where(_own(comparison_id, worker))
        .values(state=ProgressState.RUNNING.value, beat_at=at)
    )
    return result.rowcount == 1


def beat(
    connection: sa.Connection, comparison_id: str, *, worker: str, step: str | None, at: datetime
) -> bool:
    """Show that the worker lives, and at which step it is; False if the comparison is no longer its own."""
    result = connection.execute(
        tables.progress.update().where(_own(comparison_id, worker)).values(step=step, beat_at=at)
    )
    return result.rowcount == 1


def end(
    connection: sa.Connection,
    comparison_id: str,
    *,
    worker: str,
    problem: str | None,
    at: datetime,
    interrupted: bool = False,
) -> bool:
    """Note how the work ended: with a problem in plain words, or (None) well; False if it was not the worker's own."""
    state = ProgressState.DONE if problem is None else ProgressState.FAILED
    if interrupted:
        state = ProgressState.INTERRUPTED
    result = connection.execute(
        tables.progress.update()
        .where(_own(comparison_id, worker))
        .values(state=state.value, step=None, problem=problem, beat_at=at)
    )
    if result.rowcount == 0:
        return False
    rollup.refresh(connection, comparison_id, at=at)
    return True


def get(connection: sa.Connection, comparison_id: str) -> Progress | None:
    """Where the judge is; None if it never began."""
    query = sa.select(tables.progress).where(_progress.comparison_id == comparison_id)
    return maybe(connection, query, Progress)


def running(connection: sa.Connection) -> tuple[Progress, ...]:
    """All comparisons that a worker holds or has left behind; the heartbeat tells which."""
    query = sa.select(tables.progress).where(_HELD).order_by(_progress.started_at)
    return tuple(Progress.model_validate(dict(row)) for row in connection.execute(query).mappings())


def _own(comparison_id: str, worker: str) -> sa.ColumnElement[bool]:
    return sa.and_(_progress.comparison_id == comparison_id, _progress.worker == worker, _HELD)
