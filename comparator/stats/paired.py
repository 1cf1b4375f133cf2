"""Paired comparisons, of which several may belong to one task: win rate, mean difference, and PPI++."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple, Self

from comparator.domain.labels import Frozen
from comparator.stats.intervals import (
    ENOUGH,
    LEAST_PAIRS,
    LEAST_TASKS,
    LEVEL,
    Estimate,
    Interval,
    TooFew,
    quantile,
    wilson,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


LEAST_EFFECT = 0.25
"""Many ties make a rate sure, but not surer than four times its pairs would."""

MOST_EACH = 4
"""Of fewer than 20 tasks each counts as at most so many pairs: tasks that are alike by chance would say too much."""


class Sums(NamedTuple):
    """Whole-number observations that were added up task by task: all that mean and interval need.

    With n_t observations of sum s_t in task t: `tasks` counts the tasks, `n` is the sum of n_t, `total` of s_t,
    `squares` of s_t squared, `products` of s_t n_t, and `sizes` of n_t squared.
    """

    tasks: int
    n: int
    total: int
    squares: int
    products: int
    sizes: int

    @classmethod
    def of(cls, tasks: Iterable[Iterable[int]]) -> Self:
        """The sums of these observations, listed by task; a task without any does not count."""
        return cls.added((len(values), sum(values)) for values in map(tuple, tasks) if values)

    @classmethod
    def added(cls, tasks: Iterable[tuple[int, int]]) -> Self:
        """The sums of tasks with these numbers of observations, at least one each, and what each adds up to."""
        pairs = tuple(tasks)
        return cls(
            tasks=len(pairs),
            n=sum(n for n, _ in pairs),
            total=sum(s for _, s in pairs),
            squares=sum(s * s for _, s in pairs),
            products=sum(s * n for n, s in pairs),
            sizes=sum(n * n for n, _ in pairs),
        )

    @property
    def variance_of_mean(self) -> float:
        """The cluster-robust variance of the mean (CR1); needs two tasks."""
        mean = self.total / self.n
        left = self.squares - 2 * mean * self.products + mean * mean * self.sizes
        return max(left, 0.0) / self.n**2 * self.tasks / (self.tasks - 1)


def mean(sums: Sums, *, unit: float = 1.0) -> Estimate | TooFew:
    """The mean of the observations times `unit`, with a t interval that lets those of one task be alike.

    The variance is the cluster-robust one (Liang and Zeger 1986, with the factor G/(G-1)), the degrees of freedom
    are tasks - 1. TooFew below 20 tasks, which is what `n` of the result counts.
    """
    if sums.tasks < ENOUGH:
        return TooFew(n=sums.tasks)
    from scipy.special import stdtrit  # a page without statistics must not load scipy

    middle = sums.total / sums.n
    half = float(stdtrit(sums.tasks - 1, 0.5 + LEVEL / 2)) * sqrt(sums.variance_of_mean)
    return Estimate(
        value=middle * unit,
        interval=Interval(low=(middle - half) * unit, high=(middle + half) * unit),
        n=sums.tasks,
    )


def win_rate(points: Sums, *, tied: int = 0) -> Estimate | TooFew:
    """The share of pairs won, ties counted as half, with Wilson's interval. `points` are 2, 1 or 0 a pair.

    Wilson's n is divided by the design effect: the variance over the binomial one, which ties make smaller (`tied`
    says how many there are; never below a quarter) and pairs of one task that are alike make larger. Below 60 tasks
    Student's quantile takes the normal one's place (Korn and Graubard 1998), and below 20 a task counts as four pairs
    at most: the interval is wide, and the rate `few`. TooFew below 5 tasks or 10 pairs.
    """
    if points.tasks < LEAST_TASKS:
        return TooFew(n=points.tasks, needed=LEAST_TASKS)
    if points.n < LEAST_PAIRS:
        return TooFew(n=points.n, needed=LEAST_PAIRS)
    rate = points.total / (2 * points.n)
    binomial = rate * (1 - rate)
    # Every task won by one side: as alike as they can be.
    effect = points.n / points.tasks
    if binomial:
        won = (points.total - tied) / 2
        smallest = max(((won + tied / 4) / points.n - rate * rate) / binomial, LEAST_EFFECT)
        effect = smallest
        if points.n > points.tasks:
            effect = max(points.variance_of_mean / 4 / (binomial / points.n), smallest)
    few = points.tasks < ENOUGH
    effective = min(points.n / effect, MOST_EACH * points.tasks) if few else points.n / effect
    interval = wilson(rate * effective, effective, units=points.tasks)
    return Estimate(value=rate, interval=interval, n=points.n, few=few)


class Powered(Frozen):
    """The win rate that people would give on all pairs, and what the judge was worth for it."""

    rate: Estimate
    plain: Estimate
    """From the labelled pairs alone, with the same kind of interval."""
    trust: float
    """The weight that the judge got, 0 to 1: 0 where its word says nothing of people's."""
    reviews_saved: int
    """How many more reviews the plain figure would need for the same certainty."""


def powered_rate(tasks: ArrayLike, people: ArrayLike, judge: ArrayLike) -> Powered | TooFew:
    """The rate from each pair's task, people's points of 0, 1 and 2 (NaN: not reviewed) and the judge's.

    TooFew below 20 tasks with reviewed pairs. Angelopoulos, Duchi and Zrnic (2023), "PPI++: Efficient
    Prediction-Powered Inference", the mean with its tuned weight, with a variance that lets the pairs
    of one task be alike.
    """
    import numpy as np

    said, judged = np.asarray(people, dtype=float), np.asarray(judge, dtype=float)
    done = ~np.isnan(said)
    _, of = np.unique(np.asarray(tasks), return_inverse=True)
    columns = (done, np.where(done, said, 0), np.where(done, judged, 0), ~done, np.where(done, 0, judged))
    sums = np.stack([np.bincount(of, weights=column) for column in columns], axis=1)
    units = int((sums[:, 0] > 0).sum())
    if units < ENOUGH:
        return TooFew(n=units)
    labelled, by_people, by_judge, others, on_others = map(float, sums.sum(0))
    mean_people, mean_judge = by_people / labelled, by_judge / labelled
    mean_others = on_others / others if others else 0.0
    weight, spread = 0.0, float(judged.var())
    if others and spread > 0:
        together = float((said[done] * judged[done]).mean()) - mean_people * mean_judge
        weight = min(max(together / ((1 + labelled / others) * spread), 0.0), 1.0)

    def variance(*pull: float) -> float:
        """The cluster-robust variance of the sum of a task's five sums, each with its pull on the estimate."""
        return float(((sums @ pull) ** 2).sum()) * units / (units - 1)

    with_judge = variance(
        -(mean_people - weight * mean_judge) / labelled,
        1 / labelled,
        -weight / labelled,
        -weight * mean_others / others if others else 0.0,
        weight / others if others else 0.0,
    )
    alone = variance(-mean_people / labelled, 1 / labelled, 0.0, 0.0, 0.0)
    z = quantile(LEVEL, units=units)

    def estimate(points: float, variance: float) -> Estimate:
        low, high = ((points + side * z * sqrt(variance)) / 2 for side in (-1, 1))
        return Estimate(
            value=points / 2, interval=Interval(low=max(low, 0.0), high=min(high, 1.0)), n=int(labelled)
        )

    saved = round(labelled * (alone / with_judge - 1)) if 0 < with_judge < alone else 0
    return Powered(
        rate=estimate(mean_people + weight * (mean_others - mean_judge), with_judge),
        plain=estimate(mean_people, alone),
        trust=weight,
        reviews_saved=saved,
    )
