"""Tasks and their versions: what was asked, under a stable key."""

from __future__ import annotations

import hashlib

from pydantic import AwareDatetime
from sqlalchemy import Connection, func, select

from comparator.domain.pair.task import TaskText
from comparator.store import tables
from comparator.store.core.sql import Stored, lock, maybe, one, select_as
from comparator.store.core.unit import Unit
from comparator.store.tables.base import storable


class Task(Stored, table=tables.task):
    """What was asked, through all its versions."""

    id: str
    project_id: str
    key: str
    title: str
    tags: tuple[str, ...]
    created_at: AwareDatetime


class TaskVersion(Stored, table=tables.task_version):
    """One wording with its files. `number` counts from 1 within the task."""

    id: str
    task_id: str
    number: int
    prompt: str
    expectations: tuple[str, ...]
    created_at: AwareDatetime
    input_snapshot: str | None
    reference_snapshot: str | None

    @property
    def text(self) -> TaskText:
        """The wording."""
        return TaskText(prompt=self.prompt, expectations=self.expectations)


NO_FILES = "-"

_task, _task_version = tables.task.c, tables.task_version.c
_TASK, _VERSION = select_as(tables.task, Task), select_as(tables.task_version, TaskVersion)


def ensure_task(unit: Unit, project_id: str, *, key: str, title: str, tags: tuple[str, ...] = ()) -> Task:
    """The project's task with this key; an existing one keeps its title and takes on further tags."""
    key = key_as_kept(key)
    query = _TASK.where(_task.project_id == project_id, _task.key == key)
    if unit.execute(query).first() is None:
        unit.add_new(tables.task, project_id=project_id, key=key, title=title, tags=tags)
    task = one(unit.connection, query, Task, what=f"task {key!r}")
    added = [tag for tag in tags if tag not in task.tags]
    if added:
        unit.update(tables.task, _task.id == task.id, tags=[*task.tags, *dict.fromkeys(added)])
        task = one(unit.connection, query, Task, what=f"task {key!r}")
    return task


def ensure_version(
    unit: Unit,
    task_id: str,
    text: TaskText,
    *,
    input_snapshot: str | None = None,
    reference_snapshot: str | None = None,
) -> TaskVersion:
    """The task's version with this wording and these files (ids of snapshots); created with the next number if new."""
    lock(unit.connection, tables.task, task_id)
    text = _storable(text)
    files = {
        "input": _digest_of(unit.connection, input_snapshot),
        "reference": _digest_of(unit.connection, reference_snapshot),
    }
    identity = _identity(text, inputs=files["input"], reference=files["reference"])
    query = _VERSION.where(_task_version.task_id == task_id, _task_version.identity == identity)
    found = maybe(unit.connection, query, TaskVersion)
    if found is not None:
        return found
    last = (
        unit.execute(select(func.max(_task_version.number)).where(_task_version.task_id == task_id)).scalar()
        or 0
    )
    version_id = unit.new_id()
    unit.add(
        tables.task_version,
        id=version_id,
        task_id=task_id,
        number=last + 1,
        identity=identity,
        prompt=text.prompt,
        expectations=list(text.expectations),
        input_snapshot=input_snapshot,
        reference_snapshot=reference_snapshot,
    )
    # What it asks for has changed, and so may its topic.
    unit.update(tables.task, _task.id == task_id, topic=None)
    return one(unit.connection, query, TaskVersion, what="such task version")


def find_version(
    connection: Connection,
    project_id: str,
    *,
    key: str,
    text: TaskText,
    inputs: str | None,
    reference: str | None,
) -> TaskVersion | None:
    """The version of the project's task with this key that has this wording and files (identities of snapshots)."""
    identity = identity_of(text, inputs=inputs, reference=reference)
    query = _VERSION.join_from(tables.task_version, tables.task, _task_version.task_id == _task.id).where(
        _task.project_id == project_id, _task.key == key_as_kept(key), _task_version.identity == identity
    )
    return maybe(connection, query, TaskVersion)


def identity_of(text: TaskText, *, inputs: str | None, reference: str | None) -> str:
    """What makes two versions of a task one: wording, and the identities of the snapshots that belong to it."""
    return _identity(_storable(text), inputs=inputs or NO_FILES, reference=reference or NO_FILES)


def key_as_kept(key: str) -> str:
    """A task's key as a project knows it."""
    return storable(key)[:200]


def keys_in(connection: Connection, project_id: str) -> frozenset[str]:
    """The keys of all tasks of a project."""
    return frozenset(connection.execute(select(_task.key).where(_task.project_id == project_id)).scalars())


get = Task.get


get_version = TaskVersion.get


def _storable(text: TaskText) -> TaskText:
    return TaskText(
        prompt=storable(text.prompt), expectations=tuple(storable(line) for line in text.expectations)
    )


def _identity(text: TaskText, *, inputs: str, reference: str) -> str:
    return hashlib.sha256(f"{text.digest} {inputs} {reference}".encode()).hexdigest()


def _digest_of(connection: Connection, snapshot_id: str | None) -> str:
    if snapshot_id is None:
        return NO_FILES
    snapshot = tables.snapshot.c
    return str(connection.execute(select(snapshot.identity).where(snapshot.id == snapshot_id)).scalar())
