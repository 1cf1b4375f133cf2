"""The workers with their signs of life, and what each has in hand: a pair, its pages, a rubric, or Message Batches."""

from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, bindparam, exists, func, literal, select, true
from sqlalchemy.dialects import postgresql, sqlite

from comparator.store import tables
from comparator.store.core.sql import Connection, Unit, among, delete, scalars

STALE_AFTER = timedelta(seconds=30)
"""A worker without a sign of life for this long is taken for dead."""


_lease, _worker = tables.lease.c, tables.worker.c


def is_alive(beat_at: datetime, *, at: datetime) -> bool:
    """Whether a worker whose last sign of life was then is taken to be alive at this time."""
    return beat_at > at - STALE_AFTER


def join(unit: Unit, worker: str, *, at: datetime | None = None) -> None:
    """Enter a worker, alive at this time, else at that of the unit."""
    unit.add(tables.worker, id=worker, beat_at=at or unit.at)


def beat(unit: Unit, worker: str, *, at: datetime) -> bool:
    """Show that the worker lives; False if others have taken it for dead."""
    return unit.update(tables.worker, _worker.id == worker, beat_at=at) == 1


def leave(connection: Connection, worker: str) -> bool:
    """Strike a worker off with its leases; False if another has done so, or is doing it.

    Pairs are given back before: see batch_items.release.
    """
    # Whoever deletes the row cleans up after the worker; a second one finds nothing.
    gone = delete(connection, tables.worker, _worker.id == worker) == 1
    delete(connection, tables.lease, _lease.worker == worker)
    return gone


def entered(connection: Connection) -> tuple[Any, ...]:
    """All workers that have not left, alive or not: `id`, and `beat_at`, the last sign of life."""
    return tuple(connection.execute(select(tables.worker).order_by(_worker.id)))


class LeaseKind(StrEnum):
    """What is leased."""

    PAIR = "pair"
    OFFICE_PAGES = "office_pages"
    """Turning the Office files of a pair into pages."""
    RUBRIC = "rubric"
    """The writing of a task version's rubric."""
    MESSAGE_BATCHES = "message_batches"
    """Handing in and fetching the Message Batches of a batch."""


_OWN = [_lease[name] == bindparam(f"of_{name}") for name in ("kind", "id", "worker")]
# Made once: each pair gives back two leases, and to make the statement takes longer than to run it.
_GIVE_BACK = tables.lease.delete().where(*_OWN)
_NOTE_STEP = tables.lease.update().where(*_OWN).values(step=bindparam("step"))


def lives(at: datetime) -> ColumnElement[bool]:
    """Whether the worker of a lease has shown itself lately."""
    return exists().where(_worker.id == _lease.worker, _worker.beat_at > at - STALE_AFTER)


def take(unit: Unit, kind: LeaseKind, ids: Collection[str], *, worker: str) -> frozenset[str]:
    """Take what no living worker has; the ids that are the worker's own now."""
    if not ids:
        return frozenset()
    insert = sqlite.insert if unit.dialect.name == "sqlite" else postgresql.insert
    fresh = {"worker": worker, "step": None, "at": unit.at}
    # From a list, as a statement with that many values would be made anew each time.
    wanted = among(unit, sorted(set(ids))).subquery()
    given = (literal(value, _lease[name].type) for name, value in {"kind": kind, **fresh}.items())
    rows = select(*wanted.c, *given).where(true()).order_by(*wanted.c)
    statement = insert(tables.lease).from_select(["id", "kind", *fresh], rows)
    key, dead = [_lease.kind, _lease.id], ~lives(unit.at)
    unit.execute(statement.on_conflict_do_update(index_elements=key, set_=fresh, where=dead))
    own = (_lease.kind == kind, _lease.id.in_(among(unit, ids)), _lease.worker == worker)
    return frozenset(scalars(unit, select(_lease.id).where(*own)))


def give_back(
    connection: Connection, kind: LeaseKind, ids: Collection[str], *, worker: str
) -> tuple[str, ...]:
    """Give back what the worker has of these; the ids of what it had, in order."""
    one = {"of_kind": kind, "of_worker": worker}
    return tuple(
        id for id in sorted(set(ids)) if connection.execute(_GIVE_BACK, one | {"of_id": id}).rowcount
    )


def of_worker(connection: Connection, kind: LeaseKind, *, worker: str) -> tuple[str, ...]:
    """What a worker has, or has left behind."""
    query = select(_lease.id).where(_lease.kind == kind, _lease.worker == worker)
    return scalars(connection, query.order_by(_lease.id))


def note_step(connection: Connection, comparison_id: str, *, worker: str, step: str) -> None:
    """Note at which step of a pair its worker is."""
    one = {"of_kind": LeaseKind.PAIR, "of_id": comparison_id, "of_worker": worker}
    connection.execute(_NOTE_STEP, one | {"step": step})


def steps_of_batches(connection: Connection, *, begin: str) -> dict[str, str]:
    """For each batch at work the step of one of its pairs that begins like this."""
    item = tables.batch_item.c
    query = (
        select(item.batch_id, func.max(_lease.step))
        .join_from(tables.lease, tables.batch_item, item.comparison_id == _lease.id)
        .where(_lease.kind == LeaseKind.PAIR, _lease.step.startswith(begin, autoescape=True))
        .group_by(item.batch_id)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def of_pair(connection: Connection, comparison_id: str) -> Any:
    """Who reads the pair (`worker`), at which `step`, and that worker's last sign of life; None where nobody does."""
    query = (
        select(tables.lease, _worker.beat_at)
        .select_from(tables.lease.outerjoin(tables.worker, _worker.id == _lease.worker))
        .where(_lease.kind == LeaseKind.PAIR, _lease.id == comparison_id)
    )
    return connection.execute(query).first()
