"""Pairs that several judges were asked about: which panel it was, and whether all of them have ended."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from comparator.domain.scoring.judge_panel import JudgePanel
from comparator.store import tables
from comparator.store.core.sql import among

_OPEN = ("waiting", "out")
"""States of an item that is still to end, unless its batch was cancelled while somebody else had the pair."""
_item, _batch = tables.batch_item.c, tables.batch.c


class AskedPanel(NamedTuple):
    """A panel that was asked about a pair, and whether one of its judges is still to read it."""

    panel: JudgePanel
    is_open: bool


def asked(connection: sa.Connection, comparison_id: str) -> AskedPanel | None:
    """The panel that was asked about the pair; None where none was, or one judge by itself was asked after it."""
    query = (
        sa.select(_batch.panel, _item.state, _batch.state.label("of_batch"))
        .join_from(tables.batch_item, tables.batch, _batch.id == _item.batch_id)
        .where(_item.comparison_id == comparison_id, _batch.trial.is_(None))
        .order_by(_batch.created_at.desc(), _batch.id)
    )
    rows = connection.execute(query).all()
    if not rows or rows[0].panel is None:
        return None
    panel = JudgePanel.model_validate(rows[0].panel)
    own = [row for row in rows if row.panel is not None and row.panel["id"] == panel.id]
    return AskedPanel(panel, any(row.state in _OPEN and row.of_batch != "cancelled" for row in own))


def with_panel(connection: sa.Connection, comparison_ids: Collection[str]) -> frozenset[str]:
    """Those of the comparisons that a panel was ever asked about."""
    query = (
        sa.select(_item.comparison_id)
        .join_from(tables.batch_item, tables.batch, _batch.id == _item.batch_id)
        .where(_item.comparison_id.in_(among(connection, comparison_ids)), _batch.panel.is_not(None))
    )
    return frozenset(connection.execute(query).scalars())
