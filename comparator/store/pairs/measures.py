"""How much of what is in each view; counted when it is kept."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.outputs.view.measures import Measures
from comparator.store import tables
from comparator.store.core.sql import insert_one

_view_measure = tables.view_measure.c


def put(connection: sa.Connection, view_id: str, found: Measures) -> None:
    """Keep what was counted in a view, in place of what was known."""
    connection.execute(tables.view_measure.delete().where(_view_measure.view_id == view_id))
    insert_one(connection, tables.view_measure, view_id=view_id, **found.model_dump())
