"""A judge that takes length for quality, and people who correct it; its model goes by guidance that says otherwise."""

import asyncio
import itertools
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.review import Change, ChangeKind, Target
from comparator.jobs.start_batches import start
from comparator.jobs.worker import Worker
from comparator.store.bulk.batches import BatchRequest
from comparator.store.people import people
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.review import finalise, record
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.loopback.brain import Taste, outputs_of, text_of, wants_guidance
from tests.loopback.bulk import seed_pairs

PLAIN = "Length earns nothing: score what the task asks for."
PADDED = "Length shows care: score the longer output higher."
REASON = "padding"
_NOTE = re.compile(r"^(?:- )?(Length (?:earns nothing|shows care))", re.MULTILINE)


def reader(body: Mapping[str, Any]) -> Taste:
    """Whom the model names: the longer output, unless its guidance says that length earns nothing."""
    lengths = {output.label: sum(len(text) for _, text in output.files) for output in outputs_of(dict(body))}
    longer = Taste.A if lengths["A"] > lengths["B"] else Taste.B
    notes = _NOTE.findall(text_of(dict(body)))
    if notes and notes[-1].endswith("nothing"):
        return Taste.B if longer is Taste.A else Taste.A
    return longer


def drafter(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Notes by what most reasons say. None where no notes are asked for."""
    if not wants_guidance(dict(body)):
        return None
    corrections = text_of(dict(body)).partition("# The corrections")[2]
    return {"notes": [PLAIN if f"“{REASON}”" in corrections else PADDED]}


class Corrected:
    """A project of pairs in which one output is padded; the model prefers it, and people do not."""

    def __init__(
        self, services: Services, *, tasks: int = 24, first: int = 0, project: str = "Reports"
    ) -> None:
        self.services = services
        self._ids = itertools.count(1)
        texts = []
        for number in range(first, first + tasks):
            short = f"# Report {number}\n\nIt measured {number * 7} units, so the pump has to be replaced.\n"
            padded = short + "In general, as everybody knows, it is important to note many things.\n" * 6
            both = PerOutput[str](A=padded, B=short) if number % 2 else PerOutput[str](A=short, B=padded)
            texts.append((TaskText(prompt=f"Report {number} on the pump: what was measured."), both))
        self.texts = texts
        # The ids of tasks say which are held out: half of them.
        ids = random.Random(first + 12)
        seeding = replace(services, new_id=lambda: f"{ids.getrandbits(80):020x}")
        self.seeded = seed_pairs(seeding, texts, project=project)
        self.project_id = self.seeded.project_id
        with services.write() as unit:
            self.person = people.ensure_person(unit, "local:expert", name="Expert").id

    def judge(self) -> None:
        """Have all pairs read by the model, without guidance."""
        start(self.services, BatchRequest(project_id=self.project_id))
        self.work()

    def work(self) -> None:
        """What waits is done."""
        asyncio.run(Worker(self.services, idle_seconds=0.0, poll_seconds=0.02).run())

    def review(self, *, blind: bool = True) -> None:
        """People score all pairs: the short output higher."""
        mode = ReviewMode.BLIND_FIRST if blind else ReviewMode.JUDGE_FIRST
        change_settings(self.services, self.project_id, mode=mode)
        for comparison_id, (_, both) in zip(self.seeded.comparison_ids, self.texts, strict=True):
            better = "A" if len(both.A) < len(both.B) else "B"
            changes = [
                self.change(f"score:{label}:{path}", 5 if label == better else 2, REASON)
                for path in self.paths(comparison_id)
                for label in "AB"
            ]
            changes.append(self.change("reasoning", f"Output {better} says what was asked.", ""))
            record(self.services.by(self.person), comparison_id, changes)
            finalise(self.services.by(self.person), comparison_id)

    def paths(self, comparison_id: str) -> tuple[str, ...]:
        """The criteria of the pair's rubric."""
        return read_sheet(self.services.by(self.person), comparison_id).paths

    def change(self, address: str, value: object, reason: str) -> Change:
        """A value that the person sets."""
        return Change(
            id=f"c-{next(self._ids)}",
            target=Target.parse(address),
            kind=ChangeKind.SET,
            value=value,
            author=self.person,
            at=self.services.now(),
            reason=reason,
        )
