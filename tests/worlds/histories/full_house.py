"""A database with everything in it: a project that was judged in bulk, ruled on and revealed, and one under review."""

import asyncio
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from comparator.domain.labels import Label, LabelKind, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.rights import Role
from comparator.domain.scoring.review import Target
from comparator.jobs import start_batches
from comparator.jobs.worker import Worker
from comparator.reporting.results.candidates import project_state
from comparator.store.bulk.batches import BatchRequest, Via
from comparator.store.pairs import comparisons, labels
from comparator.store.people import people
from comparator.store.reviewing.notes import NoteKind
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.people.people import give_role, local_person
from comparator.workflow.people.sign_in import accept, invite
from comparator.workflow.projects.reveal import close_project, fix_plan
from comparator.workflow.projects.settings import change_settings, purge_project
from comparator.workflow.review.notes import Passage, attach, comment, look
from comparator.workflow.review.panel import Scope, adjudicate, assign, read_case, take_next
from comparator.workflow.review.review import answer, finalise, guess, reopen, undo
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.loopback.bulk import seed, text_of
from tests.worlds.files import import_files
from tests.worlds.workbench import Workbench, noted, say

ENOUGH = 24
"""Judged pairs from which on rates and intervals are told."""
REVIEWED = 8
SIZE = 400


class House(NamedTuple):
    """What was put in."""

    lead: str
    reviewers: tuple[str, ...]
    closed: str
    """The project that is closed and revealed."""
    open: str
    """The project that is being reviewed."""
    comparisons: tuple[str, ...]
    """Its pairs: one finalised by both reviewers with opposite winners, one begun, the others untouched."""
    session: str
    """The secret of an outside reviewer's cookie."""


