"""The processes that work in the background, and their signs of life."""

from __future__ import annotations

from datetime import datetime, timedelta

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Connection, select

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import delete, several
from comparator.store.core.unit import Unit

STALE_AFTER = timedelta(seconds=30)
"""A worker without a sign of life for this long is taken for dead."""


class WorkerProcess(Frozen):
    """A process that asks judges or makes Office pages."""

    id: str
    joined_at: AwareDatetime
    beat_at: AwareDatetime


_worker, _lease = tables.worker.c, tables.lease.c


def is_alive(beat_at: datetime, *, at: datetime) -> bool:
    """Whether a worker whose last sign of life was then is taken to be alive at this time."""
    return beat_at > at - STALE_AFTER


def alive(at: datetime) -> ColumnElement[bool]:
    """Whether a row of `worker` is alive at this time."""
    return _worker.beat_at > at - STALE_AFTER


def join(unit: Unit, worker: str) -> None:
    """Enter a worker."""
    unit.add(tables.worker, id=worker, joined_at=unit.at, beat_at=unit.at)


def beat(unit: Unit, worker: str) -> bool:
    """Show that the worker lives; False if others have taken it for dead."""
    done = unit.update(tables.worker, _worker.id == worker, beat_at=unit.at)
    return done == 1


def leave(connection: Connection, worker: str) -> bool:
    """Strike a worker off with its leases; False if another has done so, or is doing it.

    Pairs are given back before: see batch_items.give_back.
    """
    # Whoever deletes the row cleans up after the worker; a second one finds nothing.
    gone = delete(connection, tables.worker, _worker.id == worker) == 1
    delete(connection, tables.lease, _lease.worker == worker)
    return gone


def entered(connection: Connection) -> tuple[WorkerProcess, ...]:
    """All workers that have not left, alive or not, the oldest first."""
    return several(connection, select(tables.worker).order_by(_worker.joined_at, _worker.id), WorkerProcess)
