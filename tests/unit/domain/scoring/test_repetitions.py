"""Adaptive repetitions: which pairs are read again, and what that saves."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.labels import Order, Winner
from comparator.domain.scoring.judgment import MergedJudgment, Pass, merge, named_by_position
from comparator.domain.scoring.repetitions import MOST_AUTO, is_read_again
from tests.loopback.pairs import rubric
from tests.unit.domain.make import answer, present
from tests.worlds.judging.noisy import compared, table

RUBRIC = rubric()


def reading(order: Order, a: int, b: int, *, repetition: int = 0, better: str = "", **more: Any) -> Pass:
    """A pass that scores every criterion of A and of B alike."""
    named = Winner(better or ("A" if a > b else "B" if b > a else "TIE"))
    said = answer((a,) * 6, (b,) * 6, better=named, **{"confidence": 90, **more})
    return Pass(order=order, repetition=repetition, answer=said)


def both(a: int, b: int, **more: Any) -> list[Pass]:
    return [reading(order, a, b, **more) for order in Order]


def test_a_pair_is_read_again_where_it_is_doubtful() -> None:
    for passes, why in (
        (both(5, 3), ""),
        (both(4, 4), ""),
        (both(4, 4, confidence=60), "the scores are close"),
        (both(4, 4, better="A"), "the scores are close"),
        (both(4, 4) + both(4, 4, repetition=1), "the scores are close"),
        ([reading(Order.A_FIRST, 5, 3), reading(Order.B_FIRST, 2, 4)], "the orders name different winners"),
        (
            [reading(Order.A_FIRST, 5, 3, better="B"), reading(Order.B_FIRST, 5, 3)],
            "a reading contradicts itself",
        ),
        (both(5, 3, confidence=60), "the stated confidence is low"),
        (both(5, 3, confidence=60) + both(5, 3, repetition=1), ""),
        ([reading(Order.A_FIRST, 5, 3)], ""),
    ):
        assert is_read_again(RUBRIC, passes) == bool(why)


def test_it_ends_after_three_readings_in_each_order() -> None:
    given = [one for repetition in range(MOST_AUTO) for one in both(4, 4, repetition=repetition)]
    assert is_read_again(RUBRIC, given[:4])
    assert not is_read_again(RUBRIC, given)


def test_figures_of_consistency_and_confidence_go_by_the_first_readings_only() -> None:
    flipped = [reading(Order.A_FIRST, 5, 3, confidence=70), reading(Order.B_FIRST, 3, 4, confidence=60)]
    later = [one for repetition in (1, 2) for one in both(5, 3, repetition=repetition, confidence=100)]

    merged = merge(RUBRIC, (*later, *flipped))

    assert not merged.position_consistent
    assert merged.stated_confidence == 60
    assert merged.orders_agree
    assert present(merged.verdict).winner is Winner.A
    assert named_by_position(merged) == (2, 0)


def test_quotes_of_later_readings_neither_cap_nor_free_the_stated_confidence() -> None:
    def merged(*readings: tuple[bool, ...]) -> MergedJudgment:
        every = [one for n, exact in enumerate(readings) for one in both(5, 3, repetition=n, exact=exact)]
        return merge(RUBRIC, tuple(every))

    missing_later, missing_first = merged((True,), (False, False)), merged((False,), (True, True))

    assert missing_later.stated_confidence == 90
    assert missing_first.stated_confidence == 60
    # What is told of quotes is told of all of them.
    assert (missing_later.quotes_found, missing_later.quotes_total) == (2, 6)


def test_means_of_more_than_two_readings_stay_unrounded_until_the_dimension_score() -> None:
    fives = [reading(Order.A_FIRST, 5, 3, repetition=1), reading(Order.B_FIRST, 4, 3, repetition=1)]

    merged = merge(RUBRIC, (*both(4, 3), *fives, *both(4, 3, repetition=2)))

    # (13/3 + 4) / 2, which a half step would make 4.
    assert {round(score, 4) for score in merged.assessments.A.scores.values()} == {Decimal("4.1667")}
    assert present(present(merged.verdict).totals).A.content_score == Decimal("4.2")


@pytest.mark.slow
def test_auto_is_as_right_as_always_three_with_fewer_readings_and_the_docs_state_these_very_figures() -> None:
    table_rows = compared()

    assert table_rows[1].right < table_rows[2].right < table_rows["auto"].right
    assert table_rows["auto"].accuracy >= table_rows[3].accuracy - 0.01
    saved = 1 - table_rows["auto"].readings / table_rows[3].readings
    docs = (Path(__file__).parents[4] / "docs" / "judge.md").read_text("utf-8")
    assert table(table_rows) in docs
    assert f"with {saved:.0%} fewer readings" in " ".join(docs.split())
    assert "python -m tests.worlds.judging.noisy" in docs
