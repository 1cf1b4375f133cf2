"""What lies behind a result: the tasks that differ most, and the single pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from math import inf
from typing import Annotated, Any

import sqlalchemy as sa
from pydantic import BeforeValidator, PlainSerializer

from comparator.domain.labels import Frozen
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import ResultFilter, VerdictKind, counted, merged, require_revealed
from comparator.reporting.themes.picture import pairs_of
from comparator.reporting.why.differ import differences
from comparator.reporting.why.expectations import ExpectationMet, pairs_with
from comparator.reporting.why.graders import pairs_graded
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.reviewing import finalisations


class TaskDifference(Frozen):
    """A task's mean overall difference, candidate one minus candidate two, in points, and one of its pairs."""

    task_id: str
    title: str
    difference: float
    pairs: int
    comparison_id: str
    reasoning: str
    """Of the verdict that holds for that pair; it speaks of A and B."""
    one_is: str
    """Which of the two outputs candidate one made there."""


class PairOutcome(StrEnum):
    """How a pair ended for candidate one."""

    WON = "won"
    TIED = "tied"
    LOST = "lost"


class Pair(Frozen):
    """One counted pair; the difference is candidate one minus candidate two, in points."""

    comparison_id: str
    title: str
    outcome: PairOutcome
    difference: float | None
    """None for a verdict without scores."""
    kind: VerdictKind
    decided_by: str
    position_consistent: bool | None


def _apart(value: object) -> object:
    return tuple(value.split(".")) if isinstance(value, str) else value


Ids = Annotated[tuple[str, ...], BeforeValidator(_apart), PlainSerializer(".".join, return_type=str)]
"""Ids, which an address holds with dots between them."""


class Slice(Frozen):
    """A part of the counted pairs; None means all. Leads are of the overall score, in tenths, of decided pairs."""

    outcome: PairOutcome | None = None
    kind: VerdictKind | None = None
    """Of this kind of verdict, also where the result does not count it."""
    above: int | None = None
    upto: int | None = None
    flipped: bool = False
    """Only those on which the judge's two orders disagreed."""
    audited: bool = False
    """Only those of the audit sample."""
    criterion: str | None = None
    """With `lead`: only those in which this criterion is won, tied or lost by candidate one."""
    lead: PairOutcome | None = None
    expectation: str | None = None
    """With `met`: only those in which the expectation of this id is in that class."""
    met: ExpectationMet | None = None
    reason: str | None = None
    """Only those in which a reviewer changed a score for this kind of reason."""
    grader: str | None = None
    """Only those that this source of imported grades graded on both sides."""
    measure: str | None = None
    """With `least` and `below`: only those in which candidate one has so much more of it than candidate two."""
    least: float | None = None
    below: float | None = None
    theme: str | None = None
    """Only those in which the theme of this id occurs."""
    speaks: PairOutcome | None = None
    """With `theme`: only those in which it speaks for candidate one, for neither, or for two."""
    comparisons: Ids = ()
    """Only these."""
    first_of: int = 0
    """With `comparisons`: of how many these are the first; 0 where they are all."""

    @property
    def theme_points(self) -> int | None:
        """For whom the theme is to speak, as points of candidate one; None for either."""
        return POINTS[self.speaks] if self.speaks else None


WHOLE = Slice()
POINTS = {PairOutcome.WON: 2, PairOutcome.TIED: 1, PairOutcome.LOST: 0}


def strongest(database: Database, asked: ResultFilter, *, limit: int = 5) -> tuple[TaskDifference, ...]:
    """The tasks on which candidate one leads most, best first. Raises BlindnessError."""
    return _tasks(database, asked, ahead=True, limit=limit)


def weakest(database: Database, asked: ResultFilter, *, limit: int = 5) -> tuple[TaskDifference, ...]:
    """The tasks on which candidate one trails most, worst first. Raises BlindnessError."""
    return _tasks(database, asked, ahead=False, limit=limit)


