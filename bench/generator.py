"""Histories of any size, written straight into a database: consistent rows, their rollups included."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.domain.judgment import Answer, ExpectationMark, Mark, Quote, merge
from comparator.domain.judgment import Pass as JudgedPass
from comparator.domain.labels import Label, Order, PerOutput, Winner
from comparator.domain.rubric import Anchors, Criterion, Rubric
from comparator.domain.verdict import Assessment, Verdict, settle
from comparator.reporting.counting import Adds
from comparator.reporting.facts import Facts, Reading, Reviewed, Said, Try
from comparator.reporting.tallying import add, rows_of
from comparator.store import projects, rubrics, tables
from comparator.store.database import Database
from comparator.store.tables import triggers

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
POOL = 120
"""Different judgments that are drawn from; a database of a million pairs holds each many times."""
REVIEWED = 0.1
AT_A_TIME = 2000
MODEL = "claude-sonnet-5-5"
PATHS = tuple(
    f"{dimension}.{key}" for dimension in ("content", "structure") for key in ("one", "two", "three")
)


class Shape(NamedTuple):
    """How a history of so many comparisons is spread: every two candidates meet once in every task."""

    comparisons: int
    candidates: int

    @property
    def tasks(self) -> int:
        """Tasks, the last one perhaps not with all pairs."""
        meetings = self.candidates * (self.candidates - 1) // 2
        return -(-self.comparisons // meetings)


class _Judged(NamedTuple):
    answers: tuple[dict[str, Any], dict[str, Any]]
    verdict: Verdict
    consistent: bool
    confidence: int
    quotes: tuple[int, int]


class Written(NamedTuple):
    """What was written."""

    project_id: str
    comparisons: int
    tasks: int


def shape(comparisons: int) -> Shape:
    """Two candidates in a small history, five in one of ten thousand, twenty in one of a million."""
    return Shape(comparisons, 2 if comparisons < 1000 else 5 if comparisons < 100_000 else 20)


def generate(database: Database, comparisons: int, *, seed: int = 1, name: str = "Generated") -> Written:
    """Write a revealed project of so many judged comparisons, a tenth of them reviewed; a few thousand rows at a time.

    The database must have its tables, and nobody else may write to it meanwhile: its triggers are away for so long.
    """
    wanted, rng = shape(comparisons), random.Random(seed)
    pool = [_judged(rng) for _ in range(POOL)]
    ids = _Ids()
    with database.write() as connection:
        for statement in _without_triggers(connection):
            connection.exec_driver_sql(statement)
        project_id = projects.ensure_project(connection, name, new_id=ids, at=START).id
        rubric_id = rubrics.add(
            connection,
            RUBRIC,
            project_id=project_id,
            task_version_id=None,
            author_kind="person",
            author="generator",
            new_id=ids,
            at=START,
        ).id
        ground = _ground(connection, project_id, wanted, ids)
    tally: Adds = Counter()
    every = _pairs(wanted)
    while part := tuple(itertools.islice(every, AT_A_TIME)):
        rows: dict[str, list[dict[str, Any]]] = {}
        for number, task, first, second in part:
            _comparison(rows, tally, ground, pool, rng, ids, number, task, first, second, rubric_id)
        with database.write() as connection:
            for table_name, listed in rows.items():
                connection.execute(tables.metadata.tables[table_name].insert(), listed)
    with database.write() as connection:
        add(connection, project_id, tally)
        for statement in triggers.statements(connection.dialect.name):
            connection.exec_driver_sql(statement.replace("%", "%%"))
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")
    return Written(project_id, comparisons, wanted.tasks)


class _Ids:
    """Ids in rising order, so that a million of them go into the indexes one after the other."""

    def __init__(self) -> None:
        self.last = 0

    def __call__(self) -> str:
        self.last += 1
        return f"g{self.last:015x}"


class _Ground(NamedTuple):
    project_id: str
    candidates: list[str]
    versions: list[str]
    tasks: list[str]
    views: dict[tuple[int, int], tuple[str, str]]
    runs: dict[tuple[int, int], str]
    person_id: str
    reveal_id: str


def _criterion(key: str) -> Criterion:
    anchors = Anchors(poor="wrong", acceptable="mostly right", excellent="right")
    return Criterion(key=key, name=key.title(), anchors=anchors)


RUBRIC = Rubric(
    content=tuple(_criterion(key) for key in ("one", "two", "three")),
    structure=tuple(_criterion(key) for key in ("one", "two", "three")),
)


def _answer(rng: random.Random, lead: float) -> Answer:
    def mark(up: float) -> Mark:
        score = min(5, max(1, round(rng.gauss(3.3 + up, 0.9))))
        quote = Quote(file="answer.md", text="a line", found=rng.random() < 0.9, start=0, end=6)
        return Mark.model_validate({"score": score, "rationale": "As it stands.", "quotes": (quote,)})

    criteria = {path: PerOutput[Mark](A=mark(lead), B=mark(-lead)) for path in PATHS}
    sums = {label: sum(marks[label].score for marks in criteria.values()) for label in Label}
    better = (
        Winner.A
        if sums[Label.A] > sums[Label.B]
        else Winner.B
        if sums[Label.B] > sums[Label.A]
        else Winner.TIE
    )
    return Answer(
        criteria=criteria,
        expectations=(
            PerOutput[ExpectationMark](
                A=ExpectationMark(passed=rng.random() < 0.8), B=ExpectationMark(passed=rng.random() < 0.7)
            ),
        ),
        strengths=PerOutput[tuple[str, ...]](A=("clear",), B=()),
        weaknesses=PerOutput[tuple[str, ...]](A=(), B=("short",)),
        better=better,
        reasoning="The one is clearer than the other.",
        stated_confidence=rng.choice((50, 60, 70, 80, 90, 100)),
    )


def _judged(rng: random.Random) -> _Judged:
    lead = rng.gauss(0, 0.4)
    answers = _answer(rng, lead + 0.1), _answer(rng, lead - 0.1)
    merged = merge(
        RUBRIC,
        tuple(JudgedPass(order=order, answer=answer) for order, answer in zip(Order, answers, strict=True)),
    )
    return _Judged(
        answers=(answers[0].model_dump(mode="json"), answers[1].model_dump(mode="json")),
        verdict=merged.verdict,
        consistent=merged.position_consistent,
        confidence=merged.stated_confidence,
        quotes=(merged.quotes_found, merged.quotes_total),
    )


def _pairs(wanted: Shape) -> Iterator[tuple[int, int, int, int]]:
    """Number, task, and the two candidates of each comparison."""
    meetings = tuple(itertools.combinations(range(wanted.candidates), 2))
    every = ((task, *both) for task in range(wanted.tasks) for both in meetings)
    for number, (task, first, second) in enumerate(itertools.islice(every, wanted.comparisons)):
        yield number, task, first, second


def _ground(connection: sa.Connection, project_id: str, wanted: Shape, ids: _Ids) -> _Ground:
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
    ground = _Ground(project_id, candidates, [], [], {}, {}, person_id, reveal_id)
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("task", "task_version", "view", "view_source", "run")
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
            "Words": "out",
            "String": "s" * 20,
            "BigInteger": 1,
            "Boolean": True,
        }[kind]
    return values


def _comparison(
    rows: dict[str, list[dict[str, Any]]],
    tally: Adds,
    ground: _Ground,
    pool: Sequence[_Judged],
    rng: random.Random,
    ids: _Ids,
    number: int,
    task: int,
    first: int,
    second: int,
    rubric_id: str,
) -> None:
    """The rows of one comparison, judged in both orders, every tenth reviewed; `tally` grows by what it adds."""
    a, b = (first, second) if rng.random() < 0.5 else (second, first)
    comparison_id, at = ids(), START + timedelta(seconds=number)
    judged = rng.choice(pool)
    review = _review(judged, rng, at) if rng.random() < REVIEWED else None
    verdict = review.verdict if review else judged.verdict
    run_a, run_b = ground.runs[task, a], ground.runs[task, b]
    low, high = sorted((run_a, run_b))
    version = ground.versions[task]

    def put(table: str, **values: Any) -> None:
        rows.setdefault(table, []).append(values)

    put(
        "comparison",
        id=comparison_id,
        project_id=ground.project_id,
        task_version_id=version,
        title=f"Task {task + 1}",
        prompt="Do it well.",
        expectations=["has a date"],
        view_a=ground.views[task, a][0],
        view_b=ground.views[task, b][0],
        input_view=None,
        reference_view=None,
        source="import",
        created_by=ground.person_id,
        created_at=at,
    )
    put(
        "ab_key",
        comparison_id=comparison_id,
        run_a=run_a,
        run_b=run_b,
        drawn=True,
        set_up_by=None,
        out_path=None,
        created_at=at,
    )
    put("pair", comparison_id=comparison_id, task_version_id=version, run_low=low, run_high=high)
    put("reveal_comparison", comparison_id=comparison_id, reveal_id=ground.reveal_id)
    # The first review of a comparison is what people were drawn for.
    put(
        "draw",
        comparison_id=comparison_id,
        project_id=ground.project_id,
        probability=REVIEWED,
        chosen=review is not None,
        at=at,
    )
    whole = f"{number:064x}"
    tries = []
    for order, answer in zip(Order, judged.answers, strict=True):
        judgment_id = ids()
        put(
            "judgment",
            id=judgment_id,
            comparison_id=comparison_id,
            rubric_id=rubric_id,
            view_a_digest=ground.views[task, a][1],
            view_b_digest=ground.views[task, b][1],
            judge_kind="anthropic",
            judge_model=MODEL,
            judge_digest="d" * 64,
            set_digest=whole,
            order=order.value,
            repetition=0,
            created_at=at,
        )
        put(
            "attempt",
            id=ids(),
            judgment_id=judgment_id,
            succeeded=True,
            answer=answer,
            at=at,
            error_kind=None,
            message=None,
            calls=[],
            prompts={},
            input_tokens=2400,
            output_tokens=600,
            cached_tokens=0,
            cache_written_tokens=0,
            seconds=7.5,
            cost=Decimal("0.0162"),
            currency="USD",
        )
        tries.append(Try(MODEL, "USD", True, 2400, 600, 7.5, 16_200_000_000))
    if review:
        _put_review(put, review, comparison_id, rubric_id, whole, ground.person_id, ids)
    totals, rates = verdict.totals, verdict.pass_rates
    assert rates is not None
    own = judged.verdict.totals
    put(
        "standing",
        comparison_id=comparison_id,
        project_id=ground.project_id,
        created_at=at,
        status="finalised" if review else "to_review",
        judge_kind="anthropic",
        judge_model=MODEL,
        judge_winner=judged.verdict.winner.value,
        judge_decided_by=judged.verdict.decided_by.value,
        judge_overall_a=own.A.overall_score,
        judge_overall_b=own.B.overall_score,
        position_consistent=judged.consistent,
        stated_confidence=judged.confidence,
        quotes_found=judged.quotes[0],
        quotes_total=judged.quotes[1],
        judge_cost=Decimal("0.0324"),
        problem=None,
        verdict_source="review" if review else "judge",
        winner=verdict.winner.value,
        decided_by=verdict.decided_by.value,
        overall_a=totals.A.overall_score,
        overall_b=totals.B.overall_score,
        content_a=totals.A.content_score,
        content_b=totals.B.content_score,
        structure_a=totals.A.structure_score,
        structure_b=totals.B.structure_score,
        pass_rate_a=rates.A,
        pass_rate_b=rates.B,
        final_reviews=1 if review else 0,
        open_reviews=0,
        touched_at=at,
    )
    facts = Facts(
        comparison_id=comparison_id,
        project_id=ground.project_id,
        task_id=ground.tasks[task],
        candidate_a=ground.candidates[a],
        candidate_b=ground.candidates[b],
        number_a=a + 1,
        revealed=True,
        valid=True,
        status="finalised" if review else "to_review",
        judge_kind="anthropic",
        judge_model=MODEL,
        judge_winner=judged.verdict.winner.value,
        position_consistent=judged.consistent,
        stated_confidence=judged.confidence,
        quotes=judged.quotes,
        source="review" if review else "judge",
        winner=verdict.winner.value,
        decided_by=verdict.decided_by.value,
        overall=_tenths(totals.A.overall_score, totals.B.overall_score),
        content=_tenths(totals.A.content_score, totals.B.content_score),
        structure=_tenths(totals.A.structure_score, totals.B.structure_score),
        passed=(int(rates.A * 100), int(rates.B * 100)),
        final_reviews=1 if review else 0,
        open_reviews=0,
        audited=review is not None,
        characters=(900 + 60 * a, 900 + 60 * b),
        marks=(4 + a, 4 + b),
        shared_rubric=True,
        rubric_id=rubric_id,
        readings=tuple(Reading(order, answer) for order, answer in zip(Order, judged.answers, strict=True)),
        reviews=(review.fact,) if review else (),
        tries=tuple(tries),
    )
    outcome, added = rows_of(facts, rubric=RUBRIC)
    rows.setdefault("outcome", []).append(outcome)
    tally.update(added)


class _Review(NamedTuple):
    verdict: Verdict
    fact: Reviewed


def _review(judged: _Judged, rng: random.Random, at: datetime) -> _Review:
    """A person's review that keeps most of the judge's scores."""
    scores: dict[Label, dict[str, Decimal]] = {}
    said = []
    blind = rng.random() < 0.5
    for label in Label:
        own = judged.verdict.assessments[label].scores
        scores[label] = {}
        for path, score in own.items():
            changed = rng.random() < 0.25
            scores[label][path] = Decimal(rng.randint(1, 5)) if changed else score
            said.append(Said(f"score:{label.value}:{path}", "set" if changed else "confirm", "", blind))
    halves = PerOutput[Assessment](
        A=Assessment(scores=scores[Label.A], expectations=judged.verdict.assessments.A.expectations),
        B=Assessment(scores=scores[Label.B], expectations=judged.verdict.assessments.B.expectations),
    )
    verdict = settle(RUBRIC, halves)
    times = tuple(at + timedelta(seconds=60 + 9 * step) for step in range(len(said) + 2))
    return _Review(
        verdict,
        Reviewed(
            person_id="",
            mode="blind_first" if blind else "judge_first",
            knows=False,
            act="final",
            winner=verdict.winner.value,
            scores={
                label.value: {path: str(score) for path, score in scores[label].items()} for label in Label
            },
            said=tuple(said),
            times=times,
        ),
    )


def _put_review(
    put: Any,
    review: _Review,
    comparison_id: str,
    rubric_id: str,
    whole: str,
    person_id: str,
    ids: _Ids,
) -> None:
    review_id, fact = ids(), review.fact
    put(
        "review",
        id=review_id,
        comparison_id=comparison_id,
        person_id=person_id,
        mode=fact.mode,
        rubric_id=rubric_id,
        judgment_set=whole,
        knows=False,
        opened_at=fact.times[0],
    )
    for seq, each in enumerate(fact.said, 1):
        _, label, path = each.target.split(":")
        put(
            "change",
            review_id=review_id,
            id=ids(),
            seq=seq,
            target=each.target,
            kind=each.kind,
            value=fact.scores[label][path],
            reason="",
            code="",
            author=person_id,
            at=fact.times[seq],
            stored_at=fact.times[seq],
            undoes=None,
            blind=each.blind,
            unblinded=False,
        )
    put(
        "finalisation",
        id=ids(),
        review_id=review_id,
        seq=1,
        kind="final",
        number=1,
        last_change=len(fact.said),
        person_id=person_id,
        at=fact.times[-1],
        winner=review.verdict.winner.value,
        decided_by=review.verdict.decided_by.value,
        verdict=review.verdict.model_dump(mode="json"),
        prose={
            "reasoning": "The one is clearer.",
            "strengths": {"A": [], "B": []},
            "weaknesses": {"A": [], "B": []},
            "argues_for": review.verdict.winner.value,
        },
        result=json.dumps({}),
        changed=sum(each.kind == "set" for each in fact.said),
        unblinded=False,
    )


def _tenths(a: Decimal, b: Decimal) -> tuple[int, int]:
    return int(a * 10), int(b * 10)


def _without_triggers(connection: sa.Connection) -> tuple[str, ...]:
    """Statements that take our triggers away."""
    if connection.dialect.name == "sqlite":
        names = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").scalars()
        return tuple(f"DROP TRIGGER {name}" for name in names)
    found = connection.exec_driver_sql(
        "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal"
    )
    return tuple(f"DROP TRIGGER {name} ON {table}" for name, table in found)
