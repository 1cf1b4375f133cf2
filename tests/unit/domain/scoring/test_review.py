"""Changes of a review: added, never lost, undone by their inverse."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.errors import ReviewError
from comparator.domain.labels import PerOutput
from comparator.domain.scoring.review import (
    Change,
    ChangeKind,
    Part,
    Target,
    effective,
    fold,
    inverse_of_last,
    value_for,
)
from comparator.domain.scoring.verdict import Assessment
from tests.loopback.pairs import rubric
from tests.unit.domain.make import assessment

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCORE = "score:A:content.correctness"


def change(number: int, target: str, kind: ChangeKind, value: object = None, **more: Any) -> Change:
    return Change(
        id=f"c{number}",
        target=Target.parse(target),
        kind=kind,
        value=value,
        author=more.pop("author", "p1"),
        at=NOW + timedelta(seconds=number),
        **more,
    )


def test_an_address_reads_back_as_written_and_others_are_refused() -> None:
    for address in (SCORE, "expectation:B:3", "strengths:A", "reasoning", "winner"):
        assert str(Target.parse(address)) == address
    for address in ("", "score", "score:C:x", "winner:A", "strengths", "reasoning:A", "x:A:b"):
        with pytest.raises(ReviewError):
            Target.parse(address)


def test_undo_leaves_other_peoples_changes_alone() -> None:
    changes = (change(1, SCORE, ChangeKind.SET, 4), change(2, "winner", ChangeKind.SET, "A", author="p2"))
    undo = inverse_of_last(changes, id="c3", author="p1", at=NOW)
    assert undo is not None
    assert undo.undoes == "c1"


addresses = st.sampled_from([SCORE, "score:B:structure.usability", "expectation:A:0", "reasoning", "winner"])
steps = st.lists(st.one_of(st.none(), st.tuples(addresses, st.integers(1, 5))), max_size=25)


@given(steps)
def test_changes_and_undos_lose_none_and_equal_what_stands(sequence: list[tuple[str, int] | None]) -> None:
    changes: tuple[Change, ...] = ()
    left: list[Change] = []
    for number, step in enumerate(sequence):
        before = changes
        if step is None:
            undo = inverse_of_last(changes, id=f"c{number}", author="p1", at=NOW)
            assert (undo is None) == (not left)
            if undo is not None:
                changes = (*changes, undo)
                left.pop()
        else:
            address, n = step
            values = {"s": n, "e": n > 2, "r": f"text {n}", "w": ("A", "B", "TIE")[n % 3]}
            revision = change(number, address, ChangeKind.SET, values[address[0]])
            changes = (*changes, revision)
            left.append(revision)
        assert changes[: len(before)] == before
    assert {a: e.value for a, e in fold(changes).items()} == {a: e.value for a, e in fold(left).items()}


def test_own_values_go_before_the_judges_and_what_nobody_gave_is_named() -> None:
    judge = PerOutput[Assessment](A=assessment((5,) * 6, (True,)), B=assessment((3,) * 6, (False,)))
    state = fold([change(1, SCORE, ChangeKind.SET, 2), change(2, "expectation:B:0", ChangeKind.SET, True)])
    both, missing = effective(rubric(), 1, judge=judge, state=state)
    assert both.A.scores["content.correctness"] == Decimal(2)
    assert both.A.scores["content.accuracy"] == Decimal(5)
    assert both.B.expectations == (True,)
    assert missing == ()
    own, missing = effective(rubric(), 1, judge=None, state=state)
    assert own.A.scores == {"content.correctness": Decimal(2)}
    assert own.A.expectations == (None,)
    assert "score:A:content.accuracy" in missing
    assert SCORE not in missing


@pytest.mark.parametrize(
    ("part", "value"), [(Part.REASONING, ["a", {"b": 1}]), (Part.STRENGTHS, [{"b": 1}]), (Part.SCORE, "many")]
)
def test_a_value_that_is_not_of_its_part_is_refused(part: Part, value: object) -> None:
    with pytest.raises(ValueError, match=r"text|sentences|score"):
        value_for(part, value)
