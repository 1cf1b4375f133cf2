"""The batches that one pair is in: when it was last to be read, and what of it waits."""

from __future__ import annotations

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.domain.scoring.several_judges import SeveralJudges
from comparator.store import tables
from comparator.store.bulk.batches import OPEN, BatchState, ItemState, JudgeChoice
from comparator.store.core.sql import maybe

_batch, _batch_item = tables.batch.c, tables.batch_item.c


class LastBatch(Frozen):
    """The last time that a pair was to be read: by which judge, and what came of it."""

    batch_id: str
    state: ItemState
    problem: str | None
    touched_at: AwareDatetime
    judge: JudgeChoice
    batch_state: BatchState
    batch_problem: str | None
    single: bool | None
    panel: SeveralJudges | None = None


def last_asked(connection: sa.Connection, comparison_id: str) -> LastBatch | None:
    """The last time that the pair was to be read; None where it never was."""
    query = (
        sa.select(
            _batch_item.batch_id,
            _batch_item.state,
            _batch_item.problem,
            _batch_item.touched_at,
            _batch.judge,
            _batch.single,
            _batch.panel,
            _batch.state.label("batch_state"),
            _batch.problem.label("batch_problem"),
        )
        .join_from(tables.batch_item, tables.batch, _batch.id == _batch_item.batch_id)
        .where(_batch_item.comparison_id == comparison_id, _batch.trial.is_(None))
        # What is still to be read in a batch of many says nothing of how the last reading ended.
        .order_by(
            sa.and_(_batch_item.state.in_([state.value for state in OPEN]), _batch.single.is_(None)),
            _batch_item.touched_at.desc(),
        )
        .limit(1)
    )
    return maybe(connection, query, LastBatch)


def waiting_singles(connection: sa.Connection, comparison_id: str) -> dict[str, BatchState]:
    """The batches of this pair alone that wait or are being read: one, or one for each of several judges."""
    query = (
        sa.select(_batch.id, _batch.state)
        .join_from(tables.batch_item, tables.batch, _batch.id == _batch_item.batch_id)
        .where(
            _batch_item.comparison_id == comparison_id,
            _batch_item.state == ItemState.WAITING.value,
            _batch.single == sa.true(),
        )
        .order_by(_batch.created_at, _batch.id)
    )
    return {row.id: BatchState(row.state) for row in connection.execute(query)}
