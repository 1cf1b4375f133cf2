"""The audit sample: for each comparison whether chance chose it, drawn once, before and apart from any judge."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.revisions import changed
from comparator.store.core.sql import insert_new
from comparator.store.core.unit import Unit


def add(unit: Unit, comparison_id: str, *, project_id: str, probability: float, lot: float) -> bool:
    """Keep the draw of a comparison: `lot`, even between 0 and 1, below `probability` is chosen. Whether it is.

    A comparison that was drawn before keeps its draw.
    """
    chosen = lot < probability
    insert_new(
        unit.connection,
        tables.draw,
        {
            "comparison_id": comparison_id,
            "project_id": project_id,
            "probability": probability,
            "chosen": chosen,
            "at": unit.at,
        },
    )
    changed(unit.connection, projects=[project_id])
    query = sa.select(tables.draw.c.chosen).where(tables.draw.c.comparison_id == comparison_id)
    return bool(unit.connection.execute(query).scalar_one())
