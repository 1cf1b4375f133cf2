"""Intervals cover the truth as often as they say: 2,000 simulated histories each, fixed seeds.

The Monte Carlo error of a share of 95% in 2,000 is 0.5 points.
"""

from typing import Any

import numpy as np
import pytest

from comparator.stats.intervals import Estimate
from comparator.stats.paired import Powered, Sums, mean, powered_rate, win_rate

HISTORIES = 2000


def inside(value: object, truth: float) -> bool:
    assert isinstance(value, Estimate)
    return truth in value.interval


def summed(values: Any) -> Sums:
    """The sums of tasks (rows) with as many observations each."""
    totals = values.sum(1)
    size = values.shape[1]
    return Sums(
        tasks=len(values),
        n=values.size,
        total=int(totals.sum()),
        squares=int((totals**2).sum()),
        products=int(totals.sum()) * size,
        sizes=len(values) * size * size,
    )


@pytest.mark.parametrize("rate", [0.2, 0.35, 0.5, 0.65, 0.8])
@pytest.mark.parametrize(("tasks", "pairs"), [(20, 1), (20, 3), (30, 1), (40, 2), (60, 1), (60, 3), (150, 2)])
def test_win_rates_cover(rate: float, tasks: int, pairs: int) -> None:
    rng = np.random.default_rng(round(rate * 100) + tasks + pairs)
    # A task's own rate varies about the truth; its pairs are alike.
    own = rng.beta(4 * rate, 4 * (1 - rate), (HISTORIES, tasks, 1))
    won, tied = rng.random((HISTORIES, tasks, pairs)), rng.random((HISTORIES, tasks, pairs)) < 0.1
    points = np.where(tied, 1, (won < own) * 2)
    truth = 0.9 * rate + 0.1 / 2

    rates = (win_rate(summed(history), tied=int((history == 1).sum())) for history in points)
    covered = np.mean([inside(estimated, truth) for estimated in rates])

    # In 20 tasks a rate has so few values that the coverage jumps by more than a point between two of them.
    assert 0.93 <= covered <= (0.97 if tasks >= 60 else 0.98)


@pytest.mark.parametrize("tasks", [20, 60])
def test_mean_differences_cover(tasks: int) -> None:
    rng = np.random.default_rng(tasks)
    drawn = rng.normal(3, 6, (HISTORIES, tasks, 1)) + rng.normal(0, 4, (HISTORIES, tasks, 3))

    covered = np.mean([inside(mean(summed(history)), 3) for history in np.rint(drawn).astype(int)])

    assert 0.93 <= covered <= 0.97


def test_the_rate_of_all_pairs_covers_and_is_narrower_than_the_plain_one() -> None:
    rng = np.random.default_rng(11)
    hits, widths, plain = [], [], []
    for _ in range(HISTORIES):
        people = (rng.random(400) < 0.6) * 2
        judge = np.where(rng.random(400) < 0.85, people, 2 - people)
        said = np.where(np.arange(400) < 80, people, np.nan)
        powered = powered_rate(np.arange(400), said, judge)
        assert isinstance(powered, Powered)
        hits.append(0.6 in powered.rate.interval)
        widths.append(powered.rate.interval.high - powered.rate.interval.low)
        plain.append(powered.plain.interval.high - powered.plain.interval.low)

    assert 0.93 <= np.mean(hits) <= 0.97
    assert np.mean(widths) < 0.85 * np.mean(plain)
