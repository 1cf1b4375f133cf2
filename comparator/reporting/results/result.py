"""The result of two candidates over the revealed pairs of a project: its reviewers, and all pairs by people."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.facts import ended, facts_of, sums
from comparator.reporting.frames import Frame
from comparator.reporting.scope import ResultFilter, Runs, VerdictKind, Verdicts, WonTiedLost
from comparator.stats.intervals import Estimate, TooFew
from comparator.stats.paired import Powered, Sums, mean, powered_rate, win_rate
from comparator.store import tables
from comparator.store.core.database import Database

TENTH, HUNDREDTH, HALF = 0.1, 0.01, 0.5


class Outcomes(WonTiedLost):
    """How many pairs candidate one won, tied and lost by one kind of verdict; `flipped` of them the judge read
    differently in its two orders."""

    kind: VerdictKind
    flipped: int


class Difference(Frozen):
    """The mean of candidate one minus candidate two over `pairs`, in points; None without any pair."""

    mean: float | None
    pairs: int
    estimate: Estimate | TooFew


class PassRates(Frozen):
    """The mean share of expectations that each met, 0 to 1, over the pairs whose task has any."""

    pairs: int
    one: float
    two: float
    difference: Estimate | TooFew


class Result(WonTiedLost):
    """What the counted verdicts say of candidate one against candidate two."""

    by_kind: tuple[Outcomes, ...]
    """Of every kind of verdict, whether it is counted here or not."""
    tasks: int
    win_rate: Estimate | TooFew
    overall: Difference
    content: Difference
    structure: Difference
    pass_rates: PassRates | None
    read_twice: int
    """Counted pairs that the judge read in both orders; `consistent` of them with the same winner."""
    consistent: int


def result(database: Database, asked: ResultFilter) -> Result:
    """The result. Raises BlindnessError while no comparison of the two is revealed."""
    with facts_of(database, asked.project_id) as facts:
        every = facts.counted(asked, every_kind=True)
    pairs = every[every.kind.isin(asked.kinds)]
    outcomes = ended(pairs.points)
    points = sums(pairs.points, pairs.task_id)
    rates = sums(pairs.passed, pairs.task_id)
    twice = pairs.position_consistent.dropna()
    return Result(
        by_kind=_by_kind(every),
        **outcomes,
        tasks=points.tasks,
        win_rate=win_rate(points, tied=outcomes["tied"]),
        overall=difference_of(sums(pairs.overall, pairs.task_id)),
        content=difference_of(sums(pairs.content, pairs.task_id)),
        structure=difference_of(sums(pairs.structure, pairs.task_id)),
        pass_rates=PassRates(
            pairs=rates.n,
            one=float(pairs.passed_one.sum()) / rates.n * HUNDREDTH,
            two=float(pairs.passed_two.sum()) / rates.n * HUNDREDTH,
            difference=mean(rates, unit=HUNDREDTH),
        )
        if rates.n
        else None,
        read_twice=len(twice),
        consistent=int(twice.sum()),
    )


def _by_kind(pairs: Frame) -> tuple[Outcomes, ...]:
    found = dict(list(pairs.groupby("kind")))
    return tuple(
        Outcomes(
            kind=kind,
            **ended(found[kind].points),
            flipped=int(found[kind].position_consistent.eq(False).sum()),
        )
        for kind in VerdictKind
        if kind in found
    )


def difference_of(sums: Sums, *, unit: float = TENTH) -> Difference:
    """A mean difference with its interval, from sums in this unit of a point."""
    return Difference(
        mean=sums.total / sums.n * unit if sums.n else None, pairs=sums.n, estimate=mean(sums, unit=unit)
    )


class ReviewedBy(Frozen):
    """A person, and how many of the counted pairs they have a final review of."""

    id: str
    name: str
    pairs: int


def reviewed_by(database: Database, asked: ResultFilter) -> tuple[ReviewedBy, ...]:
    """Everybody with a final review of a counted pair, the busiest first. Raises BlindnessError."""
    person = tables.person.c
    with facts_of(database, asked.project_id) as facts:
        pairs, reviews = facts.counted(asked), facts.reviews
        own = reviews[reviews.comparison_id.isin(pairs.index)].groupby("person").comparison_id.nunique()
        query = sa.select(person.id, person.name).where(person.id.in_(own.index.to_list()))
        found = [
            ReviewedBy(id=row.id, name=row.name, pairs=int(own[row.id]))
            for row in facts.connection.execute(query)
        ]
    return tuple(sorted(found, key=lambda each: (-each.pairs, each.name)))


def not_reviewed(database: Database, project_id: str, sets: Iterable[tuple[str, str]]) -> int:
    """How many unrevealed pairs of these sets of two candidates (their ids) have no final review."""
    with facts_of(database, project_id) as facts:
        pairs = facts.pairs
    theirs = pairs.both.isin([" ".join(sorted(each)) for each in sets])
    return int((theirs & ~pairs.revealed & (pairs.final_reviews == 0)).sum())


UNTOLD = (VerdictKind.BLIND, VerdictKind.REVEALING)
"""What stands for people: no verdict of those who set the pair up, or knew which output was whose."""


class AllPairs(Frozen):
    """What people would say of all pairs that a model judged; `reviewed` of the `sample` are done, by people who were
    told nothing of the candidates."""

    pairs: int
    sample: int
    reviewed: int
    powered: Powered | TooFew | None
    """None where there is no sample, or nobody reviewed any of it."""

    @property
    def finished(self) -> bool:
        """Whether all of the sample is reviewed: only then may it stand for all pairs."""
        return self.sample > 0 and self.reviewed == self.sample


def all_pairs(database: Database, asked: ResultFilter) -> AllPairs:
    """The estimate for the two candidates. Raises BlindnessError while nothing of the two is revealed."""
    # Pairs that only the judge has spoken on belong to it as much as reviewed ones.
    with facts_of(database, asked.project_id) as facts:
        pairs = facts.counted(asked.model_copy(update={"verdicts": Verdicts.EITHER}))
        every = facts.revealed(asked)
    if asked.runs is Runs.VALID:
        every = every[every.valid]
    # They wait for a ruling: their reviewers disagree.
    contested = (every.audited & every.judge_points.notna() & every.points.isna()).sum()
    pairs = pairs[pairs.judge_points.notna()]
    done = pairs.audited & pairs.kind.isin(UNTOLD)
    people = pairs.points.astype(float).where(done)
    return AllPairs(
        pairs=len(pairs),
        sample=int(pairs.audited.sum()) + int(contested),
        reviewed=int(done.sum()),
        powered=powered_rate(pairs.task_id, people, pairs.judge_points.astype(float)) if done.any() else None,
    )
