"""What the plan that was fixed before the reveal makes of a result: adopt, keep, or cannot tell yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from comparator.domain import project
from comparator.domain.counted import counted as in_words
from comparator.domain.labels import Frozen
from comparator.domain.project import DecisionPlan
from comparator.reporting.results.result import Outcomes, Result, result
from comparator.reporting.tally.part_conditions import condition
from comparator.reporting.tally.refresh import current, read
from comparator.reporting.tally.scope import (
    KIND_NAMES,
    PEOPLE,
    ResultFilter,
    Runs,
    counted,
    of_two,
    require_revealed,
)
from comparator.reporting.tally.sums import count
from comparator.stats.decision import PlanDecision, decide
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.pairs.runs import RunState
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


class VoidPair(Frozen):
    """A pair that is left out since an output is not valid: the states of its two runs, those that are not valid."""

    comparison_id: str
    title: str
    states: tuple[RunState, ...]
    """Empty for a warm-up pair of a panel."""


class Advice(Frozen):
    """What to do, on which plan and figures, and whether the plan was kept."""

    plan: DecisionPlan
    planned: bool
    """Whether the plan was fixed for them; else it is the plain one: any difference matters."""
    decision: PlanDecision
    result: Result
    kept: tuple[PlanPromise, ...]
    reviews: int
    """Final reviews in the whole project; in `untouched` of them no judge's score, expectation or winner was changed
    or confirmed."""
    untouched: int


LOOKS_LISTED = 5
NOT_VALID = "an output is unusable, cut off or superseded, or the pair is a warm-up"
PLAIN = DecisionPlan(smallest_difference=0.0, reviews=1)


def advice(database: Database, asked: ResultFilter, *, known: tuple[Outcomes, ...] = ()) -> Advice:
    """What the project's plan says of adopting `asked.one` in place of `asked.two`.

    `known` are the outcomes of these pairs, where they were read just now. Raises BlindnessError while nothing of the
    two is revealed.
    """
    found = result(database, asked, known=known)
    with current(database) as connection:
        plans = projects.get(connection, asked.project_id).settings.plans
        plan: DecisionPlan | None = None
        kept: tuple[PlanPromise, ...] = ()
        if plans:
            looks = _looks(connection, asked)
            plan = _plan_for(connection, plans, looks, asked)
            kept = _kept(plan, found, looks) if plan else ()
        numbers = read(connection, asked.project_id, ("minutes", "silent"))
    used = plan or PLAIN
    return Advice(
        plan=used,
        planned=plan is not None,
        decision=decide(found.win_rate, smallest_difference=used.smallest_difference),
        result=found,
        kept=kept,
        reviews=sum(numbers["minutes"].values()),
        untouched=sum(numbers["silent"].values()),
    )


def _plan_for(
    connection: Connection, plans: Sequence[DecisionPlan], looks: tuple[ResultLook, ...], asked: ResultFilter
) -> DecisionPlan | None:
    """Their plan that stood when the two were first revealed, else theirs of today; None where none is about them."""
    stood = looks[0].plans if looks else ()
    return _plan_of(connection, stood, asked) or _plan_of(connection, plans, asked)


def _plan_of(
    connection: Connection, plans: Sequence[DecisionPlan], asked: ResultFilter
) -> DecisionPlan | None:
    """The plan of these two; else the newest of two of the same names in another iteration; else that of any two."""
    candidate, ids = tables.candidate.c, frozenset((asked.one, asked.two))
    named = ids.union(*(plan.of for plan in plans))
    query = sa.select(candidate.id, candidate.name).where(candidate.id.in_(sorted(named)))
    names = {row.id: row.name for row in connection.execute(query)}

    def plain(of: frozenset[str]) -> set[str | None]:
        return {names.get(id) for id in of}

    own = [plan for plan in plans if plan.of == ids]
    namesakes = [plan for plan in reversed(plans) if plain(plan.of) == plain(ids)]
    return next(iter((*own, *namesakes, *(plan for plan in plans if not plan.of))), None)


def _kept(plan: DecisionPlan, found: Result, looks: tuple[ResultLook, ...]) -> tuple[PlanPromise, ...]:
    fixed = plan.fixed_at
    before = None if fixed is None or not looks else fixed <= looks[0].at
    when_fixed = "the time is not known" if fixed is None else f"fixed on {fixed:%Y-%m-%d %H:%M} UTC"
    return (
        PlanPromise(promise="The plan was fixed before the reveal", kept=before, why=when_fixed),
        PlanPromise(
            promise=f"At least {in_words(plan.reviews, 'pair')} counted",
            kept=found.n >= plan.reviews,
            why=f"counted: {found.n:,}",
        ),
        PlanPromise(
            promise=f"Stop rule: {plan.stop_rule or 'none given'}",
            kept=_stopped(plan, looks),
            why=_looked(looks),
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


def _looked(looks: tuple[ResultLook, ...]) -> str:
    times = "; ".join(
        f"{look.at:%Y-%m-%d %H:%M} UTC with {look.decided} of {look.counted} counted verdicts given"
        for look in looks[:LOOKS_LISTED]
    )
    more = f"; and {len(looks) - LOOKS_LISTED} more times" if len(looks) > LOOKS_LISTED else ""
    return f"revealed on {times}{more}" if looks else "nothing is revealed"


def excluded(database: Database, asked: ResultFilter, found: Result) -> tuple[Excluded, ...]:
    """The pairs of the two that their result does not count, by reason."""
    outcome = tables.outcome.c
    revealed, void = _revealed(asked), _void(asked)
    query = sa.select(
        count(outcome.revealed == sa.false()).label("blind"),
        count(revealed, outcome.points.is_(None), sa.not_(void)).label("open"),
        count(revealed, void).label("void"),
    ).where(*of_two(asked))
    with current(database) as connection:
        row = connection.execute(query).one()
    listed = [
        Excluded(reason="not revealed", pairs=int(row.blind)),
        Excluded(reason="no verdict yet, or reviewers disagree and nobody has ruled", pairs=int(row.open)),
        Excluded(reason=NOT_VALID, pairs=int(row.void)),
        *(
            Excluded(reason=f"another kind of verdict ({KIND_NAMES[each.kind]})", pairs=each.n)
            for each in found.by_kind
            if each.kind not in asked.kinds
        ),
    ]
    return tuple(each for each in listed if each.pairs)


def void_pairs(database: Database, asked: ResultFilter, *, limit: int) -> tuple[VoidPair, ...]:
    """The revealed pairs that are left out since an output is not valid, by title. Raises BlindnessError."""
    outcome, comparison, ab_key = tables.outcome.c, tables.comparison.c, tables.ab_key.c
    run_a, run_b = tables.run.alias("run_a"), tables.run.alias("run_b")
    query = (
        sa.select(
            comparison.id, comparison.title, run_a.c.state.label("state_a"), run_b.c.state.label("state_b")
        )
        .select_from(
            tables.outcome.join(tables.comparison, comparison.id == outcome.comparison_id)
            .join(tables.ab_key, ab_key.comparison_id == comparison.id)
            .join(run_a, run_a.c.id == ab_key.run_a)
            .join(run_b, run_b.c.id == ab_key.run_b)
        )
        .where(*of_two(asked), _revealed(asked), _void(asked))
        .order_by(comparison.title, comparison.id)
        .limit(limit)
    )
    with current(database) as connection:
        require_revealed(connection, asked)
        rows = connection.execute(query).all()
    return tuple(
        VoidPair(
            comparison_id=row.id,
            title=row.title,
            states=tuple(
                RunState(state)
                for state in dict.fromkeys((row.state_a, row.state_b))
                if state != RunState.VALID.value
            ),
        )
        for row in rows
    )


def _revealed(asked: ResultFilter) -> sa.ColumnElement[bool]:
    """What is not revealed is counted as a whole: how many of it fit a filter could tell who made which output."""
    return sa.and_(tables.outcome.c.revealed == sa.true(), *(condition(each) for each in asked.within))


def _void(asked: ResultFilter) -> sa.ColumnElement[bool]:
    """An unusable output is the reason also where nobody judged the pair: as a rule nobody is asked to."""
    return tables.outcome.c.valid == sa.false() if asked.runs is Runs.VALID else sa.false()


def _looks(connection: Connection, asked: ResultFilter) -> tuple[ResultLook, ...]:
    """The reveals of pairs of the two, earliest first."""
    outcome, reveal_comparison, reveal = tables.outcome.c, tables.reveal_comparison.c, tables.reveal.c
    review, finalisation, judgment, attempt = (
        tables.review.c,
        tables.finalisation.c,
        tables.judgment.c,
        tables.attempt.c,
    )
    pairs = counted(asked)
    people = sa.exists().where(
        review.comparison_id == pairs.c.comparison_id,
        finalisation.review_id == review.id,
        finalisation.kind == "final",
        finalisation.at <= reveal.at,
    )
    judged = sa.exists().where(
        judgment.comparison_id == pairs.c.comparison_id,
        judgment.trial.is_(None),
        attempt.judgment_id == judgment.id,
        attempt.succeeded == sa.true(),
        attempt.at <= reveal.at,
    )
    of_people = pairs.c.kind.in_([each.value for each in PEOPLE])
    decided = sa.case((sa.and_(of_people, people), 1), (sa.and_(sa.not_(of_people), judged), 1), else_=0)
    query = (
        sa.select(
            reveal.id,
            reveal.at,
            reveal.plan,
            sa.func.count(pairs.c.comparison_id).label("counted"),
            sa.func.sum(decided).label("decided"),
        )
        .select_from(
            tables.outcome.join(
                tables.reveal_comparison, reveal_comparison.comparison_id == outcome.comparison_id
            )
            .join(tables.reveal, reveal.id == reveal_comparison.reveal_id)
            .outerjoin(pairs, pairs.c.comparison_id == outcome.comparison_id)
        )
        .where(*of_two(asked))
        .group_by(reveal.id, reveal.at)
        .order_by(reveal.at, reveal.id)
    )
    return tuple(
        ResultLook(
            at=row.at,
            counted=row.counted,
            decided=int(row.decided),
            plans=_plans(row.plan),
        )
        for row in connection.execute(query)
    )


def _plans(kept: Any) -> tuple[DecisionPlan, ...]:
    """As a reveal keeps them; before a project had several, it kept the one, or nothing."""
    several = kept if isinstance(kept, list) else [kept] if kept else []
    return tuple(DecisionPlan.model_validate(each) for each in several)
