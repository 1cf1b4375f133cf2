"""What the score sheet's browser sends is read as it was meant or refused, whatever it is."""

from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.errors import ReviewError
from comparator.domain.scoring.review import Change, ChangeKind, check_value
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric
from comparator.web.review.commands import SentChanges, changes_from, clean

AT = datetime(2026, 11, 1, tzinfo=UTC)
LINE = Criterion(
    key="accuracy", name="Accuracy", anchors=Anchors(poor="bad", acceptable="fair", excellent="good")
)
RUBRIC = Rubric(content=(LINE,), structure=(LINE,))
CHANGE = {
    "id": "c1",
    "target": "score:A:content.accuracy",
    "kind": "set",
    "value": 4,
    "reason": "r",
    "code": "",
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(["id", "target", "kind", "value", "reason", "code", "name", "text"])
VALUES = JSON | st.sampled_from(
    ["c1", "score:A:content.accuracy", "winner", "strengths:B", "set", "confirm", "NaN", "sNaN", "1e999"]
)


def read(*raw: object) -> SentChanges:
    return changes_from(clean(list(raw)), author="rhea", at=AT)


def meant(raw: object) -> Change:
    """The change as it would be stored. Raises ReviewError where it cannot be read or does not fit."""
    changes, unreadable = read(raw)
    if unreadable or not changes:
        raise ReviewError(str(unreadable))
    check_value(changes[0], rubric=RUBRIC, expectations=1)
    return changes[0]


def test_a_change_is_read_with_its_own_type() -> None:
    change = meant(CHANGE)

    assert (str(change.target), change.kind, change.value, change.author) == (
        "score:A:content.accuracy",
        ChangeKind.SET,
        Decimal(4),
        "rhea",
    )
    assert meant({**CHANGE, "target": "strengths:A", "value": [" a ", ""]}).value == ("a",)
    assert meant({**CHANGE, "target": "expectation:B:0", "value": True}).value is True


@pytest.mark.parametrize(
    "spoiled",
    [
        {"id": ""},
        {"id": "x" * 65},
        {"id": 3},
        {"target": "score:C:x"},
        {"target": "winner:A"},
        {"target": None},
        {"kind": "delete"},
        {"value": "NaN"},
        {"value": "sNaN"},
        {"value": float("inf")},
        {"value": 6},
        {"value": 4.2},
        {"value": True},
        {"value": {"a": 1}},
        {"target": "expectation:A:0", "value": "yes"},
        {"target": "strengths:A", "value": "one"},
        {"value": "3." + "0" * 40},
        {"reason": "x" * 4001},
        {"reason": ["r"]},
        {"code": "x" * 61},
    ],
)
def test_what_is_malformed_is_a_review_error(spoiled: dict[str, object]) -> None:
    with pytest.raises(ReviewError):
        meant({**CHANGE, **spoiled})


@given(JSON | st.dictionaries(FIELDS, VALUES))
def test_no_json_does_anything_but_be_read_or_refused(raw: object) -> None:
    with suppress(ReviewError):
        meant(raw)
    with suppress(ReviewError):
        changes_from(clean(raw), author="rhea", at=AT)


def test_one_spoiled_change_is_refused_by_its_id_and_the_rest_goes_on() -> None:
    changes, unreadable = read({**CHANGE, "id": "bad", "value": "high"}, CHANGE, "nonsense")

    assert [change.id for change in changes] == ["c1"]
    assert list(unreadable) == ["bad"]


def test_lone_surrogates_and_nulls_cannot_reach_the_database() -> None:
    raw: dict[str, Any] = {**CHANGE, "reason": "a\ud800b\x00c"}

    assert meant(raw).reason == "a?b\ufffdc"
    assert list(read({**CHANGE, "id": "\ud800"}).unreadable) == ["?"]
