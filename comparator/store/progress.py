"""Where a judge is at this moment: one row a comparison, with a heartbeat, so that a dead worker is noticed."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import standings, tables
from comparator.store.sql import insert_new, lock, maybe


class ProgressState(StrEnum):
    """What the judge is doing."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Progress(Frozen):
    """How far the judge is, or how it ended."""

    comparison_id: str
    state: ProgressState
    step: str | None
    problem: str | None
    worker: str
    started_at: AwareDatetime
    beat_at: AwareDatetime


_p = tables.progress.c


def begin(
    connection: sa.Connection, comparison_id: str, *, worker: str, stale_after: timedelta, at: datetime
) -> bool:
    """Take the comparison for this worker; False if another one's heartbeat is younger than `stale_after`."""
    fresh = {
        "state": ProgressState.RUNNING.value,
        "step": None,
        "problem": None,
        "worker": worker,
        "started_at": at,
        "beat_at": at,
    }
    if not insert_new(connection, tables.progress, {"comparison_id": comparison_id, **fresh}):
        lock(connection, tables.progress, comparison_id, what="such comparison")
        free = sa.or_(
            _p.state != ProgressState.RUNNING.value, _p.worker == worker, _p.beat_at < at - stale_after
        )
        taken = connection.execute(
            tables.progress.update().where(_p.comparison_id == comparison_id, free).values(**fresh)
        )
        if taken.rowcount == 0:
            return False
    standings.refresh(connection, comparison_id, at=at)
    return True


def beat(
    connection: sa.Connection, comparison_id: str, *, worker: str, step: str | None, at: datetime
) -> bool:
    """Show that the worker lives, and at which step it is; False if the comparison is no longer its own."""
    result = connection.execute(
        tables.progress.update()
        .where(
            _p.comparison_id == comparison_id,
            _p.worker == worker,
            _p.state == ProgressState.RUNNING.value,
        )
        .values(step=step, beat_at=at)
    )
    return result.rowcount == 1


def end(
    connection: sa.Connection, comparison_id: str, *, worker: str, problem: str | None, at: datetime
) -> None:
    """Note how the work ended: with a problem in plain words, or (None) well."""
    state = ProgressState.DONE if problem is None else ProgressState.FAILED
    connection.execute(
        tables.progress.update()
        .where(_p.comparison_id == comparison_id, _p.worker == worker)
        .values(state=state.value, step=None, problem=problem, beat_at=at)
    )
    standings.refresh(connection, comparison_id, at=at)


def get(connection: sa.Connection, comparison_id: str) -> Progress | None:
    """Where the judge is; None if it never began."""
    query = sa.select(tables.progress).where(_p.comparison_id == comparison_id)
    return maybe(connection, query, Progress)


def running(connection: sa.Connection) -> tuple[Progress, ...]:
    """All comparisons that a worker holds or has left behind; the heartbeat tells which."""
    query = sa.select(tables.progress).where(_p.state == ProgressState.RUNNING.value).order_by(_p.started_at)
    return tuple(Progress.model_validate(dict(row)) for row in connection.execute(query).mappings())
