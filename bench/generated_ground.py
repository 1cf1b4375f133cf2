"""What generated comparisons refer to: a person, candidates, tasks, and one run with its view for each of both."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.store import tables

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
AT_A_TIME = 2000


class Shape(NamedTuple):
    """How a history of so many comparisons is spread: every two candidates meet once in every task."""

    comparisons: int
    candidates: int

    @property
    def tasks(self) -> int:
        """Tasks, the last one perhaps not with all pairs."""
        meetings = self.candidates * (self.candidates - 1) // 2
        return -(-self.comparisons // meetings)


def shape(comparisons: int) -> Shape:
    """Two candidates in a small history, five in one of ten thousand, twenty in one of a million."""
    return Shape(comparisons, 2 if comparisons < 1000 else 5 if comparisons < 100_000 else 20)


class Ids:
    """Ids in rising order, so that a million of them go into the indexes one after the other."""

    def __init__(self) -> None:
        self.last = 0

    def __call__(self) -> str:
        """The next one."""
        self.last += 1
        return f"g{self.last:015x}"


class Ground(NamedTuple):
    """Ids of what was laid; views (with digests) and runs by task and candidate, as numbers from 0."""

    project_id: str
    candidates: list[str]
    versions: list[str]
    tasks: list[str]
    views: dict[tuple[int, int], tuple[str, str]]
    runs: dict[tuple[int, int], str]
    person_id: str
    reveal_id: str


def lay_ground(connection: sa.Connection, project_id: str, wanted: Shape, ids: Ids) -> Ground:
    """Everything that comparisons refer to: a person, candidates, tasks, and one run with its view for each of both."""
    person_id, reveal_id = ids(), ids()
    connection.execute(
        tables.person.insert().values(
            id=person_id, subject=f"local:{person_id}", name="Reviewer", email=None, created_at=START
        )
    )
    connection.execute(
        tables.reveal.insert().values(
            id=reveal_id, project_id=project_id, person_id=person_id, reason="", plan=None, at=START
        )
    )
    candidates = [ids() for _ in range(wanted.candidates)]
    connection.execute(
        tables.candidate.insert(),
        [
            {
                "id": id,
                "project_id": project_id,
                "name": f"v{at + 1}",
                "iteration": None,
                "model": None,
                "skill_hash": None,
                "configuration": {},
                "identity": f"{at:064x}",
                "neutral_number": at + 1,
                "created_at": START,
            }
            for at, id in enumerate(candidates)
        ],
    )
    snapshot = ids()
    connection.execute(
        tables.snapshot.insert().values(
            id=snapshot,
            project_id=project_id,
            identity="s" * 64,
            **_filler(tables.snapshot, ("id", "project_id", "identity", "purged_at")),
        )
    )
    ground = Ground(project_id, candidates, [], [], {}, {}, person_id, reveal_id)
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("task", "task_version", "view", "view_measure", "view_source", "run")
    }
    for task in range(wanted.tasks):
        task_id, version = ids(), ids()
        ground.tasks.append(task_id)
        ground.versions.append(version)
        rows["task"].append(
            {
                "id": task_id,
                "project_id": project_id,
                "key": f"task-{task}",
                "title": f"Task {task + 1}",
                "tags": [],
                "created_at": START,
            }
        )
        rows["task_version"].append(
            {
                "id": version,
                "task_id": task_id,
                "number": 1,
                "text_digest": f"{task:064x}",
                "identity": f"{task:064x}",
                "prompt": "Do it well.",
                "expectations": ["has a date"],
                "created_at": START,
            }
        )
        for at, candidate in enumerate(candidates):
            run, view, digest = ids(), ids(), f"{task * wanted.candidates + at:064x}"
            ground.views[task, at] = (view, digest)
            ground.runs[task, at] = run
            rows["view"].append(
                {
                    "id": view,
                    "digest": digest,
                    "content": None,
                    "extractor": "1",
                    "redaction": "r" * 64,
                    "files": 1,
                    "size": 900 + 7 * at,
                    "characters": 900 + 60 * at,
                    "marks": 4 + at,
                    "set_aside": [],
                    "notes": [],
                    "created_at": START,
                }
            )
            rows["view_measure"].append(
                {
                    "view_id": view,
                    **dict.fromkeys(("headings", "tables", "code_blocks", "links", "pictures", "pages"), 1),
                    "characters": 900 + 60 * at,
                    "words": 150 + (task * 7 + at * 13) % 40,
                    "list_items": 4 + (task + at) % 5,
                    "families": {"markdown": 1},
                }
            )
            rows["view_source"].append({"view_id": view, "snapshot_id": snapshot})
            rows["run"].append(
                {
                    "id": run,
                    "task_version_id": version,
                    "candidate_id": candidate,
                    "repetition": 1,
                    "snapshot_id": snapshot,
                    "origin": None,
                    "input_tokens": 800,
                    "output_tokens": 300 + 10 * at,
                    "total_tokens": None,
                    "seconds": 4.0 + at,
                    "grading": None,
                    "details": {},
                    "state": "valid",
                    "state_reason": "",
                    "superseded_by": None,
                    "created_at": START,
                }
            )
    for name, listed in rows.items():
        for start in range(0, len(listed), AT_A_TIME):
            connection.execute(tables.metadata.tables[name].insert(), listed[start : start + AT_A_TIME])
    return ground


def _filler(table: sa.Table, known: Sequence[str]) -> dict[str, Any]:
    """Something for every other column of a table that must not be empty."""
    values: dict[str, Any] = {}
    for column in table.columns:
        if column.name in known or column.nullable:
            continue
        kind = type(column.type).__name__
        values[column.name] = {
            "Utc": START,
            "Doc": [],
            "SafeText": "out",
            "String": "s" * 20,
            "BigInteger": 1,
            "Boolean": True,
        }[kind]
    return values
