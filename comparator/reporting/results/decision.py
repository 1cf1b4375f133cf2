"""What the plan that was fixed before the reveal makes of a result: adopt, keep, or cannot tell yet."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import sqlalchemy as sa

from comparator.domain import project
from comparator.domain.counted import counted as in_words
from comparator.domain.counted import natural
from comparator.domain.labels import Frozen
from comparator.domain.project import DecisionPlan
from comparator.reporting.facts import Facts, facts_of, rated
from comparator.reporting.figures import lines_of
from comparator.reporting.results.result import Result, result
from comparator.reporting.scope import (
    KIND_NAMES,
    PEOPLE,
    VERDICT_NAMES,
    ResultFilter,
    Runs,
    VerdictKind,
    Verdicts,
)
from comparator.stats.intervals import EVEN, DecisionOutcome, PlanDecision, TooFew, decide
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.sql import among
from comparator.store.people import projects


class PlanPromise(Frozen):
    """One promise of the plan, and whether it was kept; None where it cannot be told."""

    promise: str
    kept: bool | None
    why: str


class ResultLook(Frozen):
    """A reveal of pairs of the two: when, and how many of the counted verdicts stood by then."""

    at: datetime
    counted: int
    """The counted pairs among those that it revealed; `decided` of them had their verdict."""
    decided: int
    plans: tuple[DecisionPlan, ...] = ()
    """The project's plans at that time."""


class Excluded(Frozen):
    """Pairs of the two candidates that are not counted, and why."""

    reason: str
    pairs: int
    not_valid: str = ""
    """Of an output that is not valid, what it is: unusable, cut off or superseded, and why."""
    by: tuple[int, int] = (0, 0)
    """Of pairs with an output that is not valid: in how many it is the first candidate's, and the second's."""
    iterations: tuple[str, ...] = ()
    """Those of such pairs, where candidates have any."""


class Opposed(NamedTuple):
    """People and the judge on the same pairs: the share of them that each gives candidate one, ties as half."""

    pairs: int
    people: float
    judge: float


class Advice(Frozen):
    """What to do, on which plan and figures, and whether the plan was kept."""

    plan: DecisionPlan
    planned: bool
    """Whether the plan was fixed for them; else it is the plain one: any difference matters."""
    decision: PlanDecision
    result: Result
    kept: tuple[PlanPromise, ...]
    verdicts: Verdicts
    """Those that it is decided by."""
    opposed: Opposed | None
    """People and the judge, where they name different winners and the judge's verdicts count: nothing is decided."""
    reviews: int
    """Final reviews in the whole project; in `untouched` of them no judge's score, expectation or winner was changed
    or confirmed."""
    untouched: int


LOOKS_LISTED = 5
PLAIN = DecisionPlan(smallest_difference=0.0, reviews=1)


def advice(database: Database, result_filter: ResultFilter) -> Advice:
    """What the project's plan says of adopting `result_filter.one` in place of `result_filter.two`.

    Raises BlindnessError while nothing of the two is revealed.
    """
    figures = result(database, result_filter)
    with facts_of(database, result_filter.project_id) as facts:
        plans = projects.get(facts.connection, result_filter.project_id).settings.plans
        plan: DecisionPlan | None = None
        kept: tuple[PlanPromise, ...] = ()
        if plans:
            looks = _looks(facts, result_filter)
            plan = _plan_for(facts, plans, looks, result_filter)
            kept = _promises(plan, figures, looks, result_filter) if plan else ()
        reviews = len(lines_of(facts, "minutes"))
        untouched = len(lines_of(facts, "silent"))
        contrary = opposed(facts, result_filter) if VerdictKind.JUDGE in result_filter.kinds else None
    used = plan or PLAIN
    decision = decide(figures.rate, tasks=figures.tasks, smallest_difference=used.smallest_difference)
    if contrary is not None:
        decision = PlanDecision(outcome=DecisionOutcome.CANNOT_TELL, threshold=decision.threshold)
    return Advice(
        plan=used,
        planned=plan is not None,
        decision=decision,
        result=figures,
        kept=kept,
        verdicts=result_filter.verdicts,
        opposed=contrary,
        reviews=reviews,
        untouched=untouched,
    )


