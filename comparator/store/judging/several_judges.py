"""Pairs that several judges were asked about: which judges these were, and whether all of them have ended."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.domain.scoring.several_judges import SeveralJudges
from comparator.store import tables
from comparator.store.core.sql import among

_OPEN = ("waiting", "out")
"""States of an item that is still to end, unless its batch was cancelled while somebody else had the pair."""
_batch_item, _batch = tables.batch_item.c, tables.batch.c


class JudgmentRequest(NamedTuple):
    """One time that a judgment of a pair was asked for: of one judge (`judges` is None) or of several."""

    judges: SeveralJudges | None
    at: datetime
    is_open: bool
    """Whether a judge is still to read the pair."""
    is_done: bool
    """Whether a judge has read it."""


# Made once: it is asked after each judgment, and to make it takes longer than to run it.
_ASKINGS = (
    sa.select(_batch.id, _batch.panel, _batch.created_at, _batch_item.state, _batch.state.label("of_batch"))
    .join_from(tables.batch_item, tables.batch, _batch.id == _batch_item.batch_id)
    .where(_batch_item.comparison_id == sa.bindparam("comparison", type_=sa.String()), _batch.trial.is_(None))
    .order_by(_batch.created_at.desc(), _batch.id)
)


def judgment_requests(connection: sa.Connection, comparison_id: str) -> tuple[JudgmentRequest, ...]:
    """Each time that the pair was asked about, the newest first; empty where several judges never were."""
    rows = connection.execute(_ASKINGS, {"comparison": comparison_id}).all()
    if all(row.panel is None for row in rows):
        return ()
    # Each of several judges has a batch of its own.
    together: dict[str, list[Any]] = {}
    for row in rows:
        together.setdefault(row.id if row.panel is None else row.panel["id"], []).append(row)
    return tuple(
        JudgmentRequest(
            None if own[0].panel is None else SeveralJudges.model_validate(own[0].panel),
            at=min(row.created_at for row in own),
            is_open=any(row.state in _OPEN and row.of_batch != "cancelled" for row in own),
            is_done=any(row.state == "done" for row in own),
        )
        for own in together.values()
    )


def asked_of_several(connection: sa.Connection, comparison_ids: Collection[str]) -> frozenset[str]:
    """Those of the comparisons that several judges were ever asked about together."""
    query = (
        sa.select(_batch_item.comparison_id)
        .join_from(tables.batch_item, tables.batch, _batch.id == _batch_item.batch_id)
        .where(
            _batch_item.comparison_id.in_(among(connection, comparison_ids)),
            _batch.panel.is_not(None),
            _batch.trial.is_(None),
        )
    )
    return frozenset(connection.execute(query).scalars())