def pairs(
    database: Database,
    asked: ResultFilter,
    *,
    only: Slice = WHOLE,
    limit: int = 50,
    offset: int = 0,
) -> tuple[Pair, ...]:
    """The counted pairs, those that candidate one leads most first. Raises BlindnessError."""
    found, comparison = counted(asked, every_kind=only.kind is not None), tables.comparison.c
    query = (
        sa.select(found, comparison.title)
        .join_from(found, tables.comparison, comparison.id == found.c.comparison_id)
        .order_by(found.c.overall.desc(), found.c.comparison_id)
        .where(*_within(found, only))
    )
    with current(database) as connection:
        require_revealed(connection, asked)
        if any((only.criterion, only.expectation, only.reason, only.grader, only.measure, only.theme)):
            # What is kept as JSON is looked at here: the two databases read it in ways of their own.
            holds = _explained(connection, asked, only)
            rows = [row for row in connection.execute(query) if holds(row)][offset : offset + limit]
        else:
            rows = list(connection.execute(query.limit(limit).offset(offset)))
    return tuple(
        Pair(
            comparison_id=row.comparison_id,
            title=row.title,
            outcome=next(each for each, points in POINTS.items() if points == row.points),
            difference=None if row.overall is None else int(row.overall) / 10,
            kind=VerdictKind(row.kind),
            decided_by=row.decided_by,
            position_consistent=row.position_consistent,
        )
        for row in rows
    )


def ids_by_outcome(database: Database, asked: ResultFilter) -> dict[PairOutcome, tuple[str, ...]]:
    """The ids of all counted pairs by how they ended for candidate one. Raises BlindnessError."""
    found = counted(asked)
    query = sa.select(found.c.comparison_id, found.c.points).order_by(found.c.comparison_id)
    ids: dict[PairOutcome, list[str]] = {outcome: [] for outcome in POINTS}
    by_points = {points: ids[outcome] for outcome, points in POINTS.items()}
    with current(database) as connection:
        require_revealed(connection, asked)
        for row in connection.execute(query):
            by_points[row.points].append(row.comparison_id)
    return {outcome: tuple(each) for outcome, each in ids.items()}


def _explained(connection: Connection, asked: ResultFilter, only: Slice) -> Callable[[Any], bool]:
    met = (
        set(pairs_with(connection, asked, only.expectation, only.met))
        if only.expectation and only.met
        else None
    )

    graded = pairs_graded(connection, asked, only.grader) if only.grader else None

    more = (
        {each.comparison_id: each.more for each in differences(connection, asked, only.measure)}
        if only.measure
        else {}
    )

    themed = pairs_of(connection, asked, only.theme, only.theme_points) if only.theme else None

    def holds(row: Any) -> bool:
        if themed is not None and row.comparison_id not in themed:
            return False
        if only.measure is not None:
            by = more.get(row.comparison_id)
            low = -inf if only.least is None else only.least
            high = inf if only.below is None else only.below
            if by is None or not low <= by < high:
                return False
        if met is not None and row.comparison_id not in met:
            return False
        if graded is not None and row.comparison_id not in graded:
            return False
        if only.reason and only.reason not in (row.reasons or {}):
            return False
        if only.criterion:
            value = (row.criteria or {}).get(only.criterion)
            if value is None:
                return False
            lead = value * row.sign
            return only.lead is None or (lead > 0) - (lead < 0) == POINTS[only.lead] - 1
        return True

    return holds


def _within(found: sa.Subquery, only: Slice) -> Iterator[sa.ColumnElement[bool]]:
    if only.outcome is not None:
        yield found.c.points == POINTS[only.outcome]
    if only.kind is not None:
        yield found.c.kind == only.kind.value
    if only.above is not None or only.upto is not None:
        yield found.c.points != POINTS[PairOutcome.TIED]
    if only.above is not None:
        yield sa.func.abs(found.c.overall) > only.above
    if only.upto is not None:
        yield sa.func.abs(found.c.overall) <= only.upto
    if only.flipped:
        yield found.c.position_consistent == sa.false()
    if only.audited:
        yield found.c.audited == sa.true()
    if only.comparisons:
        yield found.c.comparison_id.in_(only.comparisons)


