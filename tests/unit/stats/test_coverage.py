"""Intervals cover the truth as often as they say: 2,000 simulated histories each, fixed seeds.

The Monte Carlo error of a share of 95% in 2,000 is 0.5 points.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from comparator.stats.figures import Estimate, Interval
from comparator.stats.paired import Sums, mean, win_rate
from comparator.stats.powered import Powered, PoweredSums, powered_rate

HISTORIES = 2000


def inside(found: object, truth: float) -> bool:
    assert isinstance(found, Estimate)
    return truth in found.interval


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
@pytest.mark.parametrize(("tasks", "pairs"), [(60, 1), (60, 3), (150, 2)])
def test_win_rates_cover(rate: float, tasks: int, pairs: int) -> None:
    rng = np.random.default_rng(round(rate * 100) + tasks + pairs)
    # A task's own rate varies about the truth; its pairs are alike.
    own = rng.beta(4 * rate, 4 * (1 - rate), (HISTORIES, tasks, 1))
    won, tied = rng.random((HISTORIES, tasks, pairs)), rng.random((HISTORIES, tasks, pairs)) < 0.1
    points = np.where(tied, 1, (won < own) * 2)
    truth = 0.9 * rate + 0.1 / 2

    covered = np.mean(
        [inside(win_rate(summed(history), tied=int((history == 1).sum())), truth) for history in points]
    )

    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize("tasks", [20, 60])
def test_mean_differences_cover(tasks: int) -> None:
    rng = np.random.default_rng(tasks)
    values = np.rint(
        rng.normal(3, 6, (HISTORIES, tasks, 1)) + rng.normal(0, 4, (HISTORIES, tasks, 3))
    ).astype(int)

    covered = np.mean([inside(mean(summed(history)), 3) for history in values])

    assert 0.93 <= covered <= 0.97


def test_the_rate_of_all_pairs_covers_and_is_narrower_than_the_plain_one() -> None:
    rng = np.random.default_rng(11)
    hits, widths, plain = [], [], []
    for _ in range(HISTORIES):
        people = (rng.random(400) < 0.6) * 2
        judge = np.where(rng.random(400) < 0.85, people, 2 - people)
        h, j, u = people[:80], judge[:80], judge[80:]
        found = powered_rate(of_columns(h, j, u))
        assert isinstance(found, Powered)
        hits.append(0.6 in found.rate.interval)
        widths.append(width(found.rate.interval))
        plain.append(width(found.plain.interval))

    assert 0.93 <= np.mean(hits) <= 0.97
    assert np.mean(widths) < 0.85 * np.mean(plain)


def of_columns(h: Any, j: Any, u: Any) -> PoweredSums:
    """The sums of one pair a task, from columns."""
    n, others = len(h), len(u)
    rows = np.concatenate(
        [
            np.stack([np.ones(n), h, j, np.zeros(n), np.zeros(n)], axis=1),
            np.stack([np.zeros(others), np.zeros(others), np.zeros(others), np.ones(others), u], axis=1),
        ]
    ).astype(int)
    cross = rows.T @ rows
    total = rows.sum(0).tolist()
    return PoweredSums(
        tasks=n,
        totals=(total[0], total[1], total[2], total[3], total[4]),
        people_judge=int((h * j).sum()),
        judge_squares=int((j * j).sum() + (u * u).sum()),
        products=tuple(int(cross[i, k]) for i in range(5) for k in range(i, 5)),
    )


def width(interval: Interval) -> float:
    return interval.high - interval.low
