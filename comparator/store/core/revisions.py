"""Each project's revision: a number that is raised in the transaction that changes anything its figures rest on.

It is raised last, so that nobody holds a project's row while waiting for another row.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from comparator.store import tables

_COMPARISONS, _PROJECTS = "comparator_changed_comparisons", "comparator_changed_projects"
_AT_A_TIME = 500
_project, _comparison = tables.project.c, tables.comparison.c


def changed(
    connection: sa.Connection, *, comparisons: Iterable[str] = (), projects: Iterable[str] = ()
) -> None:
    """Note what this transaction changes; `raise_changed` raises the revisions of the projects it belongs to."""
    connection.info.setdefault(_COMPARISONS, set()).update(comparisons)
    connection.info.setdefault(_PROJECTS, set()).update(projects)


def raise_changed(connection: sa.Connection) -> None:
    """Raise the revision of each project of which something was noted, just before the transaction is committed."""
    comparisons = sorted(connection.info.pop(_COMPARISONS, ()))
    projects: set[str] = connection.info.pop(_PROJECTS, set())
    for start in range(0, len(comparisons), _AT_A_TIME):
        some = _comparison.id.in_(comparisons[start : start + _AT_A_TIME])
        projects.update(
            connection.execute(sa.select(_comparison.project_id).where(some).distinct()).scalars()
        )
    for project_id in sorted(projects):
        connection.execute(
            tables.project.update().where(_project.id == project_id).values(revision=_project.revision + 1)
        )


def forget(connection: sa.Connection) -> None:
    """Forget what was noted in a transaction that ended without a commit: the connection serves another one next."""
    connection.info.pop(_COMPARISONS, None)
    connection.info.pop(_PROJECTS, None)
