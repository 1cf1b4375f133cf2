"""Checks over the outputs of a project: what is looked for, under which name, and how often each view has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, exists, func, select, union

from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import by_key, insert_new, select_as, several
from comparator.store.core.unit import Unit

_output_check = tables.output_check.c


class Check(Frozen):
    """One check. `pattern` is words as they stand, or a pattern of RE2; `problem` says why it was ended."""

    id: str
    project_id: str
    name: str
    pattern: str
    is_regex: bool
    match_case: bool
    problem: str | None = None


def of_project(connection: Connection, project_id: str) -> tuple[Check, ...]:
    """The project's checks by name."""
    query = select_as(tables.output_check, Check)
    return several(
        connection,
        query.where(_output_check.project_id == project_id).order_by(
            func.lower(_output_check.name), _output_check.id
        ),
        Check,
    )


def projects(connection: Connection) -> tuple[str, ...]:
    """The ids of the projects with a check that has not been stopped."""
    query = select(_output_check.project_id).where(_output_check.problem.is_(None)).distinct()
    return tuple(connection.execute(query.order_by(_output_check.project_id)).scalars())


def get(connection: Connection, check_id: str) -> Check:
    """One check. Raises NotFound."""
    return by_key(connection, tables.output_check, Check, check_id)


def add(unit: Unit, check: Check) -> None:
    """Keep a check; one of its name in the project must not be there."""
    unit.add(tables.output_check, **check.model_dump(), created_by=unit.who)


def named(connection: Connection, project_id: str, name: str) -> bool:
    """Whether there is a check of this name."""
    query = select(_output_check.id).where(_output_check.project_id == project_id, _output_check.name == name)
    return connection.execute(query).first() is not None


def end(connection: Connection, check_id: str, *, problem: str) -> None:
    """Look at no more outputs for it, and say why."""
    connection.execute(
        tables.output_check.update().where(_output_check.id == check_id).values(problem=problem)
    )


def remove(connection: Connection, check_id: str) -> None:
    """Forget a check with all that it counted. Raises NotFound."""
    if not connection.execute(tables.output_check.delete().where(_output_check.id == check_id)).rowcount:
        raise NotFound("There is no such check. Somebody may have removed it.")


_check_count, _comparison, _view = tables.check_count.c, tables.comparison.c, tables.view.c


def missing(connection: Connection, check_id: str, *, project_id: str, most: int) -> Sequence[str]:
    """Views of the project's outputs that the check has not looked at yet, at most so many."""
    query = select(_view.id).where(*_not_seen(check_id, project_id)).order_by(_view.id).limit(most)
    return connection.execute(query).scalars().all()


def left(connection: Connection, check_id: str, *, project_id: str) -> int:
    """How many those are."""
    query = select(func.count()).select_from(tables.view).where(*_not_seen(check_id, project_id))
    return int(connection.execute(query).scalar_one())


def outputs_left(connection: Connection, project_id: str) -> int:
    """How many of the project's outputs are left to one of its checks or more."""
    output_check = tables.output_check.c
    seen = exists().where(_check_count.check_id == output_check.id, _check_count.view_id == _view.id)
    left = exists().where(
        output_check.project_id == project_id,
        output_check.problem.is_(None),
        ~seen.correlate_except(tables.check_count),
    )
    query = select(func.count()).select_from(tables.view).where(*_of_project(project_id), left)
    return int(connection.execute(query).scalar_one())


def put(connection: Connection, check_id: str, found: Mapping[str, int | None]) -> None:
    """Keep what was counted by view; None where that took too long, or it cannot be read.

    What another process counted at the same time stays.
    """
    if found:
        insert_new(
            connection,
            tables.check_count,
            [{"check_id": check_id, "view_id": view, "found": number} for view, number in found.items()],
        )


def _not_seen(check_id: str, project_id: str) -> tuple[ColumnElement[bool], ...]:
    seen = exists().where(_check_count.check_id == check_id, _check_count.view_id == _view.id)
    return (*_of_project(project_id), ~seen)


def _of_project(project_id: str) -> tuple[ColumnElement[bool], ...]:
    compared = union(
        *(
            select(side).where(_comparison.project_id == project_id)
            for side in (_comparison.view_a, _comparison.view_b)
        )
    )
    return (_view.id.in_(compared), _view.content.is_not(None))
