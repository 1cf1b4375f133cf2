"""Views of the history that somebody saved: a name, and the filters behind it."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_one, several
from comparator.store.core.unit import Unit

_saved_view = tables.saved_view.c


class SavedView(Frozen):
    """One view; `address` is what stands behind the question mark of the page's address."""

    id: str
    project_id: str
    name: str
    address: str


def of_project(connection: sa.Connection, project_id: str) -> tuple[SavedView, ...]:
    """The project's views by name."""
    query = sa.select(*(_saved_view[name] for name in SavedView.model_fields))
    return several(
        connection,
        query.where(_saved_view.project_id == project_id).order_by(
            sa.func.lower(_saved_view.name), _saved_view.id
        ),
        SavedView,
    )


def save(unit: Unit, project_id: str, *, name: str, address: str, person_id: str | None) -> None:
    """Keep a view under this name, in place of one that had it."""
    remove(unit.connection, project_id, name)
    insert_one(
        unit.connection,
        tables.saved_view,
        id=unit.new_id(),
        project_id=project_id,
        name=name,
        address=address,
        created_by=person_id,
        created_at=unit.at,
    )


def remove(connection: sa.Connection, project_id: str, name: str) -> None:
    """Forget the view of this name, if there is one."""
    connection.execute(
        tables.saved_view.delete().where(_saved_view.project_id == project_id, _saved_view.name == name)
    )
