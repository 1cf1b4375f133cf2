"""Agreement of two and of several raters, a judge's accuracy, and Bang's index, against papers and packages."""

import itertools
from collections import Counter

import evalica
import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa as their_kappa

from comparator.domain.labels import Order, Winner
from comparator.stats.accuracy import TABLES, Counts, Guesses, LabelledReading, accuracy, bang_index, count
from comparator.stats.agreement import (
    PanelAgreement,
    VotePattern,
    cohens_kappa,
    panel_agreement,
    weighted_kappa,
)
from comparator.stats.intervals import Estimate, TooFew, Undefined
from comparator.stats.paired import Sums
from tests.unit.stats.test_shares_and_paired import estimate

tables = st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=3, max_size=3)
SKEWED = [[118, 5], [2, 0]]


def test_kappa_gives_the_published_value() -> None:
    # Gwet (2002), Statistical Methods for Inter-Rater Reliability Assessment 1.
    assert round(estimate(weighted_kappa(SKEWED)).value, 4) == -0.0234


def test_scores_that_are_alike_within_a_pair_make_kappa_less_sure() -> None:
    counts = [[8, 2, 0], [2, 8, 2], [0, 2, 16]]
    differences = [i - j for i, row in enumerate(counts) for j, n in enumerate(row) for _ in range(n)]
    by_score = Sums.of([[difference] for difference in differences])
    # The same differences, those that are alike in one pair.
    by_pair = Sums.of([sorted(differences)[at : at + 2] for at in range(0, len(differences), 2)])

    alike, apart = (estimate(weighted_kappa(counts, alike=sums)).interval for sums in (by_pair, by_score))

    assert alike.high - alike.low > 1.2 * (apart.high - apart.low)
    assert weighted_kappa(counts, alike=Sums.of([differences])) == TooFew(n=1)


@given(tables)
def test_weighted_kappa_agrees_with_scikit_learn_and_mirrors(counts: list[list[int]]) -> None:
    kappa, n = weighted_kappa(counts), sum(map(sum, counts))
    if n < 20:
        assert kappa == TooFew(n=n)
        return
    first = [i for i, row in enumerate(counts) for count in row for _ in range(count)]
    second = [j for row in counts for j, count in enumerate(row) for _ in range(count)]
    if len({*first, *second}) == 1:
        assert isinstance(kappa, Undefined)
        return
    theirs = cohen_kappa_score(first, second, weights="quadratic", labels=[0, 1, 2])
    assert estimate(kappa).value == pytest.approx(theirs)
    turned = weighted_kappa([list(column) for column in zip(*counts, strict=True)])
    assert estimate(turned).value == pytest.approx(estimate(kappa).value)


def test_the_bootstrap_interval_of_kappa_is_near_the_asymptotic_one() -> None:
    counts = [[60, 12, 3], [10, 50, 9], [2, 11, 43]]

    kappa = estimate(weighted_kappa(counts))

    asymptotic = their_kappa(np.array(counts), wt="quadratic")
    assert kappa.value == pytest.approx(asymptotic.kappa)
    assert kappa.interval.low == pytest.approx(asymptotic.kappa_low, abs=0.02)
    assert kappa.interval.high == pytest.approx(asymptotic.kappa_upp, abs=0.02)


def test_the_interval_of_few_and_uneven_ratings_is_scipys_bca() -> None:
    counts = [[30, 4], [1, 5]]
    pairs = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], np.ravel(counts), axis=0)

    def kappa(one: np.ndarray, two: np.ndarray, axis: int) -> np.ndarray:
        chosen, other = one.mean(axis), two.mean(axis)
        by_chance = chosen * other + (1 - chosen) * (1 - other)
        return np.asarray(((one == two).mean(axis) - by_chance) / (1 - by_chance))

    theirs = bootstrap((pairs[:, 0], pairs[:, 1]), kappa, paired=True, rng=np.random.default_rng(1))
    own = estimate(cohens_kappa(counts)).interval
    assert own.low == pytest.approx(theirs.confidence_interval.low, abs=0.01)
    assert own.high == pytest.approx(theirs.confidence_interval.high, abs=0.02)


# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section D; four observers, twelve units.
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def patterns(ratings: list[list[int | None]], categories: range) -> list[VotePattern]:
    cases = Counter(tuple(map(case.count, categories)) for case in zip(*ratings, strict=True))
    return [VotePattern(votes=votes, cases=n) for votes, n in cases.items()]


def matrix(ratings: list[list[int | None]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([[np.nan if v is None else v for v in row] for row in ratings], dtype=float)


def test_alpha_of_the_published_cases_is_that_of_two_packages_and_ac1_as_it_is_defined() -> None:
    # The published cases twice over, so that there are enough; alpha's small-sample term moves 0.815 a little.
    twice = [row * 2 for row in PUBLISHED]

    panel = panel_agreement(patterns(twice, range(1, 6)))

    assert round(krippendorff.alpha(matrix(PUBLISHED), level_of_measurement="ordinal"), 3) == 0.815
    expected = krippendorff.alpha(matrix(twice), level_of_measurement="ordinal")
    assert estimate(panel.alpha).value == pytest.approx(expected)
    evalicas = evalica.alpha(pd.DataFrame(twice, dtype=float), distance="ordinal").alpha
    assert estimate(panel.alpha).value == pytest.approx(evalicas)
    assert panel.cases == 22
    # Gwet (2014), Handbook of Inter-Rater Reliability, without the subject that a single rater saw.
    cases = [[vote for vote in case if vote is not None] for case in zip(*PUBLISHED, strict=True)]
    shared = [case for case in cases if len(case) > 1]
    agree = np.mean([np.mean([a == b for a, b in itertools.permutations(case, 2)]) for case in shared])
    used = np.array([np.mean([case.count(k) / len(case) for case in shared]) for k in range(1, 6)])
    chance = (used * (1 - used)).sum() / 4
    assert estimate(panel.ac1).value == pytest.approx((agree - chance) / (1 - chance))


@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=20, max_size=40))
def test_alpha_agrees_with_krippendorffs_package_whatever_the_answers(cases: list[list[int]]) -> None:
    ratings: list[list[int | None]] = [list(row) for row in zip(*cases, strict=True)]

    panel = panel_agreement(patterns(ratings, range(3)))

    if len({value for case in cases for value in case}) == 1:
        assert isinstance(panel.alpha, Undefined)
        return
    theirs = krippendorff.alpha(matrix(ratings), level_of_measurement="ordinal")
    assert estimate(panel.alpha).value == pytest.approx(theirs)
    assert estimate(panel.raw).value == pytest.approx(
        np.mean([[a == b for a, b in ((c[0], c[1]), (c[0], c[2]), (c[1], c[2]))] for c in cases])
    )


def test_below_twenty_shared_cases_there_is_no_figure() -> None:
    few = TooFew(n=19)

    assert panel_agreement(
        [VotePattern(votes=(2, 0), cases=19), VotePattern(votes=(1, 0), cases=50)]
    ) == PanelAgreement(cases=19, pairs=19, raw=few, alpha=few, ac1=few)


A, B, TIE = Winner.A, Winner.B, Winner.TIE
Named = Winner | None


def read(
    truth: Winner, first: Named, second: Named, verdict: Named = None, *, longer: Named = None
) -> LabelledReading:
    at_first = first if first is second else TIE
    return LabelledReading(
        truth=truth,
        by_order={order: named for order, named in zip(Order, (first, second), strict=True) if named},
        verdict=verdict or at_first,
        first_verdict=at_first,
        longer=longer,
        again=verdict is not None,
    )


