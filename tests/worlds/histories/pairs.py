"""Stored things to test on: a project, a task, comparisons with their key, judged and reviewed."""

import hashlib
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import Family, OutputView, TextBlock, ViewedFile
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Identity, Mark, Pass, Prose, Quote
from comparator.domain.scoring.review import Blindness, Change, ChangeKind, Target
from comparator.domain.scoring.rubric import (
    FILES_OPEN,
    FILES_PRESENT,
    NO_DIFFERENCE,
    OPENING,
    Anchors,
    Criterion,
    Rubric,
)
from comparator.domain.scoring.verdict import Assessment, Verdict, settle
from comparator.domain.usage import Call, Usage
from comparator.outputs.snapshot import Artifact, Snapshot, digest_of
from comparator.outputs.view.built import BlindedCopy, BuiltView
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import Unit, lock, new_id
from comparator.store.facts import fact
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import TryRecord
from comparator.store.pairs import comparisons, keys, outputs, runs, tasks
from comparator.store.pairs.comparisons import Comparison, ComparisonSource, Views
from comparator.store.pairs.runs import NewCandidate, NewRun
from comparator.store.people import people, projects
from comparator.store.reviewing import reviews
from comparator.store.reviewing.reviews import Review, append, last_seq, open_review

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
TASK = TaskText(
    prompt="Extract the line items of the invoice to JSON.", expectations=("has a date", "has a total")
)
TOOK = (Usage(input_tokens=100, output_tokens=20, seconds=1.5), Decimal("0.00123"))
"""What a try takes: tokens and time, and the cost."""


class JudgeId(Identity):
    """Which judge it is."""

    kind: str = "anthropic"
    model: str = "claude-sonnet-5-5"
    digest: str = "d" * 64
    guidance: int | None = None


def rubric(*keys: str, structure: tuple[str, str] = ("schema", "naming")) -> Rubric:
    """A rubric with two criteria a dimension; `keys` replace the first content key, or both."""
    anchors = Anchors(poor="wrong", acceptable="mostly right", excellent="right")

    def line(key: str) -> Criterion:
        return Criterion(key=key, name=key.replace("_", " ").title(), description="", anchors=anchors)

    content = keys if len(keys) > 1 else (*(keys or ("correctness",)), "completeness")
    return Rubric(content=tuple(map(line, content)), structure=tuple(map(line, structure)))


def form_answer(given: Answer) -> Answer:
    """What the offline check says where this output is better, since the other does not open."""
    broken = Mark(score=1, rationale=""), Mark(score=5, rationale="")
    a_wins, b_wins = (given.better is winner for winner in (Winner.A, Winner.B))
    opens = PerOutput[Mark](A=broken[not b_wins], B=broken[not a_wins])
    there = PerOutput[Mark](A=broken[1], B=broken[1])
    loser = "B" if a_wins else "A" if b_wins else None
    return given.model_copy(
        update={
            "criteria": {FILES_PRESENT: there, FILES_OPEN: opens},
            "reasoning": OPENING,
            "form": f"{loser} does not open" if loser else NO_DIFFERENCE,
        }
    )


def answer(a: int, b: int, *, better: Winner | None = None, text: str = "Reads well.") -> Answer:
    """A judge's answer with the same score on every criterion."""
    scores = PerOutput[int](A=a, B=b)

    def mark(label: Label) -> Mark:
        quote = Quote(file="result.json", text='"total"', found=True, start=2, end=9)
        return Mark.model_validate(
            {"score": scores[label], "rationale": text, "quotes": (quote.model_dump(),)}
        )

    marks = PerOutput[Mark](A=mark(Label.A), B=mark(Label.B))
    checks = PerOutput[ExpectationMark](
        A=ExpectationMark(passed=a >= b, evidence="line 1"), B=ExpectationMark(passed=b >= a)
    )
    winner = better or (Winner.A if a > b else Winner.B if b > a else Winner.TIE)
    return Answer(
        criteria=dict.fromkeys(rubric().paths, marks),
        expectations=(checks, checks),
        strengths=PerOutput[tuple[str, ...]](A=("complete",), B=("short",)),
        weaknesses=PerOutput[tuple[str, ...]](A=(), B=("no date",)),
        better=winner,
        reasoning=text,
        stated_confidence=80,
    )


