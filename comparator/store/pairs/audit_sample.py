"""The audit sample: for each comparison whether chance chose it, drawn once, before and apart from any judge."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.sql import insert_new


def add(
    connection: sa.Connection,
    comparison_id: str,
    *,
    project_id: str,
    probability: float,
    lot: float,
    at: datetime,
) -> bool:
    """Keep the draw of a comparison: `lot`, even between 0 and 1, below `probability` is chosen. Whether it is.

    A comparison that was drawn before keeps its draw.
    """
    chosen = lot < probability
    insert_new(
        connection,
        tables.draw,
        {
            "comparison_id": comparison_id,
            "project_id": project_id,
            "probability": probability,
            "chosen": chosen,
            "at": at,
        },
    )
    query = sa.select(tables.draw.c.chosen).where(tables.draw.c.comparison_id == comparison_id)
    return bool(connection.execute(query).scalar_one())
