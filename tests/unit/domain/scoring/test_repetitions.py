"""Adaptive repetitions: which pairs are read again, and what that saves."""

from decimal import Decimal
from pathlib import Path

import pytest

from comparator.domain.labels import Order, PerOutput, Winner
from comparator.domain.scoring.judgment import Answer, Mark, Pass, Quote, merge, named_by_position
from comparator.domain.scoring.repetitions import (
    CLOSE,
    MOST_AUTO,
    RULE,
    doubt,
    first_round,
    rule_in_words,
    why_again,
)
from tests.loopback.pairs import rubric
from tests.worlds.judging.noisy import compared, table

RUBRIC = rubric()


def reading(
    order: Order, a: int, b: int, *, repetition: int = 0, better: str = "", confidence: int = 90
) -> Pass:
    """A pass that scores every criterion of A and of B alike."""
    named = better or ("A" if a > b else "B" if b > a else "TIE")
    marks = {
        path: PerOutput[Mark](
            A=Mark.model_validate({"score": a, "rationale": "r"}),
            B=Mark.model_validate({"score": b, "rationale": "r"}),
        )
        for path in RUBRIC.paths
    }
    none = PerOutput[tuple[str, ...]](A=(), B=())
    answer = Answer.model_validate(
        {
            "criteria": marks, "strengths": none, "weaknesses": none, "better": named, "reasoning": "r",
            "stated_confidence": confidence,
        }
    )  # fmt: skip
    return Pass(order=order, repetition=repetition, answer=answer)


def both(a: int, b: int, **more: int | str) -> list[Pass]:
    """The same in both orders."""
    return [reading(order, a, b, **more) for order in Order]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("passes", "why"),
    [
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
        ([reading(Order.A_FIRST, 5, 3)], ""),
    ],
)
def test_a_pair_is_read_again_where_it_is_close_flipped_contradicts_itself_or_is_not_sure(
    passes: list[Pass], why: str
) -> None:
    if len(passes) == 1:
        assert why_again(RUBRIC, passes) == ""
    else:
        assert why_again(RUBRIC, passes) == doubt(merge(RUBRIC, tuple(passes))) == why


def test_it_ends_after_three_readings_in_each_order() -> None:
    given = [one for repetition in range(MOST_AUTO) for one in both(4, 4, repetition=repetition)]
    assert why_again(RUBRIC, given[:4])
    assert why_again(RUBRIC, given) == ""


def test_the_rule_is_printed_with_its_bounds() -> None:
    assert RULE.startswith("auto-2: ")
    assert f"at most {CLOSE}" in RULE
    assert rule_in_words("auto") == RULE
    assert first_round("auto") == 1


def test_figures_of_consistency_and_confidence_go_by_the_first_readings_only() -> None:
    flipped = [reading(Order.A_FIRST, 5, 3, confidence=70), reading(Order.B_FIRST, 3, 4, confidence=60)]
    later = [one for repetition in (1, 2) for one in both(5, 3, repetition=repetition, confidence=100)]

    merged = merge(RUBRIC, (*later, *flipped))

    assert not merged.position_consistent
    assert merged.stated_confidence == 60
    assert merged.orders_agree
    assert merged.verdict is not None
    assert merged.verdict.winner is Winner.A
    assert named_by_position(merged) == (2, 0)


def test_quotes_of_later_readings_neither_cap_nor_free_the_stated_confidence() -> None:
    def quoting(*found: bool, repetition: int = 0) -> list[Pass]:
        return [
            one.model_copy(update={"answer": with_quotes(one.answer, found)})
            for one in both(5, 3, repetition=repetition)
        ]

    missing_later = merge(RUBRIC, (*quoting(True), *quoting(False, False, repetition=1)))
    missing_first = merge(RUBRIC, (*quoting(False), *quoting(True, True, repetition=1)))

    assert missing_later.stated_confidence == 90
    assert missing_first.stated_confidence == 60
    # What is told of quotes is told of all of them.
    assert (missing_later.quotes_found, missing_later.quotes_total) == (2, 6)


def with_quotes(answer: Answer, found: tuple[bool, ...]) -> Answer:
    """The answer with these quotes for one criterion of A."""
    path, marks = next(iter(answer.criteria.items()))
    quotes = tuple(Quote(file="report.md", text=f"words {n}", found=each) for n, each in enumerate(found))
    more = PerOutput[Mark](A=marks.A.model_copy(update={"quotes": quotes}), B=marks.B)
    return answer.model_copy(update={"criteria": {**answer.criteria, path: more}})


def test_means_of_more_than_two_readings_stay_unrounded_until_the_dimension_score() -> None:
    passes = (
        *both(4, 3), reading(Order.A_FIRST, 5, 3, repetition=1), reading(Order.B_FIRST, 4, 3, repetition=1),
        reading(Order.A_FIRST, 4, 3, repetition=2), reading(Order.B_FIRST, 4, 3, repetition=2),
    )  # fmt: skip

    merged = merge(RUBRIC, passes)

    # (13/3 + 4) / 2, which a half step would make 4.
    assert {round(score, 4) for score in merged.assessments.A.scores.values()} == {Decimal("4.1667")}
    assert merged.verdict is not None
    assert merged.verdict.totals is not None
    assert merged.verdict.totals.A.content_score == Decimal("4.2")


def test_two_readings_still_end_on_half_steps() -> None:
    merged = merge(RUBRIC, (reading(Order.A_FIRST, 5, 3), reading(Order.B_FIRST, 4, 3)))
    assert set(merged.assessments.A.scores.values()) == {Decimal("4.5")}


@pytest.mark.slow
def test_auto_is_as_right_as_always_three_with_fewer_readings_and_the_docs_state_these_very_figures() -> None:
    found = compared()

    assert found[1].right < found[2].right < found["auto"].right
    assert found["auto"].accuracy >= found[3].accuracy - 0.01
    saved = 1 - found["auto"].readings / found[3].readings
    docs = (Path(__file__).parents[4] / "docs" / "judge.md").read_text("utf-8")
    assert table(found) in docs
    assert f"with {saved:.0%} fewer readings" in " ".join(docs.split())
    assert "python -m tests.worlds.judging.noisy" in docs
