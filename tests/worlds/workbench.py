"""Services on a test's own database, and small outputs to compare."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from comparator.domain.labels import PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import OutputView
from comparator.domain.scoring.review import Change, ChangeKind, Target
from comparator.judges.protocol import Judge
from comparator.outputs.view.build import texts_to_scan
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import new_id
from comparator.store.pairs import comparisons, outputs
from comparator.store.people import people
from comparator.workflow.exporting.comparison_json import provenance_json
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.judging.read_pair import JudgingResult
from comparator.workflow.people.people import local_person
from comparator.workflow.pictures import ensure_made
from comparator.workflow.review.review import finalise, record
from comparator.workflow.review.review_state import reviewing
from comparator.workflow.review.sheet import Sheet, read_sheet
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import (
    Submission,
    decide,
    find_leaks,
    open_reader,
    read_output,
    task_texts_to_scan,
)
from comparator.workflow.submit.set_up import submit
from tests.worlds.judging.judges import WholeJudge

TASK = TaskText(
    prompt="Write a short report on the harvest with a heading, the total weight and a table by field.",
    expectations=("The report gives the total weight of 420 kg", "The report has a table"),
)
GOOD = """# Harvest report

The total weight is 420 kg.

| Field | kg |
|---|---|
| North | 300 |
| South | 120 |
"""
POOR = "harvest was fine, about 400 or so, more in the north\n"


def reports_in(folder: Path) -> Path:
    """The folder, with a good report in `v31` and a poor one in `v32`."""
    for name, text in (("v31", GOOD), ("v32", POOR)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "report.md").write_text(text)
    return folder


class Workbench:
    """Submits and judges pairs, and sends a reviewer's changes."""

    def __init__(
        self, database: Database, blobs: BlobStore, folder: Path, settings: Settings | None = None
    ) -> None:
        self.folder = folder
        self.services = Services(
            environment=os.environ,
            settings=settings or Settings(home=folder / "home"),
            database=database,
            blobs=blobs,
        )
        self.person = local_person(self.services).id
        self._sent = 0

    def file(self, name: str, text: str | bytes) -> Path:
        """A file to compare; the name may carry folders."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def pair(self) -> PerOutput[Path]:
        """Two folders with a report each."""
        self.file("with_skill/outputs/report.md", GOOD)
        self.file("without_skill/outputs/report.md", POOR)
        return PerOutput[Path](
            A=self.folder / "with_skill" / "outputs", B=self.folder / "without_skill" / "outputs"
        )

    def other_pair(self, name: str = "other") -> PerOutput[Path]:
        """Two more folders with a report each."""
        good = self.file(f"{name}/one/report.md", f"{GOOD}\nFor {name}.\n")
        poor = self.file(f"{name}/two/report.md", f"{POOR}\nFor {name}.\n")
        return PerOutput[Path](A=good.parent, B=poor.parent)

    def submitted(
        self,
        paths: PerOutput[Path] | None = None,
        *,
        task: TaskText = TASK,
        candidates: PerOutput[str] | None = None,
        draw: bool = False,
        project: str = "Harvest",
        inputs: Path | None = None,
        reference: Path | None = None,
    ) -> str:
        """The id of a new comparison of two paths; A is A unless drawn."""
        paths = paths or self.pair()
        outputs = paths.map(lambda path: read_output(self.services, path))
        given, right = (read_output(self.services, path) if path else None for path in (inputs, reference))
        names = candidates or PerOutput[str](A="zebrafinch-prompt", B="quetzal-prompt")
        with open_reader(self.services) as reader:
            findings = find_leaks(
                outputs,
                texts_to_scan(outputs, reader, taken_back=frozenset(), prompt=task.prompt),
                task=task,
                candidates=names,
                sources=(paths.A, paths.B),
                task_files=task_texts_to_scan(reader, inputs=given, reference=right),
            )
        return submit(
            self.services.by(self.person),
            Submission(
                task=task,
                inputs=given,
                reference=right,
                outputs=outputs,
                candidates=names,
                redactions=decide(findings),
                findings=findings,
                draw=draw,
                project=project,
            ),
        ).comparison_id

    @property
    def me(self) -> Services:
        """The services, acting for the person of this machine."""
        return self.services.by(self.person)

    def someone(self, name: str) -> str:
        """The id of another person at this machine, who set nothing up."""
        with self.services.write() as unit:
            return people.ensure_person(unit, f"local:{name}", name=name).id

    def signed_in(self, name: str) -> str:
        """The id of somebody who came from a provider and has no role yet."""
        with self.services.write() as unit:
            return people.ensure_person(unit, f"oidc:test|{name}", name=name).id

    def sheet(self, comparison_id: str) -> Sheet:
        """The sheet as this person sees it."""
        return read_sheet(self.me, comparison_id)

    def send(self, comparison_id: str, address: str, value: object = None, **more: Any) -> None:
        """Change one value, as this person."""
        record(self.me, comparison_id, [self.change(address, value, **more)])

    def final(self, comparison_id: str, *, by: str = "") -> None:
        """Finalise the review of this person or of another with a reasoning of their own."""
        person = by or self.person
        change = self.change("reasoning", "Looked at both.").model_copy(update={"author": person})
        record(self.services.by(person), comparison_id, [change])
        finalise(self.services.by(person), comparison_id)

    def provenance(self, comparison_id: str) -> Any:
        """What `comparison.provenance.json` says."""
        return json.loads(provenance_json(self.services, comparison_id))

    def views(self, comparison_id: str) -> PerOutput[OutputView]:
        """Both outputs as they are judged."""
        with self.services.database.read() as connection:
            comparison = comparisons.get(connection, comparison_id)
            return PerOutput[str](A=comparison.view_a, B=comparison.view_b).map(
                lambda view: outputs.load_view(connection, view, blobs=self.services.blobs)
            )

    def pictured(self, comparison_id: str) -> str:
        """The same comparison, once the pages of its Office files are made."""
        ensure_made(self.services, comparison_id, worker="test:0:pages")
        return comparison_id

    def judged(self, comparison_id: str, judge: Judge | None = None) -> JudgingResult:
        """Have it judged, unless told otherwise by one that gives every value without a model."""
        return asyncio.run(self.judge(comparison_id, judge))

    async def judge(self, comparison_id: str, judge: Judge | None = None) -> JudgingResult:
        """The same within an event loop."""
        judge = judge or WholeJudge()
        try:
            return await judge_comparison(self.services, judge, comparison_id)
        finally:
            await judge.close()

    def change(
        self, address: str, value: object = None, *, kind: ChangeKind = ChangeKind.SET, reason: str = ""
    ) -> Change:
        """A reviewer's change with a fresh id."""
        self._sent += 1
        return Change(
            id=f"change-{self._sent}",
            target=Target.parse(address),
            kind=kind,
            value=value,
            author=self.person,
            at=self.services.now(),
            reason=reason,
        )


def noted(
    services: Services, comparison_id: str, person_id: str, do: Callable[..., None], *what: Any, **more: Any
) -> None:
    """What a reviewer does beside scoring, such as `look`, in a transaction of its own."""
    with reviewing(services.by(person_id), comparison_id) as state:
        do(state, *what, **more)


def say(
    services: Services,
    comparison_id: str,
    person: str,
    *said: tuple[str, object],
    reason: str = "",
    code: str = "",
) -> None:
    """Set these values, each at its address, in the person's review."""
    changes = [
        Change(
            id=new_id(),
            target=Target.parse(address),
            kind=ChangeKind.SET,
            value=value,
            reason=reason,
            code=code,
            author=person,
            at=services.now(),
        )
        for address, value in said
    ]
    record(services.by(person), comparison_id, changes)


def review_winner(
    services: Services, comparison_id: str, winner: Winner, *, why: str = "It is right."
) -> None:
    """Finalise the local person's review of a pair with this winner and this sentence, and no score."""
    me = local_person(services).id
    say(services, comparison_id, me, ("winner", winner.value), reason=why)
    say(services, comparison_id, me, ("reasoning", why))
    finalise(services.by(me), comparison_id)
