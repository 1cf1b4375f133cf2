"""The agreement of several reviewers against published tables and independent packages."""

from collections import Counter

import evalica
import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.stats.agreement import PanelAgreement, VotePattern, panel_agreement
from comparator.stats.intervals import Estimate, TooFew, Undefined

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section D; four observers, twelve units.
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def patterns(ratings: list[list[int | None]], categories: range) -> list[VotePattern]:
    cases = Counter(
        tuple(sum(value == category for value in case) for category in categories)
        for case in zip(*ratings, strict=True)
    )
    return [VotePattern(votes=votes, cases=n) for votes, n in cases.items()]


def estimate(found: object) -> Estimate:
    assert isinstance(found, Estimate)
    return found


def matrix(ratings: list[list[int | None]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([[np.nan if v is None else v for v in row] for row in ratings], dtype=float)


def test_alpha_of_the_published_cases_is_that_of_two_packages() -> None:
    # The published cases twice over, so that there are enough; alpha's small-sample term moves 0.815 a little.
    twice = [row * 2 for row in PUBLISHED]

    found = panel_agreement(patterns(twice, range(1, 6)))

    assert round(krippendorff.alpha(matrix(PUBLISHED), level_of_measurement="ordinal"), 3) == 0.815
    expected = krippendorff.alpha(matrix(twice), level_of_measurement="ordinal")
    assert estimate(found.alpha).value == pytest.approx(expected)
    assert estimate(found.alpha).value == pytest.approx(
        evalica.alpha(pd.DataFrame(twice, dtype=float), distance="ordinal").alpha
    )
    assert found.cases == 22


def test_ac1_of_four_raters_is_the_published_one() -> None:
    # Gwet (2014), Handbook of Inter-Rater Reliability: the same four raters and twelve subjects give AC1 0.77544.
    twice = [row * 2 for row in PUBLISHED]

    # Gwet's chance term also takes in the subject that a single rater saw; with it left out as here, 0.77544 moves to
    # what the definition below gives.
    cases = [[v for v in case if v is not None] for case in zip(*PUBLISHED, strict=True)]
    shared = [case for case in cases if len(case) > 1]
    agree = np.mean(
        [np.mean([a == b for i, a in enumerate(c) for k, b in enumerate(c) if i != k]) for c in shared]
    )
    used = np.array([np.mean([c.count(k) / len(c) for c in shared]) for k in range(1, 6)])
    chance = (used * (1 - used)).sum() / 4
    assert estimate(panel_agreement(patterns(twice, range(1, 6))).ac1).value == pytest.approx(
        (agree - chance) / (1 - chance)
    )
    every = np.array([np.mean([c.count(k) / len(c) for c in cases]) for k in range(1, 6)])
    published = (agree - (every * (1 - every)).sum() / 4) / (1 - (every * (1 - every)).sum() / 4)
    assert published == pytest.approx(0.77544, abs=1e-5)


@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=20, max_size=40))
def test_alpha_agrees_with_krippendorffs_package_whatever_the_answers(cases: list[list[int]]) -> None:
    ratings: list[list[int | None]] = [list(row) for row in zip(*cases, strict=True)]

    found = panel_agreement(patterns(ratings, range(3)))

    if len({value for case in cases for value in case}) == 1:
        assert isinstance(found.alpha, Undefined)
        return
    assert estimate(found.alpha).value == pytest.approx(
        krippendorff.alpha(matrix(ratings), level_of_measurement="ordinal")
    )
    assert estimate(found.raw).value == pytest.approx(
        np.mean([[a == b for a, b in ((c[0], c[1]), (c[0], c[2]), (c[1], c[2]))] for c in cases])
    )


def test_below_twenty_shared_cases_there_is_no_figure() -> None:
    few = TooFew(n=19)

    assert panel_agreement(
        [VotePattern(votes=(2, 0), cases=19), VotePattern(votes=(1, 0), cases=50)]
    ) == PanelAgreement(cases=19, pairs=19, raw=few, alpha=few, ac1=few)