def verdict(a: str, b: str) -> Verdict:
    """A settled verdict with the same score on every criterion."""

    def half(score: str) -> Assessment:
        return Assessment(
            scores=dict.fromkeys(rubric().paths, Decimal(score)), expectations=(True, score == "5")
        )

    settled = settle(rubric(), PerOutput[Assessment](A=half(a), B=half(b)))
    assert settled is not None
    return settled


def prose(text: str = "A is complete.") -> Prose:
    """The words of a verdict."""
    return Prose(
        reasoning=text,
        strengths=PerOutput[tuple[str, ...]](A=("complete",), B=()),
        weaknesses=PerOutput[tuple[str, ...]](A=(), B=("no date",)),
        argues_for=Winner.A,
    )


class Stored(NamedTuple):
    """An output that is stored, by the ids of its snapshot and its view, and what a judge sees of it."""

    snapshot_id: str
    view_id: str
    digest: str


def store_output(
    unit: Unit,
    blobs: BlobStore,
    text: str,
    *,
    project_id: str,
    name: str = "report.md",
    family: Family = Family.MARKDOWN,
    kept: bool = True,
) -> Stored:
    """Store an output of one file and its view; not `kept`, its bytes are in no blob store."""
    data = text.encode()
    sha256 = blobs.put(data) if kept else hashlib.sha256(data).hexdigest()
    unit.add_new(tables.blob, digest=sha256, size=len(data))
    artifacts = (Artifact(path=name, sha256=sha256, size=len(data)),)
    snapshot = Snapshot(
        digest=digest_of(True, artifacts, ()), name="out", is_folder=True, artifacts=artifacts
    )
    file = ViewedFile(
        id=unit.new_id(), name=name, family=family, size=len(data), blocks=(TextBlock(text=text),)
    )
    copy = BlindedCopy(
        file_id=file.id, name=name, family=family, blob=sha256, media_type="text/plain", size=len(data)
    )
    built = BuiltView(view=OutputView(files=(file,)), copies=(copy,) if kept else ())
    snapshot_id = outputs.save_snapshot(unit, snapshot, project_id=project_id, blobs=blobs)
    view_id = outputs.save_view(
        unit, built, snapshot_id=snapshot_id, extractor="1", redaction="r" * 64, blobs=blobs
    )
    return Stored(snapshot_id, view_id, built.view.digest)


def store_candidate(unit: Unit, project_id: str, name: str, **about: str) -> str:
    """The id of the project's candidate of this name, stored if there is none."""
    return runs.ensure_candidate(unit, project_id, NewCandidate(name=name, **about)).id


def store_pair(
    unit: Unit,
    title: str,
    wording: TaskText,
    sides: PerOutput[Stored],
    about: PerOutput[dict[str, Any]],
    *,
    project_id: str,
    version_id: str,
    source: ComparisonSource = ComparisonSource.IMPORT,
) -> Comparison:
    """Store a comparison of two runs, and its key; `about` each: its candidate, and what else is known."""
    new = [NewRun(snapshot_id=side.snapshot_id, **about[label]) for label, side in sides.items()]
    run_a, run_b = runs.ensure_runs_of(unit, {version_id: new})[version_id]
    comparison = comparisons.add(
        unit,
        project_id=project_id,
        task_version_id=version_id,
        views=Views(title=title, **dict(wording), view_a=sides.A.view_id, view_b=sides.B.view_id),
        source=source,
        created_by=unit.who,
        drawn=True,
        states=PerOutput[str](A=run_a.state.value, B=run_b.state.value),
    )
    keys.write(unit, comparison.id, task_version_id=version_id, run_a=run_a.id, run_b=run_b.id)
    return comparison


