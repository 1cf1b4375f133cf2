"""Rubrics and their versions, for one task version or shared by a whole project."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime
from sqlalchemy import Connection, Select, String, bindparam, select

from comparator.domain.errors import Conflict, NotFound
from comparator.domain.labels import Dimension, Frozen
from comparator.domain.scoring.rubric import Rubric
from comparator.store import tables
from comparator.store.core.sql import lock, update
from comparator.store.core.unit import Unit

AuthorKind = Literal["model", "person", "offline"]


class RubricVersion(Frozen, extra="ignore"):
    """A stored rubric; `number` counts from 1 within its task version, or within the project if it is shared."""

    id: str
    project_id: str
    task_version_id: str | None
    number: int
    author_kind: AuthorKind
    author: str
    created_at: AwareDatetime
    locked_at: AwareDatetime | None
    rubric: Rubric

    @property
    def shared(self) -> bool:
        """Whether it belongs to the whole project."""
        return self.task_version_id is None

    @property
    def locked(self) -> bool:
        """Whether it is not to be altered."""
        return self.locked_at is not None


_rubric = tables.rubric.c


def add(
    unit: Unit,
    rubric: Rubric,
    *,
    project_id: str,
    task_version_id: str | None,
    author_kind: AuthorKind,
    author: str,
) -> RubricVersion:
    """Store a rubric as the next version; the newest one is returned if it is the same.

    `task_version_id` None makes it the project's. Raises Conflict if the newest version is locked.
    """
    lock(unit.connection, tables.project, project_id)
    newest = _newest(unit.connection, project_id=project_id, task_version_id=task_version_id)
    if newest is not None:
        if newest.rubric == rubric:
            return newest
        if newest.locked:
            raise Conflict(f"Rubric version {newest.number} is locked. Unlock it to write another one.")
    row = {
        "id": unit.new_id(),
        "project_id": project_id,
        "task_version_id": task_version_id,
        "number": newest.number + 1 if newest else 1,
        "author_kind": author_kind,
        "author": author,
        "created_at": unit.at,
        "rubric": rubric,
    }
    unit.execute(tables.rubric.insert(), row)
    return RubricVersion.model_validate(row | {"locked_at": None})


# Made once: they are asked after each judgment, and to make them takes longer than to run them.
_BY_ID = select(tables.rubric).where(_rubric.id == bindparam("rubric", type_=String()))
_OF_PROJECT = (
    select(tables.rubric)
    .where(_rubric.project_id == bindparam("project", type_=String()))
    .order_by(_rubric.number.desc())
    .limit(1)
)
_NEWEST_SHARED = _OF_PROJECT.where(_rubric.task_version_id.is_(None))
_NEWEST = _OF_PROJECT.where(_rubric.task_version_id == bindparam("task", type_=String()))


def get(connection: Connection, rubric_id: str) -> RubricVersion:
    """The rubric. Raises NotFound."""
    found = _load(connection, _BY_ID, rubric=rubric_id)
    if found is None:
        raise NotFound("There is no such rubric. It may have been purged.")
    return found


def criterion_names(connection: Connection, project_id: str) -> dict[str, str]:
    """What the newest rubrics of the project call each criterion, by its path; without those they do not agree on."""
    query = (
        select(_rubric.task_version_id, _rubric.rubric)
        .where(_rubric.project_id == project_id)
        .order_by(_rubric.number)
    )
    newest = {row.task_version_id: row.rubric for row in connection.execute(query)}
    names: dict[str, set[str]] = {}
    for rubric in newest.values():
        for dimension in Dimension:
            for line in rubric[dimension.value]:
                names.setdefault(f"{dimension.value}.{line['key']}", set()).add(line["name"])
    return {path: each.pop() for path, each in sorted(names.items()) if len(each) == 1}


def current(connection: Connection, *, project_id: str, task_version_id: str) -> RubricVersion | None:
    """The rubric that holds for a task version: the project's locked one, else its own newest; None if neither."""
    shared = _newest(connection, project_id=project_id, task_version_id=None)
    if shared is not None and shared.locked:
        return shared
    return _newest(connection, project_id=project_id, task_version_id=task_version_id)


def lock_rubric(unit: Unit, rubric_id: str) -> None:
    """Fix the rubric: no further version until it is unlocked."""
    unit.update(tables.rubric, _rubric.id == rubric_id, _rubric.locked_at.is_(None), locked_at=unit.at)


def unlock_rubric(connection: Connection, rubric_id: str) -> None:
    """Allow further versions again; a shared rubric holds no longer for the project."""
    update(connection, tables.rubric, _rubric.id == rubric_id, locked_at=None)


def reuse_for_project(unit: Unit, rubric_id: str) -> RubricVersion:
    """Make this rubric the project's, locked: it holds for every task version from now on."""
    source = get(unit.connection, rubric_id)
    newest = _newest(unit.connection, project_id=source.project_id, task_version_id=None)
    if newest is not None and newest.locked:
        unlock_rubric(unit.connection, newest.id)
    shared = add(
        unit,
        source.rubric,
        project_id=source.project_id,
        task_version_id=None,
        author_kind=source.author_kind,
        author=source.author,
    )
    lock_rubric(unit, shared.id)
    return get(unit.connection, shared.id)


def _newest(connection: Connection, *, project_id: str, task_version_id: str | None) -> RubricVersion | None:
    if task_version_id is None:
        return _load(connection, _NEWEST_SHARED, project=project_id)
    return _load(connection, _NEWEST, project=project_id, task=task_version_id)


def _load(
    connection: Connection, query: Select[tuple[object, ...]], **parameters: str
) -> RubricVersion | None:
    row = connection.execute(query, parameters).mappings().first()
    return None if row is None else RubricVersion.model_validate(dict(row))
