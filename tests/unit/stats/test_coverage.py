"""Intervals cover the truth as often as they say: 2,000 simulated histories each, fixed seeds.

The Monte Carlo error of a share of 95% in 2,000 is 0.5 points.
"""

from typing import Any

import numpy as np
import pytest

from comparator.stats.agreement import weighted_kappa
from comparator.stats.intervals import Estimate
from comparator.stats.paired import Powered, Sums, mean, powered_rate, win_rate

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
@pytest.mark.parametrize(("tasks", "pairs"), [(20, 1), (20, 3), (30, 1), (40, 2), (60, 1), (60, 3), (150, 2)])
def test_win_rates_cover(rate: float, tasks: int, pairs: int) -> None:
    rng = np.random.default_rng(round(rate * 100) + tasks + pairs)
    # A task's own rate varies about the truth; its pairs are alike.
    own = rng.beta(4 * rate, 4 * (1 - rate), (HISTORIES, tasks, 1))
    won, tied = rng.random((HISTORIES, tasks, pairs)), rng.random((HISTORIES, tasks, pairs)) < 0.1
    points = np.where(tied, 1, (won < own) * 2)
    truth = 0.9 * rate + 0.1 / 2

    rates = (win_rate(summed(history), tied=int((history == 1).sum())) for history in points)
    covered = np.mean([inside(found, truth) for found in rates])

    # In 20 tasks a rate has so few values that the coverage jumps by more than a point between two of them.
    assert 0.93 <= covered <= (0.97 if tasks >= 60 else 0.98)


@pytest.mark.soak
@pytest.mark.parametrize(("pairs", "scores"), [(20, 2), (60, 2), (60, 12)])
def test_kappas_of_scores_that_are_alike_within_a_pair_cover(pairs: int, scores: int) -> None:
    def drawn(rng: np.random.Generator, pairs: int) -> tuple[Any, Any]:
        own = rng.normal(3.2, 0.8, (pairs, 1)) + rng.normal(0, 0.6, (pairs, scores))
        judge = own + rng.normal(0.2, 0.4, (pairs, 1)) + rng.normal(0, 0.5, (pairs, scores))
        person = own + rng.normal(0, 0.3, (pairs, 1)) + rng.normal(0, 0.5, (pairs, scores))
        return tuple(np.clip(np.rint(each), 1, 5).astype(int) for each in (judge, person))  # type: ignore[return-value]

    def crossed(judge: Any, person: Any) -> list[list[int]]:
        met = np.zeros((5, 5), dtype=int)
        np.add.at(met, (judge.ravel() - 1, person.ravel() - 1), 1)
        return met.tolist()

    rng = np.random.default_rng(pairs + scores)
    every = weighted_kappa(crossed(*drawn(rng, 400_000)))
    assert isinstance(every, Estimate)
    hits = []
    for _ in range(HISTORIES):
        judge, person = drawn(rng, pairs)
        found = weighted_kappa(crossed(judge, person), alike=summed(judge - person))
        hits.append(inside(found, every.value))

    # Conservative where many scores are alike: the design effect of the mean difference is more than that of kappa.
    assert 0.93 <= np.mean(hits) <= 0.985


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
        found = powered_rate(np.arange(400), said, judge)
        assert isinstance(found, Powered)
        hits.append(0.6 in found.rate.interval)
        widths.append(found.rate.interval.high - found.rate.interval.low)
        plain.append(found.plain.interval.high - found.plain.interval.low)

    assert 0.93 <= np.mean(hits) <= 0.97
    assert np.mean(widths) < 0.85 * np.mean(plain)