def opposed(facts: Facts, of: ResultFilter) -> Opposed | None:
    """Where people and the judge name different winners of the result, by more than chance; else None.

    Of the pairs that people named for another side than the judge did, more must have gone one way than a coin gives,
    clustered by task.
    """
    pairs = facts.counted(of, every_kind=True)
    pairs = pairs[pairs.kind.isin(PEOPLE) & pairs.judge_points.notna()]
    shifted = 1 + np.sign(pairs.points - pairs.judge_points)
    rate = rated(shifted, pairs.task_id).rate
    if isinstance(rate, TooFew) or EVEN in rate.interval:
        return None
    people, judge = float(pairs.points.mean() / 2), float(pairs.judge_points.mean() / 2)
    return Opposed(len(pairs), people, judge) if (people - EVEN) * (judge - EVEN) < 0 else None


def _plan_for(
    facts: Facts,
    plans: Sequence[DecisionPlan],
    looks: tuple[ResultLook, ...],
    result_filter: ResultFilter,
) -> DecisionPlan | None:
    """Their plan that stood when the two were first revealed, else theirs of today; None where none is about them."""
    stood = looks[0].plans if looks else ()
    return _plan_of(facts, stood, result_filter) or _plan_of(facts, plans, result_filter)


def _plan_of(facts: Facts, plans: Sequence[DecisionPlan], result_filter: ResultFilter) -> DecisionPlan | None:
    """The plan of these two; else the newest of two of the same names in another iteration; else that of any two."""
    ids = frozenset((result_filter.one, result_filter.two))

    def plain(of: frozenset[str]) -> set[str | None]:
        return {facts.candidates[id].name if id in facts.candidates else None for id in of}

    own = [plan for plan in plans if plan.of == ids]
    namesakes = [plan for plan in reversed(plans) if plain(plan.of) == plain(ids)]
    return next(iter((*own, *namesakes, *(plan for plan in plans if not plan.of))), None)


def _promises(
    plan: DecisionPlan, figures: Result, looks: tuple[ResultLook, ...], result_filter: ResultFilter
) -> tuple[PlanPromise, ...]:
    fixed = plan.fixed_at
    before = None if fixed is None or not looks else fixed <= looks[0].at
    when_fixed = "the time is not known" if fixed is None else f"fixed on {fixed:%Y-%m-%d %H:%M} UTC"
    return (
        PlanPromise(promise="The plan was fixed before the reveal", kept=before, why=when_fixed),
        PlanPromise(
            promise=f"At least {in_words(plan.reviews, 'pair')} counted",
            kept=figures.n >= plan.reviews,
            why=f"counted: {figures.n:,}, by {VERDICT_NAMES[result_filter.verdicts]}",
        ),
        PlanPromise(
            promise=f"Stop rule: {plan.stop_rule or 'none given'}",
            kept=_stopped(plan, looks),
            why=_looks_in_words(looks),
        ),
    )


def _stopped(plan: DecisionPlan, looks: tuple[ResultLook, ...]) -> bool | None:
    """Whether the stop rule was kept; None where its words leave that to the reader."""
    if not looks:
        return None
    match plan.stop_rule:
        case project.LOOK_ONCE:
            (first, *later) = looks
            return not later and first.decided == first.counted and first.decided >= plan.reviews
        case project.LOOK_WHENEVER:
            return True
        case _:
            return None


def _looks_in_words(looks: tuple[ResultLook, ...]) -> str:
    times = "; ".join(
        f"{look.at:%Y-%m-%d %H:%M} UTC with {look.decided} of {look.counted} counted verdicts given"
        for look in looks[:LOOKS_LISTED]
    )
    more = f"; and {len(looks) - LOOKS_LISTED} more times" if len(looks) > LOOKS_LISTED else ""
    return f"revealed on {times}{more}" if looks else "nothing is revealed"


