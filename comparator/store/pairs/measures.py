"""How much of what is in each view; counted when it is kept, and later for those that were kept before."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from comparator.outputs.view.measures import Measures
from comparator.store import tables
from comparator.store.core.sql import insert_one

_NONE = dict.fromkeys(name for name in Measures.model_fields if name != "families") | {"families": {}}
_view, _view_measure = tables.view.c, tables.view_measure.c


def put(connection: sa.Connection, view_id: str, found: Measures | None) -> None:
    """Keep what was counted in a view, in place of what was known; None where its content cannot be read."""
    values = _NONE if found is None else found.model_dump()
    connection.execute(tables.view_measure.delete().where(_view_measure.view_id == view_id))
    insert_one(connection, tables.view_measure, view_id=view_id, **values)


def missing(connection: sa.Connection, *, most: int) -> Sequence[str]:
    """The ids of some views that nobody has counted yet."""
    query = sa.select(_view.id).where(*_not_counted()).order_by(_view.id).limit(most)
    return connection.execute(query).scalars().all()


def _not_counted() -> tuple[sa.ColumnElement[bool], ...]:
    return (_view.content.is_not(None), ~sa.exists().where(_view_measure.view_id == _view.id))