class Builder:
    """Fills a database through the use cases; a model must be at hand for it to judge with."""

    def __init__(self, services: Services, folder: Path, *, pairs: int = ENOUGH) -> None:
        self.services, self.folder, self.pairs = services, folder, pairs

        self.lead = local_person(services).id
        self.reviewers = tuple(self._person(name) for name in ("Rhea", "Rolf"))

    def build(self) -> House:
        """Everything."""
        closed = self._closed()
        self._judged(closed, labelled=True, model="claude-opus-5-5")
        project, pairs, session = self._open()
        self._purged()
        return House(self.lead, self.reviewers, closed, project, pairs, session)

    def _person(self, name: str) -> str:
        services = self.services
        with services.write() as unit:
            return people.ensure_person(unit, f"oidc:test|{name}", name=name).id

    def _reviewing(self, project_id: str) -> None:
        for reviewer in self.reviewers:
            give_role(self.services.by(self.lead), reviewer, Role.REVIEWER, project_id=project_id)
        change_settings(self.services.by(self.lead), project_id, reviews_needed=2, share_to_all=0.2)

    def _judged(self, project_id: str, **request: object) -> None:
        start_batches.start(
            self.services.by(self.lead), BatchRequest.model_validate({"project_id": project_id, **request})
        )
        asyncio.run(Worker(self.services, idle_seconds=0.0, poll_seconds=0.05).run())

    def review(self, comparison_id: str, person: str, winner: Label, *, reason: str = "") -> None:
        """A final review in which every criterion of one output gets 5 and of the other 2."""
        paths = read_sheet(self.services.by(person), comparison_id).paths
        said: list[tuple[str, object]] = [
            (f"score:{label.value}:{path}", 5 if label is winner else 2) for path in paths for label in Label
        ]
        # Written last, it argues for the winner that the scores make.
        said.append(("reasoning", f"{winner.value} does more of what was asked."))
        code = "missed part" if reason else ""
        say(self.services, comparison_id, person, *said, reason=reason, code=code)
        finalise(self.services.by(person), comparison_id)

    def _closed(self) -> str:
        services = self.services
        seeded = seed(services, pairs=self.pairs, size=SIZE, project="Settled")
        for number in range(self.pairs):
            for side in "ab":
                services.blobs.put(text_of(number, side, SIZE).encode())
        project = seeded.project_id
        self._reviewing(project)
        (met,) = project_state(services.database, project).meetings
        plan: Any = {
            "smallest_difference": 0.05,
            "reviews": 8,
            "stop_rule": "",
            "candidates": (met.one, met.two),
        }
        fix_plan(services.by(self.lead), project, **plan)
        self._judged(project, budget=Decimal(500))
        with services.write() as unit:
            for number, pair in enumerate(seeded.comparison_ids[:6]):
                kind = LabelKind.GOLD if number % 2 else LabelKind.HUMAN
                about: Any = {"kind": kind, "author": "key", "winner": Winner.A, "source": "key.json"}
                labels.add(unit, pair, **about, blind=True)
        *agreed, disputed = seeded.comparison_ids[: min(self.pairs, REVIEWED + 1)]
        for number, pair in enumerate(agreed):
            for person in self.reviewers:
                self.review(pair, person, Label.A if number % 3 else Label.B)
        for person, winner in zip(self.reviewers, Label, strict=True):
            self.review(disputed, person, winner, reason="It has the total")
        lead = services.by(self.lead)
        start = read_case(lead, disputed).start
        adjudicate(lead, disputed, assessments=start, winner=Winner.A, reason="Only A has the total.")
        close_project(lead, project, reason="done", close_out=True)
        return project

    def _open(self) -> tuple[str, tuple[str, ...], str]:
        services, lead = self.services, self.lead
        rhea, rolf = self.reviewers
        request = ImportRequest(path=import_files.workspace(self.folder / "imported"), project="Running")
        pairs = [
            *import_path(services.by(lead), request, on_step=lambda _: None).comparisons,
            self._submitted(),
        ]
        project = read_project(services, pairs[0])
        self._reviewing(project)
        rules: Any = {"ask_guess_share": 1.0, "reason_codes": ("missed part", "wrong fact")}
        change_settings(services.by(lead), project, brief="Look at the totals first.", **rules)
        self._judged(project, via=Via.BATCHES)
        guess(services.by(rhea), pairs[0], candidate_a=None, sure=2)
        self._noted(pairs[0], rhea)
        for person, winner in zip(self.reviewers, Label, strict=True):
            self.review(pairs[0], person, winner, reason="It has the map")
        reopen(services.by(rolf), pairs[0])
        finalise(services.by(rolf), pairs[0])
        say(services, pairs[1], rhea, ("reasoning", "Begun \u0000 “and” left."), ("winner", "B"))
        undo(services.by(rhea), pairs[1])
        answer(services.by(rolf), pairs[2], NoteKind.FLAG, reason="which map?")
        assign(services.by(lead), project, to=rolf, count=1)
        take_next(services.by(rhea), Scope(project_id=project))
        invite(services.by(lead), project, name="Unused")
        entered = accept(services, invite(services.by(lead), project, name="Outside expert").token)
        return project, tuple(pairs), entered.token

    def _noted(self, comparison_id: str, person: str) -> None:
        services = self.services
        files = {f.label: f.id for f in read_sheet(services.by(person), comparison_id).files}
        a = files[Label.A]
        noted(services, comparison_id, person, look, [a])
        passage = Passage(file_id=a, text="boots", start=0, end=5)
        target = Target.parse("expectation:A:0")
        noted(services, comparison_id, person, attach, passage, target, id="e" * 20)
        noted(services, comparison_id, person, comment, "Where is the map?", id="c" * 20, about=passage)

    def _submitted(self) -> str:
        """A pair with an input file and a name in it that was found and redacted."""
        bench = Workbench(self.services.database, self.services.blobs, self.folder, self.services.settings)
        names = PerOutput[str](A="fennel", B="sorrel")
        for label, name in names.items():
            bench.file(f"{name}/out/report.md", f"# Report of {name}\n\n{label}: all is well.\n")
        return bench.submitted(
            names.map(lambda name: self.folder / name / "out"),
            task=TaskText(prompt="Write a report on the fields.", expectations=("It has a total",)),
            candidates=names,
            inputs=bench.file("fields.csv", "field,kg\nNorth,300\n"),
            project="Running",
        )

    def _purged(self) -> None:
        gone = seed(self.services, pairs=1, size=SIZE, project="Gone")
        purge_project(self.services.by(self.lead), gone.project_id, reason="was a trial")


def read_project(services: Services, comparison_id: str) -> str:
    """The project of a comparison."""
    with services.database.read() as connection:
        return comparisons.get(connection, comparison_id).project_id
