"""How many comparisons stand where: numbers that triggers keep in step with every write, so that none are counted."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from comparator.store import tables

MANY = 500
"""From so many rows on the numbers are worth being added up."""
LOCK = 0xC0171

_rollup_count, _rollup = tables.rollup_count.c, tables.rollup.c
_KEYS = ("project_id", "status", "reviewed", "judge_model")


class Counted(NamedTuple):
    """So many comparisons of a project have this status; `reviewed` says that they have a final review."""

    project_id: str
    status: str
    reviewed: bool
    judge_model: str | None
    number: int


def counted(
    connection: sa.Connection, *, project_id: str | None = None, among: Collection[str] | None = None
) -> tuple[Counted, ...]:
    """The numbers of a project, of some of them, or of all."""
    keys = [_rollup_count[name] for name in _KEYS]
    query = sa.select(*keys, sa.cast(sa.func.sum(_rollup_count.number), sa.BigInteger))
    if project_id is not None:
        query = query.where(_rollup_count.project_id == project_id)
    if among is not None:
        query = query.where(_rollup_count.project_id.in_(sorted(among)))
    return tuple(Counted._make(row) for row in connection.execute(query.group_by(*keys)))


def is_piled(connection: sa.Connection) -> bool:
    """Whether there are so many rows that `add_up` is worth its while."""
    return connection.execute(sa.select(_rollup_count.id).limit(1).offset(MANY)).first() is not None


def add_up(connection: sa.Connection) -> None:
    """Leave one row for each number. Writers only ever add rows on PostgreSQL, so that none waits for another."""
    alone = sa.select(sa.func.pg_try_advisory_xact_lock(LOCK))
    if connection.dialect.name != "sqlite" and not connection.execute(alone).scalar():
        # Somebody else is at it.
        return
    gone = connection.execute(
        tables.rollup_count.delete().returning(*(_rollup_count[name] for name in _KEYS), _rollup_count.number)
    )
    sums: dict[tuple[object, ...], int] = {}
    for *key, number in gone:
        sums[tuple(key)] = sums.get(tuple(key), 0) + number
    rows = [
        {**dict(zip(_KEYS, key, strict=True)), "number": number} for key, number in sums.items() if number
    ]
    if rows:
        connection.execute(tables.rollup_count.insert(), rows)


def recount(connection: sa.Connection) -> None:
    """Derive all numbers anew from where each comparison stands."""
    connection.execute(tables.rollup_count.delete())
    reviewed = (_rollup.final_reviews > 0).label("reviewed")
    found = sa.select(
        _rollup.project_id, _rollup.status, reviewed, _rollup.judge_model, sa.func.count()
    ).group_by(_rollup.project_id, _rollup.status, reviewed, _rollup.judge_model)
    connection.execute(tables.rollup_count.insert().from_select([*_KEYS, "number"], found))
