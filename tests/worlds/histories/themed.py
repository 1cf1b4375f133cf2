"""A history in which two reasons recur: for whom each speaks, in which pair, is known."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from copy import copy
from pathlib import Path
from typing import NamedTuple

from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.scoring.judgment import Answer, Mark
from comparator.jobs.drafting import with_judge
from comparator.judges.protocol import Judge
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow import themes
from comparator.workflow.judging.registry import Membership
from comparator.workflow.services import Services
from tests.loopback.acts import Reply, says
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World, answer

PARTS, SOURCES = "Covers required parts", "Cites its sources"
CODEBOOK = {
    "themes": [
        {"name": PARTS, "test": "The finding says that required parts are there or missing."},
        {"name": SOURCES, "test": "The finding says that sources are cited or not."},
    ]
}
TASKS = 24
STRAY = "pleasant to look at"
"""What the judge states besides, of the better output; it belongs to neither theme."""


class Reasons(NamedTuple):
    """For whom each reason speaks in a task: 1 for the new candidate, -1 for the old, 0 for both, None for none."""

    parts: int | None
    sources: int | None


def reasons_of(task: int) -> Reasons:
    """Parts speak for the new one in 18 tasks, for both in 2 and for the old one in 4; sources for the old in 12."""
    return Reasons(1 if task < 18 else 0 if task < 20 else -1, -1 if task % 2 else None)


def drafts() -> Reply:
    """The model's codebook with the two themes."""
    return says(json.dumps(CODEBOOK))


def themed(history: History, *, tasks: int = TASKS) -> None:
    """A pair in each of these tasks, with its reasons as a judge states them, all revealed."""
    for number in range(tasks):
        history.task(f"Task {number}")
        new, old = (5, 3) if number % 3 else (3, 5)
        comparison = history.unjudged()
        new_is_a = len(history.made) % 2 == 1
        for order in Order:
            history.world.attempt(comparison, order, stated(number, new, old, new_is_a=new_is_a))
    history.reveal()


class Kept(NamedTuple):
    """A history that others start from, in a database of its own."""

    folder: Path
    history: History

    @classmethod
    def themed(cls, folder: Path) -> "Kept":
        """The pairs of all tasks, revealed."""
        database = Database.open(f"sqlite:///{folder / 'comparator.db'}")
        history = History(World(database, BlobStore.at(str(folder / "blobs"))))
        themed(history)
        database.close()
        return cls(folder, history)

    def into(self, database: Database, blobs: Path) -> History:
        """The same history in a new SQLite database and blob folder."""
        path = database.engine.url.database
        assert path is not None
        with (
            closing(sqlite3.connect(self.folder / "comparator.db")) as one,
            closing(sqlite3.connect(path)) as other,
        ):
            one.backup(other)
        shutil.copytree(self.folder / "blobs", blobs, dirs_exist_ok=True)
        world, history = copy(self.history.world), copy(self.history)
        world.database, world.blobs = database, BlobStore.at(str(blobs))
        history.world, history.made = world, list(self.history.made)
        return history


def read_reasons(services: Services, project: str) -> None:
    """Have themes drafted and assigned by the model that `services` ask."""

    async def ask(judge: Judge, here: Membership) -> None:
        await themes.draft(here, judge, project, person_id=None)
        await themes.assign(here, judge, project, person_id=None)

    asyncio.run(with_judge(services, ask))


def stated(task: int, new: int, old: int, *, new_is_a: bool) -> Answer:
    """The judge's answer about the pair of a task."""
    a, b = (new, old) if new_is_a else (old, new)
    mine = Label.A if new_is_a else Label.B
    strengths: dict[Label, list[str]] = {Label.A: [], Label.B: []}
    weaknesses: dict[Label, list[str]] = {Label.A: [], Label.B: []}
    reasons = reasons_of(task)
    for way, word in ((reasons.parts, "parts"), (reasons.sources, "sources")):
        if way is None:
            continue
        if way == 0:
            for label in Label:
                strengths[label].append(f"all {word} of task {task} are there")
            continue
        ahead = mine if way > 0 else mine.other
        strengths[ahead].append(f"all {word} of task {task} are there")
        weaknesses[ahead.other].append(f"some {word} of task {task} are missing")
    strengths[Label.A if a > b else Label.B].append(f"{STRAY} in task {task}")
    plain = answer(a, b, better=Winner.A if a > b else Winner.B)
    silent = {
        path: PerOutput[Mark](
            A=marks.A.model_copy(update={"rationale": ""}), B=marks.B.model_copy(update={"rationale": ""})
        )
        for path, marks in plain.criteria.items()
    }
    return plain.model_copy(
        update={
            "criteria": silent,
            "strengths": PerOutput[tuple[str, ...]](A=tuple(strengths[Label.A]), B=tuple(strengths[Label.B])),
            "weaknesses": PerOutput[tuple[str, ...]](
                A=tuple(weaknesses[Label.A]), B=tuple(weaknesses[Label.B])
            ),
        }
    )
