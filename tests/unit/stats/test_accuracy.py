"""How often a judge is right on labelled pairs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.labels import Order, Winner
from comparator.stats.accuracy import TABLES, Counts, LabelledReading, accuracy, count
from comparator.stats.agreement import cohens_kappa
from comparator.stats.intervals import Estimate, TooFew, Undefined

A, B, TIE = Winner.A, Winner.B, Winner.TIE


def read(
    truth: Winner,
    first: Winner | None,
    second: Winner | None,
    verdict: Winner | None = None,
    *,
    longer: Winner | None = None,
) -> LabelledReading:
    by_order = {
        order: winner for order, winner in zip(Order, (first, second), strict=True) if winner is not None
    }
    at_first = first if first is second else TIE
    return LabelledReading(
        truth=truth,
        by_order=by_order,
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

    kappa = accuracy(counts).kappa
    assert isinstance(kappa, Estimate)
    assert kappa.value == pytest.approx(0)
    assert isinstance(cohens_kappa(((20, 0), (0, 0))), Undefined)


def test_kappa_goes_by_the_first_readings_and_the_verdict_by_all() -> None:
    # Further readings put every verdict right; at first each second pair was a tie.
    counts = count(
        [read(each, each, each) for each in (A, B) * 10] + [read(each, A, B, each) for each in (A, B) * 10]
    )

    found = accuracy(counts)

    assert isinstance(found.verdict, Estimate)
    assert found.verdict.value == 1.0
    assert isinstance(found.kappa, Estimate)
    # Observed 20/40, by chance (10 * 20 + 10 * 20) / 1600 = 0.25.
    assert found.kappa.value == pytest.approx((0.5 - 0.25) / 0.75)


winners = st.sampled_from([A, B, TIE])
reads = st.lists(
    st.builds(
        read,
        winners,
        st.none() | winners,
        st.none() | winners,
        st.none() | winners,
        longer=st.sampled_from([None, A, B]),
    ),
    max_size=12,
)


@given(reads)
def test_swapping_a_and_b_changes_no_figure_but_where_winners_stand(
    given_reads: list[LabelledReading],
) -> None:
    turn = {A: B, B: A, TIE: TIE}
    swapped = [
        LabelledReading(
            truth=turn[each.truth],
            by_order={
                (Order.B_FIRST if order is Order.A_FIRST else Order.A_FIRST): turn[winner]
                for order, winner in each.by_order.items()
            },
            verdict=turn[each.verdict] if each.verdict else None,
            first_verdict=turn[each.first_verdict] if each.first_verdict else None,
            longer=turn[each.longer] if each.longer else None,
            again=each.again,
        )
        for each in given_reads
    ]

    plain, other = count(given_reads), count(swapped)

    without = {name: getattr(Counts(), name) for name in TABLES}
    assert plain.model_copy(update=without) == other.model_copy(update=without)
    assert accuracy(plain).mean == accuracy(other).mean
