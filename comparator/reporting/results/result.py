"""The result of two candidates over the revealed pairs of a project, over its tasks."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.reporting.facts import ended, facts_of, sums
from comparator.reporting.frames import Frame
from comparator.reporting.scope import ResultFilter, VerdictKind, WonTiedLost
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.paired import Sums, mean, win_rate
from comparator.store.core.database import Database

TENTH, HUNDREDTH, HALF = 0.1, 0.01, 0.5


class Outcomes(WonTiedLost):
    """How many pairs candidate one won, tied and lost by one kind of verdict; `flipped` of them the judge read
    differently in its two orders."""

    kind: VerdictKind
    flipped: int

    def turned(self) -> Outcomes:
        """The same from the side of candidate two."""
        return self.model_copy(update={"won": self.lost, "lost": self.won})


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


def result(database: Database, asked: ResultFilter, *, known: tuple[Outcomes, ...] = ()) -> Result:
    """The result. Raises BlindnessError while no comparison of the two is revealed.

    `known` are its outcomes by kind, where they were read for the same pairs just now.
    """
    with facts_of(database, asked.project_id) as facts:
        every = facts.counted(asked, every_kind=True)
    by_kind = known or _by_kind(every)
    pairs = every[every.kind.isin(asked.kinds)]
    won, tied, lost = ended(pairs.points)
    points = sums(pairs.points, pairs.task_id)
    rates = sums(pairs.passed, pairs.task_id)
    twice = pairs.position_consistent.dropna()
    return Result(
        by_kind=by_kind,
        won=won,
        tied=tied,
        lost=lost,
        tasks=points.tasks,
        win_rate=win_rate(points, tied=tied),
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


def outcomes(database: Database, asked: ResultFilter) -> tuple[Outcomes, ...]:
    """Pairs won, tied and lost for each kind of verdict. Raises BlindnessError while nothing of the two is revealed."""
    with facts_of(database, asked.project_id) as facts:
        return _by_kind(facts.counted(asked, every_kind=True))


def _by_kind(pairs: Frame) -> tuple[Outcomes, ...]:
    found = dict(list(pairs.groupby("kind")))
    return tuple(
        Outcomes(
            kind=kind,
            **dict(zip(("won", "tied", "lost"), ended(found[kind].points), strict=True)),
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
