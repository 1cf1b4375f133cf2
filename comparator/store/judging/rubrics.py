"""Rubrics and their versions, for one task version or shared by a whole project."""

from collections import defaultdict
from typing import Literal

from pydantic import AwareDatetime

from comparator.domain.errors import Conflict
from comparator.domain.scoring.rubric import Rubric
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, lock, maybe

AuthorKind = Literal["model", "person", "offline"]


class RubricVersion(Stored, table=tables.rubric):
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
    lock(unit, tables.project, project_id)
    newest = _newest(unit, project_id, task_version_id)
    if newest is not None:
        if newest.rubric == rubric:
            return newest
        if newest.locked:
            raise Conflict(f"Rubric version {newest.number} is locked. Unlock it to write another one.")
    unit.add(
        tables.rubric,
        id=(id := unit.new_id()),
        project_id=project_id,
        task_version_id=task_version_id,
        number=newest.number + 1 if newest else 1,
        author_kind=author_kind,
        author=author,
        rubric=rubric,
    )
    return get(unit, id)


get = RubricVersion.get


def criterion_names(connection: Connection, project_id: str) -> dict[str, str]:
    """What the newest rubrics of the project call each criterion, by its path; without those they do not agree on."""
    every = RubricVersion.all(connection, _rubric.project_id == project_id, by=[_rubric.number])
    newest = {version.task_version_id: version.rubric for version in every}
    names: defaultdict[str, set[str]] = defaultdict(set)
    for rubric in newest.values():
        for path, criterion in rubric.lines():
            names[path].add(criterion.name)
    return {path: own_names.pop() for path, own_names in sorted(names.items()) if len(own_names) == 1}


def current(connection: Connection, *, project_id: str, task_version_id: str) -> RubricVersion | None:
    """The rubric that holds for a task version: the project's locked one, else its own newest; None if neither."""
    shared = _newest(connection, project_id, None)
    return shared if shared and shared.locked else _newest(connection, project_id, task_version_id)


def lock_rubric(unit: Unit, rubric_id: str) -> None:
    """Fix the rubric: no further version until it is unlocked."""
    unit.update(tables.rubric, _rubric.id == rubric_id, _rubric.locked_at.is_(None), locked_at=unit.at)


def reuse_for_project(unit: Unit, rubric_id: str) -> RubricVersion:
    """Make this rubric the project's, locked: it holds for every task version from now on."""
    source = get(unit, rubric_id)
    # A locked one holds no longer, so that this one can be written.
    shared = (_rubric.project_id == source.project_id, _rubric.task_version_id.is_(None))
    unit.update(tables.rubric, *shared, locked_at=None)
    own = source.model_dump(include={"project_id", "author_kind", "author"})
    version = add(unit, source.rubric, task_version_id=None, **own)
    lock_rubric(unit, version.id)
    return get(unit, version.id)


def _newest(connection: Connection, project_id: str, task_version_id: str | None) -> RubricVersion | None:
    these = (_rubric.project_id == project_id, _rubric.task_version_id == task_version_id)
    query = RubricVersion.select(*these).order_by(_rubric.number.desc()).limit(1)
    return maybe(connection, query, RubricVersion)