def test_a_reading_is_right_by_itself_and_a_pair_only_in_both_orders() -> None:
    counts = count([read(A, A, A), read(A, A, B), read(B, A, A), read(A, TIE, A)])

    assert (counts.pairs, counts.covered, counts.right, counts.both, counts.consistent) == (4, 4, 4, 1, 2)
    assert (counts.decided, counts.right_decided) == (7, 4)


def test_rates_wait_for_twenty_pairs_and_two_orders_are_one_observation() -> None:
    few, enough = (accuracy(count([read(A, A, A)] * n)) for n in (19, 20))

    assert isinstance(few.mean, TooFew)
    assert isinstance(enough.mean, Estimate)
    assert (enough.mean.value, enough.mean.n) == (1.0, 20)


def test_kappa_is_nothing_for_a_judge_that_always_says_the_same() -> None:
    counts = count([read(A, A, A)] * 15 + [read(B, A, A)] * 15)

    assert estimate(accuracy(counts).kappa).value == pytest.approx(0)
    assert isinstance(cohens_kappa(((20, 0), (0, 0))), Undefined)


def test_kappa_goes_by_the_first_readings_and_the_verdict_by_all() -> None:
    # Further readings put every verdict right; at first each second pair was a tie.
    truths = (A, B) * 10
    counts = count([*(read(one, one, one) for one in truths), *(read(one, A, B, one) for one in truths)])

    judged = accuracy(counts)

    assert estimate(judged.verdict).value == 1.0
    # Observed 20/40, by chance (10 * 20 + 10 * 20) / 1600 = 0.25.
    assert estimate(judged.kappa).value == pytest.approx((0.5 - 0.25) / 0.75)


winners = st.sampled_from([A, B, TIE])
some, longer = st.none() | winners, st.sampled_from([None, A, B])
reads = st.lists(st.builds(read, winners, some, some, some, longer=longer), max_size=12)


@given(reads)
def test_swapping_a_and_b_changes_no_figure(given_reads: list[LabelledReading]) -> None:
    other_order = {Order.A_FIRST: Order.B_FIRST, Order.B_FIRST: Order.A_FIRST}
    swapped = [
        LabelledReading(
            truth=reading.truth.mirrored,
            by_order={other_order[order]: winner.mirrored for order, winner in reading.by_order.items()},
            verdict=reading.verdict and reading.verdict.mirrored,
            first_verdict=reading.first_verdict and reading.first_verdict.mirrored,
            longer=reading.longer and reading.longer.mirrored,
            again=reading.again,
        )
        for reading in given_reads
    ]

    plain, other = count(given_reads), count(swapped)

    without = {name: getattr(Counts(), name) for name in TABLES}
    assert plain.model_copy(update=without) == other.model_copy(update=without)
    assert accuracy(plain).mean == accuracy(other).mean


def test_the_papers_trial_gives_the_papers_indices() -> None:
    # Bang, Ni and Davis (2004), the CRISP trial: 0.21 (0.15 to 0.26) and 0.01 (-0.07 to 0.10), one-sided at 95%.
    for right, wrong, no_idea, published in (
        (82, 25, 170, [0.21, 0.15, 0.26]),
        (29, 27, 83, [0.01, -0.07, 0.1]),
    ):
        index = estimate(bang_index(Guesses(right=right, wrong=wrong, no_idea=no_idea), level=0.9))
        assert [round(v, 2) for v in (index.value, index.interval.low, index.interval.high)] == published


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_exchanging_right_and_wrong_turns_its_sign(right: int, wrong: int, no_idea: int) -> None:
    index = bang_index(Guesses(right=right, wrong=wrong, no_idea=no_idea))
    turned = bang_index(Guesses(right=wrong, wrong=right, no_idea=no_idea))

    if right + wrong + no_idea < 20:
        assert index == TooFew(n=right + wrong + no_idea)
    else:
        assert estimate(index).value == -estimate(turned).value
        assert -1 <= estimate(index).interval.low <= estimate(index).interval.high <= 1
