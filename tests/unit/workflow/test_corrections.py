"""What counts as a correction, and whose winner counts as said before the judge's values were seen."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.errors import InputError
from comparator.domain.guidance import Correction, HeldOutPair, Sentence, Split, halves
from comparator.domain.labels import Order, Winner
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.review import Change, ChangeKind, Target
from comparator.store.reviewing.corrections import ReviewedPair, Rewritten
from comparator.workflow.guidance.corrections import blind_winner, found_in
from comparator.workflow.guidance.writing import sentences_in
from tests.worlds.histories.pairs import TASK, answer, rubric

RUBRIC = rubric()
PASSES = tuple(Pass(order=order, answer=answer(5, 3)) for order in Order)


def change(
    address: str, value: object, *, blind: bool = False, reason: str = "", kind: str = "set"
) -> Change:
    return Change(
        id=re.sub(r"[:.]", "-", f"{address}-{blind}"),
        target=Target.parse(address),
        kind=ChangeKind(kind),
        value=value,
        reason=reason,
        author="ben",
        at=datetime(2026, 3, 1, tzinfo=UTC),
        blind=blind,
    )


def review(
    *changes: Change, id: str = "r1", pair: str = "c1", passes: tuple[Pass, ...] = PASSES
) -> ReviewedPair:
    return ReviewedPair(
        review_id=id,
        comparison_id=pair,
        task_id="t1",
        task="Invoice 1",
        expectations=TASK.expectations,
        rubric=RUBRIC,
        changes=changes,
        passes=passes,
    )


def scores(a: int, b: int, *, blind: bool = True) -> tuple[Change, ...]:
    return tuple(
        change(f"score:{label}:{path}", value, blind=blind)
        for path in RUBRIC.paths
        for label, value in (("A", a), ("B", b))
    )


def test_lowered_scores_expectations_and_winners_are_corrections_with_their_reasons() -> None:
    said = review(
        change("score:A:content.correctness", 2, reason="A total is wrong."),
        change("score:B:content.correctness", 3),
        change("expectation:A:1", False),
        change("winner", "B"),
        change("reasoning", "B is right."),
        change("score:A:structure.naming", None, kind="cannot_judge"),
    )

    found = found_in([said], []).by_task["t1"]

    assert [(each["kind"], each["judge"], each["person"]) for each in found] == [
        ("score", "5", "2"),
        ("expectation", "met", "not met"),
        ("winner", "A", "B"),
    ]
    assert found[0]["reason"] == "A total is wrong."
    assert found[0]["why_judge"] == "Reads well."


def test_without_a_judgment_beside_it_a_review_corrects_nothing() -> None:
    assert found_in([review(change("winner", "B"), passes=())], []).by_task["t1"] == []


def test_lines_of_a_rubric_that_a_person_rewrote_are_corrections() -> None:
    before, after = rubric("correctness"), rubric("totals")

    found = found_in([], [Rewritten(task_id="t2", task="Invoice 2", before=before, after=after)]).by_task[
        "t2"
    ]

    assert [(each["about"], each["judge"] == "nothing", each["person"] == "nothing") for each in found] == [
        ("content.correctness in the rubric", False, True),
        ("content.totals in the rubric", True, False),
    ]


def test_only_what_was_said_blind_names_a_blind_winner() -> None:
    assert blind_winner(review(*scores(2, 4))) is Winner.B
    assert blind_winner(review(*scores(2, 4, blind=False))) is None
    assert blind_winner(review(*scores(2, 4), *scores(5, 1, blind=False))) is Winner.B
    assert blind_winner(review(change("preference", "A_MUCH", blind=True))) is Winner.A


def test_people_who_are_split_evenly_give_a_pair_no_winner() -> None:
    one, other = review(*scores(2, 4)), review(*scores(4, 2), id="r2")
    third = review(*scores(4, 2), id="r3")

    assert found_in([one, other], []).blind == ()
    assert [pair.winner for pair in found_in([one, other, third], []).blind] == [Winner.A]


def test_scores_are_told_without_needless_places() -> None:
    said = review(change("score:A:content.correctness", Decimal("2.5")))

    assert found_in([said], []).by_task["t1"][0]["person"] == "2.5"


@given(st.dictionaries(st.text(min_size=1, max_size=4), st.integers(0, 50), min_size=2), st.randoms())
def test_both_halves_hold_every_task_once_and_are_as_large(weights: dict[str, int], chance: Random) -> None:
    learn, test = halves(weights, lot=chance.random)

    assert sorted((*learn, *test)) == sorted(weights)
    assert abs(len(learn) - len(test)) <= 1


def split(corrections: int, *, withheld: int, pairs: int) -> Split:
    """So many corrections to learn from and withheld ones, and so many held-out pairs."""
    one = Correction(number=1, kind="score", task="t", about="content.correctness", judge="5", person="2")
    return Split(
        learn=("t1",),
        test=("t2",),
        corrections=tuple(one.model_copy(update={"number": n}) for n in range(1, corrections + 1)),
        withheld=withheld,
        held_out=tuple(
            HeldOutPair(comparison_id=f"c{n}", task_id="t2", winner=Winner.A) for n in range(pairs)
        ),
    )


@pytest.mark.parametrize(
    ("corrections", "withheld", "pairs", "weak"),
    [(25, 25, 50, False), (25, 24, 50, True), (25, 25, 49, True), (100, 0, 10, True)],
)
def test_below_fifty_corrections_or_pairs_a_split_is_weak(
    corrections: int, withheld: int, pairs: int, weak: bool
) -> None:
    assert split(corrections, withheld=withheld, pairs=pairs).weak is weak


def test_the_hash_of_a_split_covers_both_halves_and_what_people_said() -> None:
    whole = split(3, withheld=2, pairs=2)
    (first, *others) = whole.held_out
    correction, *more = whole.corrections

    digests = {
        each.digest
        for each in (
            whole,
            whole.model_copy(update={"learn": ("t3",)}),
            whole.model_copy(update={"test": ("t3",)}),
            whole.model_copy(update={"withheld": 3}),
            whole.model_copy(update={"held_out": (first.model_copy(update={"winner": Winner.B}), *others)}),
            whole.model_copy(update={"corrections": (correction.model_copy(update={"person": "3"}), *more)}),
        )
    }

    assert len(digests) == 6
    assert split(3, withheld=2, pairs=2).digest == whole.digest


def test_notes_are_read_line_by_line() -> None:
    assert sentences_in("- One. [3,1]\n\nTwo\n") == (
        Sentence(text="One.", rests_on=(1, 3)),
        Sentence(text="Two"),
    )
    for text, told in (("\n - \n", "empty"), ("x" * 1001, "1,001 characters"), ("x\n" * 41, "41 notes")):
        with pytest.raises(InputError, match=told):
            sentences_in(text)
