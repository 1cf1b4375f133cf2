"""The batches that one pair is in: when it was last to be read, and what of it waits."""

from __future__ import annotations

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.domain.scoring.judge_panel import JudgePanel
from comparator.store import tables
from comparator.store.bulk.batches import OPEN, BatchState, ItemState, JudgeChoice
from comparator.store.core.sql import maybe

_b, _i = tables.batch.c, tables.batch_item.c


class LastOrder(Frozen):
    """The last time that a pair was to be read: by which judge, and what came of it."""

    batch_id: str
    state: ItemState
    problem: str | None
    touched_at: AwareDatetime
    judge: JudgeChoice
    batch_state: BatchState
    batch_problem: str | None
    single: bool | None
    panel: JudgePanel | None = None


def last_asked(connection: sa.Connection, comparison_id: str) -> LastOrder | None:
    """The last time that the pair was to be read; None where it never was."""
    query = (
        sa.select(
            _i.batch_id, _i.state, _i.problem, _i.touched_at, _b.judge, _b.single, _b.panel,
            _b.state.label("batch_state"), _b.problem.label("batch_problem"),
        )
        .join_from(tables.batch_item, tables.batch, _b.id == _i.batch_id)
        .where(_i.comparison_id == comparison_id, _b.trial.is_(None))
        # What is still to be read in a batch of many says nothing of how the last reading ended.
        .order_by(sa.and_(_i.state.in_([state.value for state in OPEN]), _b.single.is_(None)), _i.touched_at.desc())
        .limit(1)
    )  # fmt: skip
    return maybe(connection, query, LastOrder)


def waiting_singles(connection: sa.Connection, comparison_id: str) -> dict[str, BatchState]:
    """The batches of this pair alone that wait or are being read: one, or one for each of several judges."""
    query = (
        sa.select(_b.id, _b.state)
        .join_from(tables.batch_item, tables.batch, _b.id == _i.batch_id)
        .where(_i.comparison_id == comparison_id, _i.state == ItemState.WAITING.value, _b.single == sa.true())
        .order_by(_b.created_at, _b.id)
    )
    return {row.id: BatchState(row.state) for row in connection.execute(query)}