class World:
    """A project with a task and two people, and functions that store more."""

    def __init__(
        self, database: Database, blobs: BlobStore, *, project: str = "Invoices", pace: int = 1
    ) -> None:
        """`pace` are the seconds between two times."""
        self.database, self.blobs = database, blobs
        self._ticks = itertools.count(step=pace)
        self._names = itertools.count(1)
        with self.write() as unit:
            self.project = projects.ensure_project(unit, project)
            self.ada = people.ensure_person(unit, "local:ada", name="Ada")
            self.ben = people.ensure_person(unit, "local:ben", name="Ben")
            self.task = tasks.ensure_task(
                unit, self.project.id, key="invoice", title="Invoice 0417", tags=("extraction",)
            )
            self.version = tasks.ensure_version(unit, self.task.id, TASK)

    def now(self) -> datetime:
        """A time, later than all before."""
        return START + timedelta(seconds=next(self._ticks))

    @contextmanager
    def write(self, who: str | None = None) -> Iterator[Unit]:
        """A transaction that writes, at a time later than all before."""
        with self.database.write() as connection:
            yield Unit(connection, at=self.now(), new_id=new_id, who=who)

    def save(self, unit: Unit, text: str, *, project_id: str = "") -> Stored:
        """Store an output of one JSON file."""
        about: Any = {"name": "result.json", "family": Family.JSON}
        return store_output(unit, self.blobs, text, project_id=project_id or self.project.id, **about)

    def compare(
        self,
        *,
        title: str = "",
        a: str = "with skill",
        b: str = "without skill",
        texts: tuple[str, str] | None = None,
    ) -> Comparison:
        """Store a comparison of two new outputs of these candidates, with these texts if given, with its key."""
        number, project_id = next(self._names), self.project.id
        with self.write(self.ada.id) as unit:
            text_a, text_b = texts or (f'{{"total": {number}}}', f"[{number}]")
            about_a = {"candidate_id": store_candidate(unit, project_id, a), "repetition": number}
            about_b = {"candidate_id": store_candidate(unit, project_id, b), "repetition": number + 1000}
            return store_pair(
                unit,
                title or f"Invoice {number}",
                TASK,
                PerOutput[Stored](A=self.save(unit, text_a), B=self.save(unit, text_b)),
                PerOutput[dict[str, Any]](A=about_a, B=about_b),
                project_id=project_id,
                version_id=self.version.id,
                source=ComparisonSource.NEW,
            )

    def draw(self, comparison_id: str, *, chosen: bool) -> None:
        """Say whether chance chose the comparison for the audit sample."""
        with self.write() as unit:
            comparisons.change(unit, comparison_id, audited=chosen)

    def rubric_id(self, unit: Unit) -> str:
        """The task version's rubric, stored if there is none."""
        return rubrics.add(
            unit,
            rubric(),
            project_id=self.project.id,
            task_version_id=self.version.id,
            author_kind="model",
            author="claude-sonnet-5-5",
        ).id

    def attempt(
        self,
        comparison: Comparison,
        order: Order,
        given: Answer | None,
        *,
        repetition: int = 0,
        took: tuple[Usage, Decimal] = TOOK,
    ) -> bool:
        """Store a try at one pass, with an answer or a failure, and what it took."""
        with self.write() as unit:
            kept = self._keep(unit, comparison, order, given, JudgeId(), repetition, took)
            fact.refresh(unit, comparison.id)
            return kept

    def _keep(
        self,
        unit: Unit,
        comparison: Comparison,
        order: Order,
        given: Answer | None,
        judge: JudgeId,
        repetition: int = 0,
        took: tuple[Usage, Decimal] = TOOK,
    ) -> bool:
        judgment_id = judgments.ensure_judgment(
            unit,
            comparison.id,
            view_digests=PerOutput[str](
                A=outputs.get_view(unit.connection, comparison.view_a).digest,
                B=outputs.get_view(unit.connection, comparison.view_b).digest,
            ),
            rubric_id=self.rubric_id(unit),
            judge=judge,
            guidance=judge.guidance,
            order=order,
            repetition=repetition,
        )
        tried = TryRecord(
            calls=(Call(raw='{"a": 1}', usage=took[0]),),
            prompts={"pair": "p" * 64},
            cost=took[1],
            error_kind=None if given else "JudgeRefused",
            message=None if given else "The model declined.",
        )
        return judgments.keep_try(unit, judgment_id, tried, answer=given)

    def judge(
        self,
        comparison: Comparison,
        a: int = 5,
        b: int = 3,
        *,
        judge: JudgeId | None = None,
        better: Winner | None = None,
    ) -> None:
        """Store both passes; of the offline check, that the output with the lower score does not open."""
        given = answer(a, b, better=better)
        if judge is not None and judge.kind == "offline":
            given = form_answer(given)
        with self.database.write() as connection:
            units = {order: Unit(connection, at=self.now(), new_id=new_id) for order in Order}
            for order, unit in units.items():
                self._keep(unit, comparison, order, given, judge or JudgeId())
            fact.refresh(units[Order.B_FIRST], comparison.id)

    def review(
        self, comparison: Comparison, *, person_id: str = "", blindness: Blindness = Blindness.BLIND
    ) -> Review:
        """Begin a person's review."""
        with self.write() as unit:
            chosen = judgments.current(judgments.sets(unit.connection, comparison.id))
            return self.opened(
                unit,
                comparison,
                person_id=person_id,
                blindness=blindness,
                judgment_set=chosen.digest if chosen else None,
            )

    def opened(self, unit: Unit, comparison: Comparison, *, person_id: str = "", **about: Any) -> Review:
        """The same in this transaction, by default with the judge's values first."""
        return open_review(
            unit,
            Review(
                id=new_id(),
                comparison_id=comparison.id,
                person_id=person_id or self.ben.id,
                opened_at=unit.at,
                **{
                    "mode": ReviewMode.JUDGE_FIRST,
                    "blindness": Blindness.BLIND,
                    "judgment_set": None,
                    "rubric_id": about.get("rubric_id") or self.rubric_id(unit),
                    **about,
                },
            ),
        )

    def reopen(self, review: Review) -> None:
        """Open a final review again, as its reviewer does."""
        with self.write(review.person_id) as unit:
            reviews.reopen(unit, review.id, unblinded=False)

    def final(self, review: Review) -> None:
        """Finalise a review over all of its changes, in which A wins."""
        with self.write(review.person_id) as unit:
            seen = len(reviews.changes(unit.connection, review.id))
            reviews.finalise(
                unit,
                review.id,
                verdict=verdict("5", "3"),
                prose=prose(),
                changed=seen,
                seen=seen,
                unblinded=False,
            )

    def change(
        self, target: str, value: object, *, id: str = "", author: str = "", reason: str = ""
    ) -> Change:
        """A change of a value."""
        return Change(
            id=id or new_id(),
            target=Target.parse(target),
            kind=ChangeKind.SET,
            value=value,
            reason=reason,
            author=author or self.ben.id,
            at=self.now(),
        )


def add_change(unit: Unit, review_id: str, change: Change, *, blind: bool = False) -> None:
    """Store a change as a reviewer makes it."""
    lock(unit.connection, tables.review, review_id)
    marked = change.model_copy(update={"blind": blind, "unblinded": False})
    append(unit, review_id, [marked], after=last_seq(unit.connection, review_id))


def current_passes(connection: sa.Connection, comparison_id: str) -> tuple[Pass, ...]:
    """The successful passes of the set that counts, in the order in which they were stored."""
    chosen = judgments.current(judgments.sets(connection, comparison_id))
    return judgments.successful(connection, chosen.digest) if chosen else ()
