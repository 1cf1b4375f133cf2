"""The result of two candidates over the revealed pairs of a project: its reviewers, and all pairs by people."""

from collections.abc import Iterable

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of, rated, sums
from comparator.reporting.frames import Frame
from comparator.reporting.scope import Rated, ResultFilter, Runs, VerdictKind, Verdicts
from comparator.stats.intervals import Estimate, TooFew
from comparator.stats.paired import Powered, Sums, mean, powered_rate
from comparator.store import tables
from comparator.store.core.database import Database

TENTH, HUNDREDTH, HALF = 0.1, 0.01, 0.5


class Difference(Frozen):
    """The mean of candidate one minus candidate two over `pairs`, in points; None without any pair."""

    mean: float | None
    pairs: int
    estimate: Estimate | TooFew


class Result(Rated):
    """What the counted verdicts say of candidate one against candidate two."""

    by_kind: dict[VerdictKind, int]
    """How many pairs have each kind of verdict, whether it is counted here or not."""
    overall: Difference
    content: Difference
    structure: Difference
    met_one: float | None
    """The mean share of expectations met, 0 to 1, over the pairs whose task has any; None without such pairs."""
    met_two: float | None
    read_twice: int
    """Counted pairs that the judge read in both orders; `consistent` of them with the same winner."""
    consistent: int


def result(database: Database, result_filter: ResultFilter) -> Result:
    """The result. Raises BlindnessError while no comparison of the two is revealed."""
    with facts_of(database, result_filter.project_id) as facts:
        every = facts.counted(result_filter, every_kind=True)
    pairs = every[every.kind.isin(result_filter.kinds)]
    twice = pairs.position_consistent.dropna()
    return Result(
        by_kind={kind: n for kind in VerdictKind if (n := int((every.kind == kind).sum()))},
        **dict(rated(pairs.points, pairs.task_id)),
        overall=difference_of(sums(pairs.overall, pairs.task_id)),
        content=difference_of(sums(pairs.content, pairs.task_id)),
        structure=difference_of(sums(pairs.structure, pairs.task_id)),
        met_one=mean_of(pairs.passed_one, HUNDREDTH),
        met_two=mean_of(pairs.passed_two, HUNDREDTH),
        read_twice=len(twice),
        consistent=int(twice.sum()),
    )


def mean_of(values: Frame, unit: float) -> float | None:
    """The mean of these whole numbers of a unit; None where none is known."""
    known = values.dropna()
    return int(known.sum()) / len(known) * unit if len(known) else None


def difference_of(sums: Sums, *, unit: float = TENTH) -> Difference:
    """A mean difference with its interval, from sums in this unit of a point."""
    return Difference(
        mean=sums.total / sums.n * unit if sums.n else None, pairs=sums.n, estimate=mean(sums, unit=unit)
    )


def reviewed_by(database: Database, result_filter: ResultFilter) -> tuple[tuple[str, int], ...]:
    """The name of everybody with a final review of a counted pair, and of how many, the busiest first.

    Raises BlindnessError.
    """
    person = tables.person.c
    with facts_of(database, result_filter.project_id) as facts:
        pairs, reviews = facts.counted(result_filter), facts.reviews
        own = reviews[reviews.comparison_id.isin(pairs.index)].groupby("person").comparison_id.nunique()
        query = sa.select(person.id, person.name).where(person.id.in_(own.index.to_list()))
        reviewers = [(row.name, int(own[row.id])) for row in facts.connection.execute(query)]
    return tuple(sorted(reviewers, key=lambda reviewer: (-reviewer[1], reviewer[0])))


def not_reviewed(database: Database, project_id: str, sets: Iterable[tuple[str, str]]) -> int:
    """How many unrevealed pairs of these sets of two candidates (their ids) have no final review."""
    with facts_of(database, project_id) as facts:
        pairs = facts.pairs
    theirs = pairs.both.isin([" ".join(sorted(ids)) for ids in sets])
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


def all_pairs(database: Database, result_filter: ResultFilter) -> AllPairs:
    """The estimate for the two candidates. Raises BlindnessError while nothing of the two is revealed."""
    # Pairs that only the judge has spoken on belong to it as much as reviewed ones.
    with facts_of(database, result_filter.project_id) as facts:
        pairs = facts.counted(result_filter.copy_with(verdicts=Verdicts.EITHER))
        every = facts.revealed(result_filter)
    if result_filter.runs is Runs.VALID:
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
