"""Checks over the outputs of a project: what is looked for, under which name, and how often each view has it."""

from collections.abc import Mapping

from sqlalchemy import exists, func, select, union

from comparator.domain.errors import NotFound
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, changed, delete, insert_new, scalars, there_is

_output_check = tables.output_check.c


class Check(Stored, table=tables.output_check):
    """One check. `pattern` is words as they stand, or a pattern of RE2."""

    id: str
    project_id: str
    name: str
    pattern: str
    is_regex: bool
    match_case: bool


def of_project(connection: Connection, project_id: str) -> tuple[Check, ...]:
    """The project's checks by name."""
    order = (func.lower(_output_check.name), _output_check.id)
    return Check.all(connection, _output_check.project_id == project_id, by=order)


def projects(connection: Connection) -> tuple[str, ...]:
    """The ids of the projects with a check."""
    query = select(_output_check.project_id).distinct()
    return scalars(connection, query.order_by(_output_check.project_id))


get = Check.get


def add(unit: Unit, check: Check) -> None:
    """Keep a check; one of its name in the project must not be there."""
    unit.add(tables.output_check, **check.model_dump(), created_by=unit.who)


def name_is_taken(connection: Connection, project_id: str, name: str) -> bool:
    """Whether there is a check of this name."""
    return there_is(connection, _output_check.project_id == project_id, _output_check.name == name)


def remove(connection: Connection, check_id: str) -> None:
    """Forget a check with all that it counted. Raises NotFound."""
    _changed(connection, check_id)
    if not delete(connection, tables.output_check, _output_check.id == check_id):
        raise NotFound("There is no such check. Somebody may have removed it.")


_check_count, _comparison, _view = tables.check_count.c, tables.comparison.c, tables.view.c


def left(
    connection: Connection, check_id: str, *, project_id: str, most: int | None = None
) -> tuple[str, ...]:
    """Views of the project's outputs that the check has not looked at yet, at most so many."""
    compared = union(
        *(
            select(side).where(_comparison.project_id == project_id)
            for side in (_comparison.view_a, _comparison.view_b)
        )
    )
    seen = exists().where(_check_count.check_id == check_id, _check_count.view_id == _view.id)
    query = select(_view.id).where(_view.id.in_(compared), _view.content.is_not(None), ~seen)
    return scalars(connection, query.order_by(_view.id).limit(most))


def put(connection: Connection, check_id: str, numbers: Mapping[str, int | None]) -> None:
    """Keep what was counted by view; None for one that cannot be read.

    What another process counted at the same time stays.
    """
    rows = [{"check_id": check_id, "view_id": view, "found": times} for view, times in numbers.items()]
    insert_new(connection, tables.check_count, rows)
    _changed(connection, check_id)


def _changed(connection: Connection, check_id: str) -> None:
    query = select(_output_check.project_id).where(_output_check.id == check_id)
    changed(connection, projects=scalars(connection, query))
