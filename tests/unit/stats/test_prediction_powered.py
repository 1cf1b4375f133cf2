"""The judge on all pairs and people on a sample, against the authors' own package."""

import numpy as np
import ppi_py
import pytest

from comparator.stats.intervals import TooFew
from comparator.stats.paired import Powered, powered_rate

Columns = tuple[list[int], list[float], list[int]]


def one_pair_a_task(people: list[int], judge: list[int], others: list[int]) -> Columns:
    said = [*map(float, people), *(float("nan") for _ in others)]
    return list(range(len(said))), said, [*judge, *others]


def powered(found: object) -> Powered:
    assert isinstance(found, Powered)
    return found


def history(seed: int, labelled: int, others: int) -> tuple[list[int], list[int], list[int]]:
    rng = np.random.default_rng(seed)
    people = rng.integers(0, 3, labelled + others)
    judge = np.where(rng.random(labelled + others) < 0.75, people, rng.integers(0, 3, labelled + others))
    return people[:labelled].tolist(), judge[:labelled].tolist(), judge[labelled:].tolist()


@pytest.mark.parametrize("seed", range(5))
def test_estimate_and_interval_are_those_of_the_authors_package(seed: int) -> None:
    people, judge, others = history(seed, labelled=400, others=1600)

    found = powered(powered_rate(*one_pair_a_task(people, judge, others)))

    h, j, u = (np.array(values, dtype=float) for values in (people, judge, others))
    expected = float(ppi_py.ppi_mean_pointestimate(h, j, u)[0])
    low, high = (float(end[0]) for end in ppi_py.ppi_mean_ci(h, j, u, alpha=0.05))
    assert found.rate.value * 2 == pytest.approx(expected, abs=0.002)
    assert (found.rate.interval.low * 2, found.rate.interval.high * 2) == pytest.approx(
        (low, high), abs=0.004
    )
    fixed = powered(powered_rate(*one_pair_a_task(people, judge, others), trust=0.5))
    assert fixed.rate.value * 2 == pytest.approx(float(ppi_py.ppi_mean_pointestimate(h, j, u, lam=0.5)[0]))


def test_a_judge_that_says_what_people_say_narrows_the_interval_and_saves_reviews() -> None:
    people, _, others = history(1, labelled=60, others=600)

    found = powered(powered_rate(*one_pair_a_task(people, people, others)))

    assert found.rate.interval.high - found.rate.interval.low < (
        (found.plain.interval.high - found.plain.interval.low) / 2
    )
    assert found.reviews_saved > 180
    assert found.plain.value == pytest.approx(np.mean(people) / 2)


def test_a_judge_that_knows_nothing_is_not_believed() -> None:
    rng = np.random.default_rng(2)
    people = rng.integers(0, 3, 200).tolist()

    found = powered(powered_rate(*one_pair_a_task(people, rng.integers(0, 3, 200).tolist(), [2] * 500)))

    assert found.trust < 0.15
    assert found.rate.value == pytest.approx(found.plain.value, abs=0.06)


def test_pairs_that_repeat_their_task_add_no_certainty() -> None:
    people, judge, others = history(3, labelled=100, others=400)
    once = powered(powered_rate(*one_pair_a_task(people, judge, others)))
    four_times = powered(powered_rate(*(column * 4 for column in one_pair_a_task(people, judge, others))))

    assert four_times.rate.value == pytest.approx(once.rate.value)
    assert four_times.rate.interval.low == pytest.approx(once.rate.interval.low, abs=1e-9)


def test_without_other_pairs_the_plain_figure_stands_and_few_tasks_give_none() -> None:
    found = powered(powered_rate(*one_pair_a_task([2] * 12 + [0] * 12, [2] * 24, [])))

    assert (found.trust, found.rate, found.reviews_saved) == (0.0, found.plain, 0)
    assert powered_rate(*one_pair_a_task([2] * 19, [2] * 19, [1] * 99)) == TooFew(n=19)
