"""Win rates, differences and sign tests against published and independent values."""

import itertools
from collections.abc import Iterable, Sequence

import evalica
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from comparator.stats.intervals import Estimate, TooFew, share, wilson
from comparator.stats.paired import LEAST_EFFECT, Sums, mean, win_rate
from comparator.stats.ranking import HeadToHead, NotConnected, Ranked, bradley_terry

tasks_of_points = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), min_size=20, max_size=60)


def estimate(value: object) -> Estimate:
    assert isinstance(value, Estimate)
    return value


def by_statsmodels(tasks: Iterable[Sequence[int]]) -> tuple[float, float, float]:
    """A win rate and its interval from the points (2, 1 or 0) of each task's pairs, by statsmodels and scipy."""
    every = [np.array(points) / 2 for points in tasks]
    values, groups = np.concatenate(every), np.repeat(np.arange(len(every)), [len(group) for group in every])
    rate, n = values.mean(), len(values)
    fitted = sm.OLS(values, np.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    one_a_task = n == len(every)
    spread = max(
        0.0 if one_a_task else fitted.cov_params()[0, 0] * n, values.var(), LEAST_EFFECT * rate * (1 - rate)
    )
    effective = n * rate * (1 - rate) / spread
    z = scipy_stats.t.ppf(0.975, len(every) - 1) if len(every) < 60 else scipy_stats.norm.ppf(0.975)
    alpha = 2 * scipy_stats.norm.sf(z)
    low, high = proportion_confint(rate * effective, effective, alpha=alpha, method="wilson")
    return float(rate), float(low), float(high)


def mean_by_statsmodels(values: Iterable[float], tasks: Iterable[int]) -> tuple[float, float, float]:
    """The mean and its interval, which lets the values of one task be alike."""
    every, groups = np.array(list(values), dtype=float), np.array(list(tasks))
    model = sm.OLS(every, np.ones(len(every)))
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    ((low, high),) = fitted.conf_int()
    return float(fitted.params[0]), float(low), float(high)


def numbers(value: object) -> tuple[float, float, float]:
    """A rate or a mean and the ends of its interval."""
    known = estimate(value)
    return known.value, known.interval.low, known.interval.high


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_statsmodels_and_mirrors(case: tuple[int, int]) -> None:
    successes, n = case
    interval, mirrored = wilson(successes, n), wilson(n - successes, n)

    low, high = proportion_confint(successes, n, method="wilson")
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((interval.low, interval.high), abs=1e-12)
    assert 0 <= interval.low <= successes / n <= interval.high <= 1


def test_below_twenty_there_is_no_share_and_a_win_rate_of_few_tasks() -> None:
    assert share(19, 19) == TooFew(n=19, needed=20)
    assert estimate(share(20, 20)).value == 1
    for four in ([[2] * 30] * 4, [[2], [0], [2], [0]]):
        assert win_rate(Sums.of(four)) == TooFew(n=4, needed=5)
    assert win_rate(Sums.of([[2]] * 9)) == TooFew(n=9, needed=10)
    few, enough = (estimate(win_rate(Sums.of([[2, 0, 2, 2]] * tasks))) for tasks in (19, 20))
    assert (few.few, enough.few) == (True, False)
    # Tasks that are alike by chance are not taken for more than four pairs each.
    many = estimate(win_rate(Sums.of([[2, 0, 2, 2] * 20] * 8)))
    assert many.interval == wilson(0.75 * 32, 32, units=8)
    assert mean(Sums.of([[1, 2, 3]] * 19)) == TooFew(n=19)


def test_a_mean_of_several_pairs_a_task_has_the_clustered_interval_of_statsmodels() -> None:
    rng = np.random.default_rng(4)
    tasks = [
        [int(v) for v in rng.integers(-20, 30) + rng.integers(-5, 6, rng.integers(1, 6))] for _ in range(25)
    ]
    flat = [float(v) for task in tasks for v in task]
    groups = [at for at, task in enumerate(tasks) for _ in task]

    assert numbers(mean(Sums.of(tasks))) == pytest.approx(mean_by_statsmodels(flat, groups))
    tenths = mean_by_statsmodels([v / 10 for v in flat], groups)
    assert numbers(mean(Sums.of(tasks), unit=0.1)) == pytest.approx(tenths)


@pytest.mark.parametrize("tasks", [25, 70])
@pytest.mark.parametrize("most", [1, 5])
def test_a_win_rate_of_unequal_tasks_has_the_clustered_variance_of_statsmodels(tasks: int, most: int) -> None:
    rng = np.random.default_rng(tasks + most)
    # The pairs of one task are much alike.
    points = [
        [int(p) for p in rng.choice([2, 1, 0], rng.integers(1, most + 1), p=rng.permutation([0.7, 0.2, 0.1]))]
        for _ in range(tasks)
    ]
    tied = sum(points_of_task.count(1) for points_of_task in points)
    assert tied

    assert numbers(win_rate(Sums.of(points), tied=tied)) == pytest.approx(by_statsmodels(points))


@given(tasks_of_points)
def test_swapping_the_candidates_mirrors_rate_and_mean(tasks: list[list[int]]) -> None:
    rate, other = (estimate(win_rate(Sums.of(t))) for t in (tasks, [[2 - p for p in t] for t in tasks]))
    middle = estimate(mean(Sums.of([[p - 1 for p in t] for t in tasks])))
    turned = estimate(mean(Sums.of([[1 - p for p in t] for t in tasks])))

    assert rate.value == pytest.approx(1 - other.value)
    assert rate.interval.low == pytest.approx(1 - other.interval.high)
    assert 0 <= rate.interval.low <= rate.value <= rate.interval.high <= 1
    assert middle.interval.low == pytest.approx(-turned.interval.high)


def test_one_pair_a_task_has_wilsons_interval_with_students_quantile_and_ties_count_half() -> None:
    points = Sums.of([[2]] * 14 + [[1]] * 4 + [[0]] * 6)
    wide, narrowed = estimate(win_rate(points)), estimate(win_rate(points, tied=4))

    assert wide.value == pytest.approx(16 / 24)
    assert wide.interval.low == pytest.approx(wilson(16, 24, units=24).low)
    # Ties vary less than wins and losses: (14 + 4 / 4) / 24 - (2 / 3)^2 where binomial is 2/9.
    effective = 24 / (((14 + 1) / 24 - 4 / 9) / (2 / 9))
    assert (narrowed.interval.low, narrowed.interval.high) == pytest.approx(
        tuple(wilson(effective * 2 / 3, effective, units=24).model_dump().values())
    )


def test_pairs_that_repeat_their_task_add_no_certainty() -> None:
    five_times = estimate(win_rate(Sums.of([[2] * 5] * 14 + [[0] * 5] * 10)))

    single = wilson(14, 24, units=24)
    assert five_times.n == 120
    width = five_times.interval.high - five_times.interval.low
    assert width == pytest.approx(single.high - single.low, rel=0.03)
    assert estimate(win_rate(Sums.of([[2, 2, 2]] * 20))).interval == wilson(20, 20, units=20)
    assert wilson(16, 24, units=24).low < wilson(16, 24).low
    assert wilson(40, 60, units=60) == wilson(40, 60)


@pytest.mark.parametrize("n", [60, 120])
def test_wilson_covers_the_truth_as_often_as_it_says(n: int) -> None:
    # Exact, not simulated: coverage swings with the rate because wins are whole, so its mean is held to the level.
    intervals = [wilson(k, n) for k in range(n + 1)]
    covered = [
        sum(float(scipy_stats.binom.pmf(k, n, rate)) for k in range(n + 1) if rate in intervals[k])
        for rate in np.arange(0.2, 0.8, 0.01)
    ]

    assert min(covered) >= 0.93
    assert max(covered) <= 0.97
    assert np.mean(covered) == pytest.approx(0.95, abs=0.005)


def ranked(value: object) -> tuple[Ranked, ...]:
    assert isinstance(value, tuple)
    return value


def test_two_candidates_are_ranked_by_their_win_rate() -> None:
    first, second = ranked(bradley_terry([HeadToHead("x", "y", won=30, lost=8, tied=2)]))

    assert (first.id, second.id) == ("x", "y")
    assert first.against_others.value == pytest.approx(31 / 40, abs=1e-4)
    assert first.against_others.value + second.against_others.value == pytest.approx(1)
    assert first.against_others.interval.low < 31 / 40 < first.against_others.interval.high
    assert first.against_others.n == 40


def test_candidates_without_a_chain_both_ways_are_not_ranked() -> None:
    never_lost = [HeadToHead("x", "y", 5, 0, 0), HeadToHead("y", "z", 3, 2, 0)]
    apart = [HeadToHead("x", "y", 3, 3, 0), HeadToHead("v", "w", 2, 2, 0)]

    assert bradley_terry(never_lost) == NotConnected(groups=(("x",), ("y", "z")))
    assert bradley_terry(apart) == NotConnected(groups=(("v", "w"), ("x", "y")))


def test_neither_another_run_nor_naming_the_pair_the_other_way_round_changes_anything() -> None:
    met = [HeadToHead("x", "y", 12, 9, 1), HeadToHead("y", "z", 11, 10, 4), HeadToHead("x", "z", 13, 5, 0)]
    turned = [HeadToHead(p.two, p.one, p.lost, p.won, p.tied) for p in met]

    one, other = ranked(bradley_terry(met)), ranked(bradley_terry(turned))

    assert bradley_terry(met) == one
    assert [place.id for place in one] == [place.id for place in other]
    shares, others = ([place.against_others.value for place in ranking] for ranking in (one, other))
    assert shares == pytest.approx(others, abs=1e-4)


@given(st.lists(st.tuples(*[st.integers(1, 30)] * 3), min_size=6, max_size=6))
def test_the_order_and_its_shares_are_evalicas(results: list[tuple[int, int, int]]) -> None:
    pairs = list(itertools.combinations("wxyz", 2))
    met = [HeadToHead(*both, *result) for both, result in zip(pairs, results, strict=True)]
    outcomes = (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)
    games = [
        (one, two, outcome, float(n))
        for one, two, *counts in met
        for outcome, n in zip(outcomes, counts, strict=True)
    ]

    ones, twos, ends, weights = (list(column) for column in zip(*games, strict=True))
    scores = evalica.bradley_terry(ones, twos, ends, weights=weights).scores
    expected = {
        id: sum(scores[id] / (scores[id] + scores[other]) for other in "wxyz" if other != id) / 3
        for id in "wxyz"
    }

    strengths = {place.id: place.against_others.value for place in ranked(bradley_terry(met))}
    assert strengths == pytest.approx(expected, abs=1e-3)