def excluded_pairs(database: Database, result_filter: ResultFilter, figures: Result) -> tuple[Excluded, ...]:
    """The pairs of the two that their result does not count, by reason. Raises BlindnessError."""
    with facts_of(database, result_filter.project_id) as facts:
        pairs = facts.of_two(result_filter)
        # What is not revealed is counted as a whole: how many of it fit a filter could tell who made which output.
        revealed = facts.within(facts.revealed(result_filter), result_filter.within)
        a, b = (run.map(facts.runs.state).ne("valid") for run in (revealed.run_a, revealed.run_b))
        candidates = facts.candidates
    one, two = a.where(revealed.side > 0, b), b.where(revealed.side > 0, a)
    # An unusable output is the reason also where nobody judged the pair: as a rule nobody is asked to.
    void = ~revealed.valid if result_filter.runs is Runs.VALID else pd.Series(False, index=revealed.index)
    listed = [
        Excluded(reason="not revealed", pairs=int((~pairs.revealed).sum())),
        Excluded(
            reason="no verdict yet, or reviewers disagree and nobody has ruled",
            pairs=int((revealed.points.isna() & ~void).sum()),
        ),
        *(
            Excluded(
                reason=f"an output is {cause}",
                pairs=len(own),
                not_valid=cause,
                by=(int(one[own.index].sum()), int(two[own.index].sum())),
                iterations=tuple(
                    sorted(filter(None, {candidates[id].iteration for id in own.one}), key=natural)
                ),
            )
            for cause, own in revealed[void].groupby("not_valid")
        ),
        *(
            Excluded(reason=f"another kind of verdict ({KIND_NAMES[kind]})", pairs=n)
            for kind, n in figures.by_kind.items()
            if kind not in result_filter.kinds
        ),
    ]
    return tuple(exclusion for exclusion in listed if exclusion.pairs)


def _looks(facts: Facts, result_filter: ResultFilter) -> tuple[ResultLook, ...]:
    """The reveals of pairs of the two, earliest first."""
    comparison, reveal = tables.comparison.c, tables.reveal.c
    review, finalisation, judgment, attempt = (
        tables.review.c,
        tables.finalisation.c,
        tables.judgment.c,
        tables.attempt.c,
    )
    people = sa.exists().where(
        review.comparison_id == comparison.id,
        finalisation.review_id == review.id,
        finalisation.kind == "final",
        finalisation.at <= reveal.at,
    )
    judged = sa.exists().where(
        judgment.comparison_id == comparison.id,
        judgment.trial.is_(None),
        attempt.judgment_id == judgment.id,
        attempt.succeeded == sa.true(),
        attempt.at <= reveal.at,
    )
    query = (
        sa.select(
            comparison.id.label("comparison_id"),
            reveal.id,
            reveal.at,
            reveal.plan,
            people.label("people"),
            judged.label("judged"),
        )
        .join_from(tables.comparison, tables.reveal, reveal.id == comparison.reveal_id)
        .where(comparison.id.in_(among(facts.connection, list(facts.of_two(result_filter).index))))
        .order_by(reveal.at, reveal.id)
    )
    counted = facts.counted(result_filter)
    by_people = counted.kind.isin(PEOPLE)
    looks: dict[str, list[Any]] = {}
    for row in facts.connection.execute(query):
        looks.setdefault(row.id, []).append(row)
    return tuple(
        ResultLook(
            at=rows[0].at,
            counted=sum(row.comparison_id in by_people.index for row in rows),
            decided=sum(
                bool(row.people if by_people[row.comparison_id] else row.judged)
                for row in rows
                if row.comparison_id in by_people.index
            ),
            plans=tuple(map(DecisionPlan.model_validate, rows[0].plan or ())),
        )
        for rows in looks.values()
    )
