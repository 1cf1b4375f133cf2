"""Histories of any size: some hundred pairs as the tests' world stores them, and copies that the database makes."""

from __future__ import annotations

import itertools
import os
import random

import sqlalchemy as sa

from bench.floors.floor import ROOT
from comparator.domain.labels import Label, Order, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.judgment import Answer
from comparator.domain.scoring.review import ChangeKind
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.ids import new_id
from comparator.store.core.revisions import changed
from comparator.store.core.unit import Unit
from comparator.store.judging import rubrics
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World, answer, rubric

MADE = 500
"""Pairs that are made one by one; a database of a million holds each two thousand times."""
REVIEWED = 0.1
PACE = 60
"""Seconds between two things that happen, so that the pairs take several days."""
PATHS = rubric().paths
_BLOBS = ROOT / "build" / "bench-blobs"
_MOVED = {
    tables.task.c.key,
    tables.judgment.c.set_digest,
    tables.review.c.judgment_set,
}
"""Columns that differ from copy to copy, beside ids and references."""


def generate(
    database: Database,
    comparisons: int,
    *,
    name: str = "Generated",
    blobs: BlobStore | None = None,
    made: int = MADE,
) -> str:
    """Fill an empty database with a revealed project of so many judged comparisons, a tenth of them reviewed; its id.

    They are `made` or fewer, or a multiple of it. Nobody else may write to the database meanwhile.
    """
    copies, left = divmod(comparisons, min(made, comparisons))
    if left:
        raise ValueError(f"{comparisons:,} comparisons are no multiple of {made:,}.")
    world = _OneRubric(database, blobs or BlobStore.at(os.fspath(_BLOBS)), project=name, pace=PACE)
    _make(History(world), comparisons // copies, _candidates(comparisons))
    for number in range(1, copies):
        with database.write() as connection:
            _copy(connection, f"{number:05d}")
    with database.write() as connection:
        changed(connection, projects=[world.project.id])
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")
    return world.project.id


class _OneRubric(World):
    """A world in which all tasks share the project's rubric."""

    _rubric = ""

    def rubric_id(self) -> str:
        """The project's rubric, stored once."""
        if not self._rubric:
            with self.database.write() as connection:
                self._rubric = rubrics.add(
                    Unit(connection, at=self.now(), new_id=new_id),
                    rubric(),
                    project_id=self.project.id,
                    task_version_id=None,
                    author_kind="person",
                    author="bench",
                ).id
        return self._rubric


def _candidates(comparisons: int) -> int:
    """Two in a small history, five in one of ten thousand, twenty in one of a million."""
    return 2 if comparisons < 1000 else 5 if comparisons < 100_000 else 20


def _make(history: History, comparisons: int, candidates: int) -> None:
    """Every two candidates meet once in every task, but for the last one perhaps."""
    rng = random.Random(1)
    meetings = tuple(itertools.combinations(range(1, candidates + 1), 2))
    for number in range(comparisons):
        task, meeting = divmod(number, len(meetings))
        if task and not meeting:
            # The world begins with a task of its own.
            history.task(f"Task {task + 1}")
        one, two = meetings[meeting]
        pair = history.unjudged(names=(f"v{two}", f"v{one}"))
        lead = rng.gauss(0, 0.4)
        for order in Order:
            # The one shown first is favoured a little.
            history.world.attempt(pair, order, _answer(rng, lead + (0.1 if order is Order.A_FIRST else -0.1)))
        drawn = rng.random() < REVIEWED
        history.world.draw(pair.id, chosen=drawn)
        if drawn:
            history.review(
                pair,
                _score(rng, lead),
                _score(rng, -lead),
                mode=rng.choice((ReviewMode.JUDGE_FIRST, ReviewMode.BLIND_FIRST)),
                said=tuple(
                    (f"score:{label.value}:{path}", rng.choice((*[ChangeKind.CONFIRM] * 3, ChangeKind.SET)))
                    for path in PATHS
                    for label in Label
                ),
            )
    history.reveal()


def _answer(rng: random.Random, lead: float) -> Answer:
    scores = [(_score(rng, lead), _score(rng, -lead)) for _ in PATHS]
    a, b = (sum(side) for side in zip(*scores, strict=True))
    better = Winner.A if a > b else Winner.B if b > a else Winner.TIE
    given = [answer(*both, better=better) for both in scores]
    criteria = {path: each.criteria[path] for path, each in zip(PATHS, given, strict=True)}
    return given[0].model_copy(update={"criteria": criteria})


def _score(rng: random.Random, up: float) -> int:
    return min(5, max(1, round(rng.gauss(3.3 + up, 0.9))))


def _belonging() -> tuple[sa.Table, ...]:
    """Tasks, views, and all that needs one of them, however far; a table comes behind those that it refers to."""
    found = {tables.task, tables.view}
    for table in tables.metadata.sorted_tables:
        if any(key.column.table in found and not key.parent.nullable for key in table.foreign_keys):
            found.add(table)
    return tuple(table for table in tables.metadata.sorted_tables if table in found)


def _copy(connection: sa.Connection, prefix: str) -> None:
    """Put what was made into the database once more: digits before its ids, with which no other id begins."""
    if connection.dialect.name == "postgresql":
        # What the rows refer to is there; to look for it each time would take most of an hour.
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
    for table in _BELONGING:
        moved = {
            column.name
            for column in table.columns
            if column.name == "id"
            or column in _MOVED
            or any(key.column.table in _BELONGING for key in column.foreign_keys)
        }
        own = next(column for column in table.columns if column.name in moved and not column.nullable)
        values = [
            sa.literal(prefix).concat(sa.func.substr(column, 1, 59)) if column.name in moved else column
            for column in table.columns
        ]
        original = sa.select(*values).where(own >= "1")
        connection.execute(table.insert().from_select([column.name for column in table.columns], original))


_BELONGING = _belonging()
