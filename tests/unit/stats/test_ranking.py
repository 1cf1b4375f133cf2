"""The order of several candidates against values that can be worked out."""

import itertools

import evalica
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.stats.ranking import HeadToHead, NotConnected, Ranked, bradley_terry


def ranked(found: object) -> tuple[Ranked, ...]:
    assert isinstance(found, tuple)
    return found


def test_two_candidates_are_ranked_by_their_win_rate() -> None:
    first, second = ranked(bradley_terry([HeadToHead("x", "y", won=30, lost=8, tied=2)]))

    assert (first.id, second.id) == ("x", "y")
    assert first.against_others.value == pytest.approx(31 / 40, abs=1e-4)
    assert first.against_others.value + second.against_others.value == pytest.approx(1)
    assert first.against_others.interval.low < 31 / 40 < first.against_others.interval.high
    assert first.against_others.n == 40


def test_strengths_that_fit_exactly_are_found() -> None:
    # Strengths 4, 2 and 1: x beats y in 2 of 3, x beats z in 4 of 5, y beats z in 2 of 3.
    met = [HeadToHead("x", "y", 40, 20, 0), HeadToHead("x", "z", 48, 12, 0), HeadToHead("y", "z", 40, 20, 0)]

    found = ranked(bradley_terry(met))

    assert [each.id for each in found] == ["x", "y", "z"]
    expected = [(2 / 3 + 4 / 5) / 2, (1 / 3 + 2 / 3) / 2, (1 / 5 + 1 / 3) / 2]
    assert [each.against_others.value for each in found] == pytest.approx(expected, abs=1e-3)


def test_naming_the_pair_the_other_way_round_changes_nothing() -> None:
    met = [HeadToHead("x", "y", 12, 9, 1), HeadToHead("y", "z", 11, 10, 4), HeadToHead("x", "z", 13, 5, 0)]
    turned = [HeadToHead(p.two, p.one, p.lost, p.won, p.tied) for p in met]

    one, other = ranked(bradley_terry(met)), ranked(bradley_terry(turned))

    assert [each.id for each in one] == [each.id for each in other]
    assert [each.against_others.value for each in one] == pytest.approx(
        [each.against_others.value for each in other], abs=1e-4
    )


def test_candidates_without_a_chain_both_ways_are_not_ranked() -> None:
    never_lost = [HeadToHead("x", "y", 5, 0, 0), HeadToHead("y", "z", 3, 2, 0)]
    apart = [HeadToHead("x", "y", 3, 3, 0), HeadToHead("v", "w", 2, 2, 0)]

    assert bradley_terry(never_lost) == NotConnected(groups=(("x",), ("y", "z")))
    assert bradley_terry(apart) == NotConnected(groups=(("v", "w"), ("x", "y")))


def test_the_same_history_gives_the_same_intervals() -> None:
    met = [HeadToHead("x", "y", 12, 9, 1), HeadToHead("y", "z", 11, 10, 4), HeadToHead("x", "z", 13, 5, 0)]

    assert bradley_terry(met) == bradley_terry(met)


@given(st.lists(st.tuples(*[st.integers(1, 30)] * 3), min_size=6, max_size=6))
def test_the_order_and_its_shares_are_evalicas(results: list[tuple[int, int, int]]) -> None:
    pairs = list(itertools.combinations("wxyz", 2))
    met = [HeadToHead(*both, *result) for both, result in zip(pairs, results, strict=True)]
    outcomes = (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)
    games = [
        (one, two, outcome, n)
        for one, two, *counts in met
        for outcome, n in zip(outcomes, counts, strict=True)
    ]

    scores = evalica.bradley_terry(
        [game[0] for game in games],
        [game[1] for game in games],
        [game[2] for game in games],
        weights=[float(game[3]) for game in games],
    ).scores
    expected = {
        id: sum(scores[id] / (scores[id] + scores[other]) for other in "wxyz" if other != id) / 3
        for id in "wxyz"
    }

    assert {each.id: each.against_others.value for each in ranked(bradley_terry(met))} == pytest.approx(
        expected, abs=1e-3
    )
