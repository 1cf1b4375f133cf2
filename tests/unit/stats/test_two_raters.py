"""Agreement against published tables and independent packages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from comparator.stats.agreement import ac1, weighted_kappa
from comparator.stats.intervals import Estimate, TooFew, Undefined
from comparator.stats.paired import Sums

tables = st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3)
SKEWED = [[118, 5], [2, 0]]


def estimate(found: object) -> Estimate:
    assert isinstance(found, Estimate)
    return found


def test_ac1_gives_the_published_value_where_kappa_breaks_down() -> None:
    # Gwet (2002), Statistical Methods for Inter-Rater Reliability Assessment 1: AC1 0.9408, kappa -0.0234.
    assert round(estimate(ac1(SKEWED)).value, 4) == 0.9408
    assert round(estimate(weighted_kappa(SKEWED)).value, 4) == -0.0234


def test_scores_that_are_alike_within_a_pair_make_kappa_less_sure() -> None:
    told = [[8, 2, 0], [2, 8, 2], [0, 2, 16]]
    differences = [i - j for i, row in enumerate(told) for j, n in enumerate(row) for _ in range(n)]
    apart = Sums.of([[each] for each in differences])
    # The same differences, those that are alike in one pair.
    alike = Sums.of([sorted(differences)[at : at + 2] for at in range(0, len(differences), 2)])

    def width(found: object) -> float:
        assert isinstance(found, Estimate)
        return found.interval.high - found.interval.low

    assert width(weighted_kappa(told, alike=alike)) > 1.2 * width(weighted_kappa(told, alike=apart))
    assert weighted_kappa(told, alike=Sums.of([differences])) == TooFew(n=1)


@given(tables)
def test_weighted_kappa_agrees_with_scikit_learn_and_mirrors(counts: list[list[int]]) -> None:
    found = weighted_kappa(counts)
    n = sum(map(sum, counts))

    if n < 20:
        assert found == TooFew(n=n)
        return
    first = [i for i, row in enumerate(counts) for count in row for _ in range(count)]
    second = [j for row in counts for j, count in enumerate(row) for _ in range(count)]
    if len({*first, *second}) == 1:
        assert isinstance(found, Undefined)
        return
    assert estimate(found).value == pytest.approx(
        cohen_kappa_score(first, second, weights="quadratic", labels=[0, 1, 2])
    )
    turned = weighted_kappa([list(column) for column in zip(*counts, strict=True)])
    assert estimate(turned).value == pytest.approx(estimate(found).value)


def test_the_bootstrap_interval_of_kappa_is_near_the_asymptotic_one() -> None:
    counts = [[60, 12, 3], [10, 50, 9], [2, 11, 43]]

    found = estimate(weighted_kappa(counts))

    asymptotic = cohens_kappa(np.array(counts), wt="quadratic")
    assert found.value == pytest.approx(asymptotic.kappa)
    assert found.interval.low == pytest.approx(asymptotic.kappa_low, abs=0.02)
    assert found.interval.high == pytest.approx(asymptotic.kappa_upp, abs=0.02)


@given(tables)
def test_agreement_lies_within_its_bounds(counts: list[list[int]]) -> None:
    for found in (ac1(counts), weighted_kappa(counts)):
        if isinstance(found, Estimate):
            assert -1 <= found.value <= 1 + 1e-12
            assert found.interval.low <= found.interval.high
