"""What people would say of all pairs, from the judge on all of them and people on a sample (PPI++)."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from comparator.domain.labels import Frozen
from comparator.stats.figures import ENOUGH, LEVEL, Estimate, Interval, TooFew, quantile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Powered(Frozen):
    """The win rate that people would give on all pairs, and what the judge was worth for it."""

    rate: Estimate
    plain: Estimate
    """From the labelled pairs alone, with the same kind of interval."""
    trust: float
    """The weight that the judge got, 0 to 1: 0 where its word says nothing of people's."""
    reviews_saved: int
    """How many more reviews the plain figure would need for the same certainty."""


def powered_rate(
    tasks: ArrayLike, people: ArrayLike, judge: ArrayLike, *, level: float = LEVEL, trust: float | None = None
) -> Powered | TooFew:
    """The rate from each pair's task, people's points of 0, 1 and 2 (NaN: not reviewed) and the judge's.

    TooFew below 20 tasks with reviewed pairs. Angelopoulos, Duchi and Zrnic (2023), "PPI++: Efficient
    Prediction-Powered Inference", the mean with its tuned weight (`trust` sets it), with a variance that lets the pairs
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
    weight, spread = trust or 0.0, float(judged.var())
    if not others:
        weight = 0.0
    elif trust is None and spread > 0:
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
    z = quantile(level, units=units)

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
