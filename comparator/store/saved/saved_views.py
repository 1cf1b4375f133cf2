"""Views of the history that somebody saved: a name, and the filters behind it."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import lock

_project = tables.project.c


class SavedView(Frozen):
    """One view; `address` is what stands behind the question mark of the page's address."""

    name: str
    address: str


def of_project(connection: sa.Connection, project_id: str) -> tuple[SavedView, ...]:
    """The project's views by name."""
    query = sa.select(_project.saved_views).where(_project.id == project_id)
    return tuple(map(SavedView.model_validate, connection.execute(query).scalar() or ()))


def save(connection: sa.Connection, project_id: str, name: str, *, address: str | None) -> None:
    """Keep a view under this name, in place of one that had it, or (None) forget that. Raises NotFound."""
    lock(connection, tables.project, project_id, what="such project")
    views = {view.name: view for view in of_project(connection, project_id) if view.name != name}
    if address is not None:
        views[name] = SavedView(name=name, address=address)
    by_name = tuple(sorted(views.values(), key=lambda view: (view.name.lower(), view.name)))
    connection.execute(tables.project.update().where(_project.id == project_id).values(saved_views=by_name))
