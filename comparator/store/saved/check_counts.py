"""How often a check found what it looks for, in each view."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.sql import insert_new

_check_count, _comparison, _view = tables.check_count.c, tables.comparison.c, tables.view.c


def missing(connection: sa.Connection, check_id: str, *, project_id: str, most: int) -> Sequence[str]:
    """Views of the project's outputs that the check has not looked at yet, at most so many."""
    query = sa.select(_view.id).where(*_not_seen(check_id, project_id)).order_by(_view.id).limit(most)
    return connection.execute(query).scalars().all()


def left(connection: sa.Connection, check_id: str, *, project_id: str) -> int:
    """How many those are."""
    query = sa.select(sa.func.count()).select_from(tables.view).where(*_not_seen(check_id, project_id))
    return int(connection.execute(query).scalar_one())


def outputs_left(connection: sa.Connection, project_id: str) -> int:
    """How many of the project's outputs are left to one of its checks or more."""
    output_check = tables.output_check.c
    seen = sa.exists().where(_check_count.check_id == output_check.id, _check_count.view_id == _view.id)
    left = sa.exists().where(
        output_check.project_id == project_id,
        output_check.problem.is_(None),
        ~seen.correlate_except(tables.check_count),
    )
    query = sa.select(sa.func.count()).select_from(tables.view).where(*_of_project(project_id), left)
    return int(connection.execute(query).scalar_one())


def put(connection: sa.Connection, check_id: str, found: Mapping[str, int | None]) -> None:
    """Keep what was counted by view; None where that took too long, or it cannot be read.

    What another process counted at the same time stays.
    """
    if found:
        insert_new(
            connection,
            tables.check_count,
            [{"check_id": check_id, "view_id": view, "found": number} for view, number in found.items()],
        )


def of_comparisons(
    connection: sa.Connection, comparison_ids: Collection[str]
) -> dict[str, dict[str, tuple[int | None, int | None]]]:
    """How often each check found it in outputs A and B, by comparison and check."""
    found: dict[str, dict[str, list[int | None]]] = {}
    for side, column in enumerate((_comparison.view_a, _comparison.view_b)):
        query = (
            sa.select(_comparison.id, _check_count.check_id, _check_count.found)
            .join_from(tables.comparison, tables.check_count, _check_count.view_id == column)
            .where(_comparison.id.in_(sorted(comparison_ids)))
        )
        for row in connection.execute(query):
            found.setdefault(row.id, {}).setdefault(row.check_id, [None, None])[side] = row.found
    return {id: {check: (a, b) for check, (a, b) in by_check.items()} for id, by_check in found.items()}


def _not_seen(check_id: str, project_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    seen = sa.exists().where(_check_count.check_id == check_id, _check_count.view_id == _view.id)
    return (*_of_project(project_id), ~seen)


def _of_project(project_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    compared = sa.union(
        *(
            sa.select(side).where(_comparison.project_id == project_id)
            for side in (_comparison.view_a, _comparison.view_b)
        )
    )
    return (_view.id.in_(compared), _view.content.is_not(None))
