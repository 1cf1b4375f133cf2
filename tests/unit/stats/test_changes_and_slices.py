"""Steps, turning points and parts that stand out: against scipy and statsmodels, and on histories without any."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

from comparator.stats.changes import common_step, turning_point, usual_change
from comparator.stats.multiple_testing import benjamini_hochberg
from comparator.stats.slices import chance, mann_whitney


def test_benjamini_and_hochberg_name_what_statsmodels_names() -> None:
    rng = random.Random(1)
    for _ in range(200):
        chances = [rng.random() ** 3 for _ in range(20)]
        expected = multipletests(chances, alpha=0.05, method="fdr_bh")[0]
        assert list(benjamini_hochberg(chances)) == list(expected)


def test_a_step_has_the_t_test_of_scipy_times_the_places_tried() -> None:
    rng = random.Random(2)
    shares = [rng.gauss(0.45, 0.04) for _ in range(19)] + [rng.gauss(0.7, 0.04) for _ in range(13)]

    found = common_step(shares)

    assert found is not None
    assert found.at == 19
    p = min(float(scipy_stats.ttest_ind(shares[:at], shares[at:]).pvalue) for at in range(3, 30))
    assert found.p == pytest.approx(p * 27)


def test_a_history_without_a_step_has_none_in_95_of_100() -> None:
    rng = random.Random(3)
    named = sum(common_step([rng.gauss(0.5, 0.08) for _ in range(32)]) is not None for _ in range(1000))

    assert named <= 50


def test_a_turning_point_has_the_exact_test_of_scipy_times_the_places_tried() -> None:
    series = [1.0] * 20 + [-1.0, 0.0, None, -1.0, -1.0, -1.0]

    found = turning_point(series)

    assert found is not None
    assert found.at == 20
    expected = scipy_stats.fisher_exact([[20, 0], [0, 4]]).pvalue
    assert found.p == pytest.approx(expected * 23)
    assert turning_point([1.0, None, 1.0]) is None


@pytest.mark.slow
def test_tasks_that_only_vary_turn_in_at_most_5_of_100_histories() -> None:
    rng = random.Random(4)
    histories = 0
    for _ in range(300):
        turns = [turning_point([rng.choice((-1.0, 1.0)) for _ in range(20)]) for _ in range(20)]
        histories += any(benjamini_hochberg([1.0 if turn is None else turn.p for turn in turns]))

    assert histories <= 15


def test_the_usual_change_is_exceeded_by_5_of_100_changes() -> None:
    rng = random.Random(5)
    tasks = [[rng.gauss(0, 1) for _ in range(30)] for _ in range(40)]

    most = usual_change(tasks)

    assert most is not None
    changes = [abs(b - a) for each in tasks for a, b in pairwise(each)]
    assert sum(change > most for change in changes) / len(changes) == pytest.approx(0.05, abs=0.001)
    assert usual_change([[1.0, 2.0]]) is None


def test_mann_and_whitney_agree_with_scipy() -> None:
    rng = random.Random(6)
    for _ in range(100):
        first = [float(rng.randint(0, 4)) for _ in range(rng.randint(5, 30))]
        second = [float(rng.randint(0, 4)) for _ in range(rng.randint(5, 30))]
        expected = scipy_stats.mannwhitneyu(first, second, method="asymptotic").pvalue
        assert mann_whitney(first, second) == pytest.approx(min(expected, 1.0))


@pytest.mark.slow
def test_of_a_thousand_histories_without_effect_at_most_6_in_100_name_a_part() -> None:
    rng = random.Random(7)
    named = 0
    for _ in range(1000):
        parts = [
            {f"{part}.{task}": (2, rng.choice((0, 1, 2)) + rng.choice((0, 2))) for task in range(6)}
            for part in range(20)
        ]
        chances = []
        for part in parts:
            rest = {task: value for other in parts if other is not part for task, value in other.items()}
            found = chance(part, rest)
            assert found is not None
            chances.append(found)
        named += any(benjamini_hochberg(chances))

    assert named <= 60


def test_a_part_of_the_same_tasks_is_compared_task_by_task() -> None:
    part = {str(task): (2, 3 + task % 2) for task in range(8)}
    rest = {str(task): (4, 2 + task % 3) for task in range(8)}

    differences = [(3 + task % 2) / 2 - (2 + task % 3) / 4 for task in range(8)]
    assert chance(part, rest) == pytest.approx(float(scipy_stats.ttest_1samp(differences, 0).pvalue))
    assert chance({"1": (1, 2)}, rest) is None
