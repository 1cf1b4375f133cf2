"""Stored things to test on: a project, a task, comparisons with their key, judged and reviewed."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import sqlalchemy as sa

from comparator.domain.labels import Frozen, Label, Order, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import Family, OutputView, TextBlock, ViewedFile
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.judgment import Answer, ExpectationMark, Mark, Prose, Quote
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
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import Unit, changed, lock, new_id
from comparator.store.facts import fact
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import Problem, TryRecord
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


class JudgeId(Frozen):
    """Which judge it is."""

    kind: str = "anthropic"
    model: str = "claude-sonnet-5-5"
    digest: str = "d" * 64
    guidance: int | None = None


def rubric(*keys: str) -> Rubric:
    """A rubric with two criteria a dimension; `keys` replace the first content key."""
    anchors = Anchors(poor="wrong", acceptable="mostly right", excellent="right")

    def line(key: str) -> Criterion:
        return Criterion(key=key, name=key.replace("_", " ").title(), description="", anchors=anchors)

    return Rubric(
        content=tuple(line(key) for key in (*(keys or ("correctness",)), "completeness")),
        structure=(line("schema"), line("naming")),
    )


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


class World:
    """A project with a task and two people, and functions that store more."""

    def __init__(
        self, database: Database, blobs: BlobStore, *, project: str = "Invoices", pace: int = 1
    ) -> None:
        """`pace` are the seconds between two times."""
        self.database, self.blobs = database, blobs
        self._ticks = itertools.count(step=pace)
        self._names = itertools.count(1)
        with database.write() as connection:
            at = self.now()
            self.project = projects.ensure_project(Unit(connection, at=at, new_id=new_id), project)
            self.ada = people.ensure_person(Unit(connection, at=at, new_id=new_id), "local:ada", name="Ada")
            self.ben = people.ensure_person(Unit(connection, at=at, new_id=new_id), "local:ben", name="Ben")
            self.task = tasks.ensure_task(
                Unit(connection, at=at, new_id=new_id),
                self.project.id,
                key="invoice",
                title="Invoice 0417",
                tags=("extraction",),
            )
            self.version = tasks.ensure_version(Unit(connection, at=at, new_id=new_id), self.task.id, TASK)

    def now(self) -> datetime:
        """A time, later than all before."""
        return START + timedelta(seconds=next(self._ticks))

    def snapshot(self, text: str, *, name: str = "out") -> Snapshot:
        """An output of one file, its bytes stored."""
        data = text.encode()
        artifacts = (Artifact(path="result.json", sha256=self.blobs.put(data), size=len(data)),)
        return Snapshot(digest=digest_of(True, artifacts, ()), name=name, is_folder=True, artifacts=artifacts)

    def built(self, text: str) -> BuiltView:
        """The view of such an output."""
        file = ViewedFile(
            id=new_id(),
            name="result.json",
            family=Family.JSON,
            size=len(text),
            blocks=(TextBlock(text=text),),
        )
        copy = BlindedCopy(
            file_id=file.id,
            name=file.name,
            family=file.family,
            blob=self.blobs.put(text.encode()),
            media_type="text/plain",
            size=len(text.encode()),
        )
        return BuiltView(view=OutputView(files=(file,)), copies=(copy,))

    def save(self, connection: sa.Connection, text: str) -> tuple[str, str]:
        """Store an output and its view: the ids of snapshot and view."""
        at = self.now()
        snapshot_id = outputs.save_snapshot(
            Unit(connection, at=at, new_id=new_id), self.snapshot(text), project_id=self.project.id
        )
        view_id = outputs.save_view(
            Unit(connection, at=at, new_id=new_id),
            self.built(text),
            snapshot_id=snapshot_id,
            extractor="1",
            redaction="r" * 64,
            blobs=self.blobs,
        )
        return snapshot_id, view_id

    def compare(
        self,
        *,
        title: str = "",
        a: str = "with skill",
        b: str = "without skill",
        project_id: str = "",
        texts: tuple[str, str] | None = None,
    ) -> Comparison:
        """Store a comparison of two new outputs of these candidates, with these texts if given, with its key."""
        number = next(self._names)
        text_a, text_b = texts or (f'{{"total": {number}}}', f"[{number}]")
        at = self.now()
        project_id = project_id or self.project.id
        with self.database.write() as connection:
            sides = PerOutput[tuple[str, str]](
                A=self.save(connection, text_a), B=self.save(connection, text_b)
            )
            ids = [
                runs.ensure_candidate(
                    Unit(connection, at=at, new_id=new_id), project_id, NewCandidate(name=name)
                ).id
                for name in (a, b)
            ]
            run_a, run_b = runs.ensure_runs(
                Unit(connection, at=at, new_id=new_id),
                self.version.id,
                [
                    NewRun(candidate_id=ids[0], snapshot_id=sides.A[0], repetition=number),
                    NewRun(candidate_id=ids[1], snapshot_id=sides.B[0], repetition=number + 1000),
                ],
            )
            comparison = comparisons.add(
                Unit(connection, at=at, new_id=new_id),
                project_id=project_id,
                task_version_id=self.version.id,
                views=Views(
                    title=title or f"Invoice {number}",
                    **dict(TASK),
                    view_a=sides.A[1],
                    view_b=sides.B[1],
                ),
                source=ComparisonSource.NEW,
                created_by=self.ada.id,
                drawn=True,
            )
            keys.write(
                Unit(connection, at=at),
                comparison.id,
                task_version_id=self.version.id,
                run_a=run_a.id,
                run_b=run_b.id,
            )
        return comparison

    def draw(self, comparison_id: str, *, chosen: bool) -> None:
        """Say whether chance chose the comparison for the audit sample."""
        with self.database.write() as connection:
            these = tables.comparison.update().where(tables.comparison.c.id == comparison_id)
            connection.execute(these.values(audited=chosen))
            changed(connection, comparisons=[comparison_id])

    def rubric_id(self) -> str:
        """The task version's rubric, stored if there is none."""
        with self.database.write() as connection:
            return rubrics.add(
                Unit(connection, at=self.now(), new_id=new_id),
                rubric(),
                project_id=self.project.id,
                task_version_id=self.version.id,
                author_kind="model",
                author="claude-sonnet-5-5",
            ).id

    def view_digests(self, connection: Connection, comparison: Comparison) -> PerOutput[str]:
        """What a judge sees of both outputs."""
        return PerOutput[str](
            A=outputs.get_view(connection, comparison.view_a).digest,
            B=outputs.get_view(connection, comparison.view_b).digest,
        )

    def attempt(
        self,
        comparison: Comparison,
        order: Order,
        given: Answer | None,
        *,
        judge: JudgeId | None = None,
        repetition: int = 0,
        message: str = "The model declined.",
        took: tuple[Usage, Decimal] = TOOK,
    ) -> bool:
        """Store a try at one pass, with an answer or a failure, and what it took."""
        rubric_id = self.rubric_id()
        with self.database.write() as connection:
            judgment_id = judgments.ensure_judgment(
                Unit(connection, at=self.now(), new_id=new_id),
                comparison.id,
                view_digests=self.view_digests(connection, comparison),
                rubric_id=rubric_id,
                judge=judge or JudgeId(),
                order=order,
                repetition=repetition,
            )
            kept = judgments.keep_try(
                Unit(connection, at=self.now(), new_id=new_id),
                judgment_id,
                TryRecord(
                    calls=(Call(raw='{"a": 1}', usage=took[0]),),
                    prompts={"pair": "p" * 64},
                    cost=took[1],
                    problem=None if given else Problem(kind="JudgeRefused", message=message),
                ),
                answer=given,
            )
            fact.refresh(Unit(connection, at=self.now()), comparison.id)
            return kept

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
        for order in Order:
            self.attempt(comparison, order, given, judge=judge)

    def review(
        self, comparison: Comparison, *, person_id: str = "", blindness: Blindness = Blindness.BLIND
    ) -> Review:
        """Begin a person's review."""
        rubric_id = self.rubric_id()
        with self.database.write() as connection:
            chosen = judgments.current(judgments.sets(connection, comparison.id))
            return open_review(
                Unit(connection, at=self.now(), new_id=new_id),
                Review(
                    id=new_id(),
                    comparison_id=comparison.id,
                    person_id=person_id or self.ben.id,
                    mode=ReviewMode.JUDGE_FIRST,
                    rubric_id=rubric_id,
                    judgment_set=chosen.digest if chosen else None,
                    blindness=blindness,
                    opened_at=self.now(),
                ),
            )

    def reopen(self, review: Review) -> None:
        """Open a final review again, as its reviewer does."""
        with self.database.write() as connection:
            reviews.reopen(
                Unit(connection, at=self.now(), new_id=new_id).by(review.person_id),
                review.id,
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


def add_change(
    unit: Unit, review_id: str, change: Change, *, blind: bool = False, unblinded: bool = False
) -> None:
    """Store a change as a reviewer makes it."""
    lock(unit.connection, tables.review, review_id)
    marked = change.model_copy(update={"blind": blind, "unblinded": unblinded})
    append(unit, review_id, [marked], after=last_seq(unit.connection, review_id))
