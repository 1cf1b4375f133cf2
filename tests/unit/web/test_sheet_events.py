from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.errors import ReviewError
from comparator.domain.scoring.review import ChangeKind
from comparator.ui.components.sheet import CommandName, SheetEvents
from comparator.web.saving.events import change_from, command_from, events_from

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
    [
        "c1",
        "score:A:content.accuracy",
        "winner",
        "strengths:B",
        "set",
        "confirm",
        "NaN",
        "sNaN",
        "1e999",
        "finalise",
    ]
)


def outbox(*changes: object, comparison: str = "cmp") -> dict[str, Any]:
    return {"comparison": comparison, "changes": list(changes)}


def test_a_change_is_read_with_its_own_type() -> None:
    change = change_from(CHANGE)

    assert (str(change.target), change.kind, change.value) == (
        "score:A:content.accuracy",
        ChangeKind.SET,
        Decimal(4),
    )
    assert change_from({**CHANGE, "target": "strengths:A", "value": [" a ", ""]}).value == ("a",)
    assert change_from({**CHANGE, "target": "expectation:B:0", "value": True}).value is True


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
        {"target": "strengths:A", "value": [1]},
        {"value": "3." + "0" * 40},
        {"reason": "x" * 4001},
        {"reason": ["r"]},
        {"code": "x" * 61},
    ],
)
def test_what_is_malformed_is_a_review_error(spoiled: dict[str, object]) -> None:
    with pytest.raises(ReviewError):
        change_from({**CHANGE, **spoiled})


@given(st.dictionaries(FIELDS, VALUES))
def test_no_json_of_a_change_or_command_does_anything_but_be_read_or_refused(raw: dict[str, Any]) -> None:
    for read in (change_from, command_from):
        with suppress(ReviewError):
            read(raw)


@given(JSON, JSON)
def test_no_json_of_the_browser_crashes_the_page(sent: object, command: object) -> None:
    for box in (sent, {"comparison": "cmp", "changes": sent}):
        for asked in (command, {"comparison": "cmp", "outbox": command}):
            with suppress(ReviewError):
                events_from("cmp", outbox=box, command=asked)


def test_one_spoiled_change_is_refused_by_its_id_and_the_rest_goes_on() -> None:
    events = events_from(
        "cmp", outbox=outbox({**CHANGE, "id": "bad", "value": 9}, CHANGE, "nonsense"), command=None
    )

    assert [change.id for change in events.changes] == ["c1"]
    assert [refusal.id for refusal in events.refused] == ["bad"]


def test_a_command_brings_the_changes_of_its_moment_each_once_and_in_order() -> None:
    late = {**CHANGE, "id": "c2", "value": 5}
    command = {"comparison": "cmp", "id": "k", "name": "finalise", "outbox": [CHANGE, late]}

    events = events_from("cmp", outbox=outbox(CHANGE), command=command)

    assert [change.id for change in events.changes] == ["c1", "c2"]
    assert events.command is not None
    assert events.command.name is CommandName.FINALISE


def test_what_belongs_to_another_comparison_is_left_alone() -> None:
    command = {"comparison": "old", "id": "k", "name": "undo", "outbox": [CHANGE]}

    events = events_from("cmp", outbox=outbox(CHANGE, comparison="old"), command=command)

    assert events == SheetEvents()
    assert not events


def test_stored_changes_are_left_away() -> None:
    events = events_from("cmp", outbox=outbox(CHANGE, {**CHANGE, "id": "c2"}), command=None)

    assert [change.id for change in events.without(["c1"]).changes] == ["c2"]


def test_lone_surrogates_and_nulls_cannot_reach_the_database() -> None:
    change = change_from({**CHANGE, "reason": "a\ud800b\x00c"})

    assert change.reason == "a?b\ufffdc"
    (refused,) = events_from("cmp", outbox=outbox({**CHANGE, "id": "\ud800"}), command=None).refused
    assert refused.id == "?"
