"""Checks over the outputs of a project: what is looked for, under which name."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_one, one, several
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


def of_project(connection: sa.Connection, project_id: str) -> tuple[Check, ...]:
    """The project's checks by name."""
    query = sa.select(*(_output_check[name] for name in Check.model_fields))
    return several(
        connection,
        query.where(_output_check.project_id == project_id).order_by(
            sa.func.lower(_output_check.name), _output_check.id
        ),
        Check,
    )


def projects(connection: sa.Connection) -> tuple[str, ...]:
    """The ids of the projects with a check that has not been stopped."""
    query = sa.select(_output_check.project_id).where(_output_check.problem.is_(None)).distinct()
    return tuple(connection.execute(query.order_by(_output_check.project_id)).scalars())


def get(connection: sa.Connection, check_id: str) -> Check:
    """One check. Raises NotFound."""
    query = sa.select(*(_output_check[name] for name in Check.model_fields)).where(
        _output_check.id == check_id
    )
    return one(connection, query, Check, what="such check")


def add(unit: Unit, check: Check, *, person_id: str | None) -> None:
    """Keep a check; one of its name in the project must not be there."""
    insert_one(
        unit.connection, tables.output_check, **check.model_dump(), created_by=person_id, created_at=unit.at
    )


def named(connection: sa.Connection, project_id: str, name: str) -> bool:
    """Whether there is a check of this name."""
    query = sa.select(_output_check.id).where(
        _output_check.project_id == project_id, _output_check.name == name
    )
    return connection.execute(query).first() is not None


def end(connection: sa.Connection, check_id: str, *, problem: str) -> None:
    """Look at no more outputs for it, and say why."""
    connection.execute(
        tables.output_check.update().where(_output_check.id == check_id).values(problem=problem)
    )


def remove(connection: sa.Connection, check_id: str) -> None:
    """Forget a check with all that it counted. Raises NotFound."""
    if not connection.execute(tables.output_check.delete().where(_output_check.id == check_id)).rowcount:
        raise NotFound("There is no such check. Somebody may have removed it.")
