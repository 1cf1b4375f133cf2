"""What people would say of all pairs, from the judge on all of them and people on a sample (PPI++)."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple, Self

from comparator.domain.labels import Frozen
from comparator.stats.figures import ENOUGH, LEVEL, Estimate, Interval, TooFew
from comparator.stats.shares import quantile


class TaskSums(NamedTuple):
    """One task: its labelled pairs, people's and the judge's points on them, other pairs, and the judge's on those."""

    labelled: int
    people: int
    judge: int
    others: int
    judge_others: int


class PoweredSums(NamedTuple):
    """What the estimate needs, added up over tasks: counts, totals, squares a pair, and products of tasks' sums.

    `products` holds the sums over tasks of the products of `Task`'s five fields, first with first, first with second,
    and so on without repeating any: fifteen numbers.
    """

    tasks: int
    totals: tuple[int, int, int, int, int]
    people_judge: int
    judge_squares: int
    products: tuple[int, ...]

    @classmethod
    def of(cls, tasks: Iterable[tuple[Iterable[tuple[int, int]], Iterable[int]]]) -> Self:
        """The sums of these tasks: each a list of (people's, judge's) points, and one of the judge's on other pairs."""
        listed = [(tuple(both), tuple(alone)) for both, alone in tasks]
        each = [
            TaskSums(len(both), sum(h for h, _ in both), sum(j for _, j in both), len(alone), sum(alone))
            for both, alone in listed
        ]
        return cls(
            tasks=sum(task.labelled > 0 for task in each),
            totals=tuple(sum(column) for column in zip(*each, strict=True)) if each else (0,) * 5,
            people_judge=sum(h * j for both, _ in listed for h, j in both),
            judge_squares=sum(j * j for both, alone in listed for j in (*(j for _, j in both), *alone)),
            products=tuple(sum(t[i] * t[k] for t in each) for i in range(5) for k in range(i, 5)),
        )


class Powered(Frozen):
    """The win rate that people would give on all pairs, and what the judge was worth for it."""

    rate: Estimate
    plain: Estimate
    """From the labelled pairs alone, with the same kind of interval."""
    trust: float
    """The weight that the judge got, 0 to 1: 0 where its word says nothing of people's."""
    reviews_saved: int
    """How many more reviews the plain figure would need for the same certainty."""


def powered_rate(sums: PoweredSums, *, level: float = LEVEL, trust: float | None = None) -> Powered | TooFew:
    """The rate from points of 0, 1 and 2 a pair. TooFew below 20 tasks with labelled pairs.

    Angelopoulos, Duchi and Zrnic (2023), "PPI++: Efficient Prediction-Powered Inference", the mean with its tuned
    weight (`trust` sets it), with a variance that lets the pairs of one task be alike.
    """
    if sums.tasks < ENOUGH:
        return TooFew(n=sums.tasks)
    n, people, judge, others, judge_others = sums.totals
    mean_people, mean_judge = people / n, judge / n
    weight = _weight(sums) if trust is None else trust
    if not others:
        weight = 0.0
    mean_others = judge_others / others if others else 0.0
    value = mean_people + weight * (mean_others - mean_judge)
    residual = mean_people - weight * mean_judge
    # A task's pull on the estimate, as a combination of its five sums.
    pull = (
        -residual / n,
        1 / n,
        -weight / n,
        -weight * mean_others / others if others else 0.0,
        weight / others if others else 0.0,
    )
    variance = _quadratic(sums, pull)
    plain = _quadratic(sums, (-mean_people / n, 1 / n, 0.0, 0.0, 0.0))
    z = quantile(level, units=sums.tasks)
    return Powered(
        rate=_estimate(value, variance, z=z, n=n),
        plain=_estimate(mean_people, plain, z=z, n=n),
        trust=weight,
        reviews_saved=round(n * (plain / variance - 1)) if variance > 0 and plain > variance else 0,
    )


def _weight(sums: PoweredSums) -> float:
    n, people, judge, others, judge_others = sums.totals
    every = n + others
    if not others:
        return 0.0
    together = sums.people_judge / n - people / n * judge / n
    spread = sums.judge_squares / every - ((judge + judge_others) / every) ** 2
    return min(max(together / ((1 + n / others) * spread), 0.0), 1.0) if spread > 0 else 0.0


def _quadratic(sums: PoweredSums, pull: tuple[float, ...]) -> float:
    products = iter(sums.products)
    total = 0.0
    for i in range(5):
        for k in range(i, 5):
            total += (1 if i == k else 2) * pull[i] * pull[k] * next(products)
    return max(total, 0.0) * sums.tasks / (sums.tasks - 1)


def _estimate(points: float, variance: float, *, z: float, n: int) -> Estimate:
    half = z * sqrt(variance)
    return Estimate(
        value=points / 2,
        interval=Interval(low=max((points - half) / 2, 0.0), high=min((points + half) / 2, 1.0)),
        n=n,
    )
