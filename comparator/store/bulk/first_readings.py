"""Many first readings in few statements: rows for comparisons that nobody has judged or reviewed before.

What is written is what `judging.keep_try`, `rubrics.add` and `standings.refresh` would write one by one; where the
database already knows something of a comparison, Conflict is raised, and the caller takes the long way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from comparator.domain.errors import Conflict
from comparator.store import tables
from comparator.store.bulk.batches import ItemState
from comparator.store.bulk.progress import ProgressState
from comparator.store.core.sql import insert_many
from comparator.store.judging import budgets
from comparator.store.rollup.rollup import UNREAD, Status

_rollup, _progress, _batch_item, _lease = (
    tables.rollup.c,
    tables.progress.c,
    tables.batch_item.c,
    tables.lease.c,
)
# Written out: a list cannot stand in a statement that is carried out for many rows.
_HELD = sa.or_(_progress.state == ProgressState.QUEUED.value, _progress.state == ProgressState.RUNNING.value)


@dataclass
class Rows:
    """What is to be written; several can be joined."""

    rubrics: list[dict[str, Any]] = field(default_factory=list)
    criteria: list[dict[str, Any]] = field(default_factory=list)
    rubric_attempts: list[dict[str, Any]] = field(default_factory=list)
    judgments: list[dict[str, Any]] = field(default_factory=list)
    attempts: list[dict[str, Any]] = field(default_factory=list)
    begun: list[dict[str, Any]] = field(default_factory=list)
    """Columns of standings after a reading that was not the last, with `comparison_id`."""
    judged: list[dict[str, Any]] = field(default_factory=list)
    """Columns of standings after the last reading, with `comparison_id`, `batch_id` and `worker`."""
    leases: list[str] = field(default_factory=list)

    def add(self, other: Rows) -> None:
        """Take in another one's rows."""
        for name, rows in vars(other).items():
            getattr(self, name).extend(rows)


def write(connection: sa.Connection, rows: Rows, *, at: datetime) -> None:
    """Write all of it. Raises Conflict where a comparison is not as new as it was taken for."""
    insert_many(connection, tables.rubric, rows.rubrics)
    insert_many(connection, tables.criterion, rows.criteria)
    insert_many(connection, tables.rubric_attempt, rows.rubric_attempts)
    insert_many(connection, tables.judgment, rows.judgments)
    insert_many(connection, tables.attempt, rows.attempts)
    costs = [row["cost"] for row in (*rows.rubric_attempts, *rows.attempts) if row["cost"]]
    budgets.spend(connection, sum(costs, Decimal(0)))
    # A comparison whose second reading comes in the same commit needs only what the second one says.
    done = {row["comparison_id"] for row in rows.judged}
    _update(connection, [row for row in rows.begun if row["comparison_id"] not in done], at=at)
    _update(connection, rows.judged, at=at)
    _end(connection, rows.judged, at=at)
    if rows.leases:
        connection.execute(tables.lease.delete().where(_lease.key.in_(rows.leases)))


def _update(connection: sa.Connection, rows: Sequence[dict[str, Any]], *, at: datetime) -> None:
    if not rows:
        return
    columns = tuple(name for name in rows[0] if name in _rollup and name != "comparison_id")
    _all_of(
        connection,
        _update_of(columns),
        [
            {
                "of_comparison": row["comparison_id"],
                "now": at,
                **{f"new_{name}": row[name] for name in columns},
            }
            for row in sorted(rows, key=lambda row: str(row["comparison_id"]))
        ],
    )


@lru_cache
def _update_of(columns: tuple[str, ...]) -> sa.Update:
    """Built once: making a statement takes longer than carrying it out."""
    untouched = sa.and_(
        _rollup.comparison_id == sa.bindparam("of_comparison"),
        _rollup.status == Status.JUDGING.value,
        UNREAD,
    )
    return (
        tables.rollup.update()
        .where(untouched)
        .values({name: sa.bindparam(f"new_{name}", type_=_rollup[name].type) for name in columns})
        .values(touched_at=sa.bindparam("now", type_=_rollup.touched_at.type))
    )


_ENDED = (
    tables.progress.update()
    .where(
        _progress.comparison_id == sa.bindparam("of_comparison"),
        _progress.worker == sa.bindparam("of_worker"),
        _HELD,
    )
    .values(
        state=ProgressState.DONE.value,
        step=None,
        problem=None,
        beat_at=sa.bindparam("now", type_=_progress.beat_at.type),
    )
)
_ITEM_DONE = (
    tables.batch_item.update()
    .where(
        _batch_item.batch_id == sa.bindparam("of_batch"),
        _batch_item.comparison_id == sa.bindparam("of_comparison"),
    )
    .values(
        state=ItemState.DONE.value,
        problem=None,
        touched_at=sa.bindparam("now", type_=_batch_item.touched_at.type),
    )
)


def _end(connection: sa.Connection, rows: Sequence[dict[str, Any]], *, at: datetime) -> None:
    if not rows:
        return
    ordered = sorted(rows, key=lambda row: str(row["comparison_id"]))
    of = [{"of_comparison": row["comparison_id"], "now": at} for row in ordered]
    _all_of(
        connection,
        _ENDED,
        [one | {"of_worker": row["worker"]} for one, row in zip(of, ordered, strict=True)],
    )
    _all_of(
        connection,
        _ITEM_DONE,
        [one | {"of_batch": row["batch_id"]} for one, row in zip(of, ordered, strict=True)],
    )


def _all_of(connection: sa.Connection, statement: Any, rows: list[dict[str, Any]]) -> None:
    """Carry the update out for each row. Raises Conflict unless each finds exactly one."""
    result = connection.execute(statement, rows, execution_options={"preserve_rowcount": True})
    if result.rowcount != len(rows):
        raise Conflict("Somebody else has had this comparison in hand meanwhile.")