def _tasks(database: Database, asked: ResultFilter, *, ahead: bool, limit: int) -> tuple[TaskDifference, ...]:
    found, task = counted(asked), tables.task.c
    total, n = sa.func.sum(found.c.overall), sa.func.count()
    average = sa.cast(total, sa.Float) / n
    far = sa.func.max(found.c.overall) if ahead else sa.func.min(found.c.overall)
    query = (
        sa.select(found.c.task_id, task.title, average.label("average"), n.label("n"), far.label("far"))
        .join_from(found, tables.task, task.id == found.c.task_id)
        .group_by(found.c.task_id, task.title)
        .having(total > 0 if ahead else total < 0)
        .order_by(average.desc() if ahead else average, found.c.task_id)
        .limit(limit)
    )
    with current(database) as connection:
        require_revealed(connection, asked)
        rows = connection.execute(query).all()
        wanted = sa.select(
            found.c.task_id, found.c.overall, sa.func.min(found.c.comparison_id).label("id")
        ).where(found.c.task_id.in_([row.task_id for row in rows]))
        links = {
            (row.task_id, int(row.overall)): row.id
            for row in connection.execute(wanted.group_by(found.c.task_id, found.c.overall))
        }
        shown = [links[row.task_id, int(row.far)] for row in rows]
        sides = _sides(connection, shown, {each.one for each in asked.meetings})
        reasons = _reasons(connection, shown)
    return tuple(
        TaskDifference(
            task_id=row.task_id,
            title=row.title,
            difference=float(row.average) / 10,
            pairs=int(row.n),
            comparison_id=links[row.task_id, int(row.far)],
            reasoning=reasons[links[row.task_id, int(row.far)]],
            one_is=sides[links[row.task_id, int(row.far)]],
        )
        for row in rows
    )


def _sides(connection: Connection, comparison_ids: list[str], ones: set[str]) -> dict[str, str]:
    ab_key, run = tables.ab_key.c, tables.run.c
    made = merged(tables.candidate)
    query = (
        sa.select(ab_key.comparison_id, made.label("made"))
        .select_from(
            tables.ab_key.join(tables.run, run.id == ab_key.run_a).join(
                tables.candidate, tables.candidate.c.id == run.candidate_id
            )
        )
        .where(ab_key.comparison_id.in_(comparison_ids))
    )
    return {row.comparison_id: "A" if row.made in ones else "B" for row in connection.execute(query)}


def _reasons(connection: Connection, comparison_ids: list[str]) -> dict[str, str]:
    """The reasoning of the verdict that holds for each: of a ruling, else the last final review, else the judge."""
    rollup, finalisation, review = tables.rollup.c, tables.finalisation.c, tables.review.c
    judgment, attempt, adjudication = tables.judgment.c, tables.attempt.c, tables.adjudication.c
    found = dict.fromkeys(comparison_ids, "")
    judged = (
        sa.select(judgment.comparison_id, attempt.answer, rollup.judge_winner)
        .select_from(
            tables.judgment.join(tables.attempt, attempt.judgment_id == judgment.id).join(
                tables.rollup, rollup.comparison_id == judgment.comparison_id
            )
        )
        .where(
            judgment.comparison_id.in_(comparison_ids),
            attempt.succeeded == sa.true(),
            judgment.trial.is_(None),
        )
        .order_by(attempt.at)
    )
    for row in connection.execute(judged):
        if row.answer["better"] == row.judge_winner or not found[row.comparison_id]:
            found[row.comparison_id] = row.answer["reasoning"]
    reviewed = (
        sa.select(review.comparison_id, finalisation.prose)
        .join_from(tables.finalisation, tables.review, review.id == finalisation.review_id)
        .where(review.comparison_id.in_(comparison_ids), finalisations.not_reopened())
        .order_by(finalisation.at)
    )
    ruled = (
        sa.select(adjudication.comparison_id, adjudication.prose)
        .where(adjudication.comparison_id.in_(comparison_ids))
        .order_by(adjudication.comparison_id, adjudication.number)
    )
    for query in (reviewed, ruled):
        found |= {line.comparison_id: line.prose["reasoning"] for line in connection.execute(query)}
    return found
