"""Tasks and their versions: what was asked, under a stable key."""

import hashlib

from pydantic import AwareDatetime
from sqlalchemy import select

from comparator.domain.pair.task import TaskText
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, lock, number, scalars
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

_task, _version = tables.task.c, tables.task_version.c


def ensure_task(unit: Unit, project_id: str, *, key: str, title: str, tags: tuple[str, ...] = ()) -> Task:
    """The project's task with this key; an existing one keeps its title and takes on further tags."""
    this = {"project_id": project_id, "key": key_as_kept(key)}
    task = unit.ensure(Task, this, title=title, tags=tags)
    if all_tags := tuple(dict.fromkeys((*task.tags, *tags))) if set(tags) - {*task.tags} else ():
        unit.update(tables.task, _task.id == task.id, tags=all_tags)
        task = task.copy_with(tags=all_tags)
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
    lock(unit, tables.task, task_id)
    text, snapshot = _storable(text), tables.snapshot.c
    files = select(snapshot.id, snapshot.identity).where(
        snapshot.id.in_([input_snapshot, reference_snapshot])
    )
    of = {row.id: row.identity for row in unit.execute(files)}
    identity = identity_of(text, inputs=of.get(input_snapshot), reference=of.get(reference_snapshot))
    this = (_version.task_id == task_id, _version.identity == identity)
    if (known := TaskVersion.find(unit, *this)) is not None:
        return known
    unit.add(
        tables.task_version,
        id=(id := unit.new_id()),
        task_id=task_id,
        number=number(unit, tables.task_version, _version.task_id == task_id) + 1,
        identity=identity,
        input_snapshot=input_snapshot,
        reference_snapshot=reference_snapshot,
        **dict(text),
    )
    # What it asks for has changed, and so may its topic.
    unit.update(tables.task, _task.id == task_id, topic=None)
    return get_version(unit, id)


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
    tasks = select(_task.id).where(_task.project_id == project_id, _task.key == key_as_kept(key))
    identity = identity_of(text, inputs=inputs, reference=reference)
    return TaskVersion.find(connection, _version.task_id.in_(tasks), _version.identity == identity)


def identity_of(text: TaskText, *, inputs: str | None, reference: str | None) -> str:
    """What makes two versions of a task one: wording, and the identities of the snapshots that belong to it."""
    parts = f"{_storable(text).digest} {inputs or NO_FILES} {reference or NO_FILES}"
    return hashlib.sha256(parts.encode()).hexdigest()


def key_as_kept(key: str) -> str:
    """A task's key as a project knows it."""
    return storable(key)[:200]


def keys_in(connection: Connection, project_id: str) -> frozenset[str]:
    """The keys of all tasks of a project."""
    return frozenset(scalars(connection, select(_task.key).where(_task.project_id == project_id)))


get = Task.get
get_version = TaskVersion.get


def _storable(text: TaskText) -> TaskText:
    expectations = tuple(map(storable, text.expectations))
    return TaskText(prompt=storable(text.prompt), expectations=expectations)
