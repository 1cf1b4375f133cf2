"""What the score sheet's browser sends, which of Streamlit's messages reach it, and what a review says of a pair."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message
from streamlit.proto.BackMsg_pb2 import BackMsg

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.review import Blindness, Change, ChangeKind, check_value
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric
from comparator.domain.scoring.several_judges import Vote
from comparator.web.review.commands import Sent, SentChanges, changes_from
from comparator.web.review.shown import findings_of
from comparator.web.streamlit import ACTIVE_EVERY, NEEDED, Guard
from comparator.workflow.review.sheet import JudgeSays, JudgeSummary, Sheet


def sheet(**more: Any) -> Sheet:
    plain = {"judge": JudgeSummary(state=JudgeState.DONE), "judgment": None, "finalised": False}
    none = {"view_notes": PerOutput[tuple[str, ...]](A=(), B=())}
    return Sheet.model_construct(**{**plain, **none, **more})


def test_a_pair_has_one_finding_for_what_is_to_be_known_of_it() -> None:
    for more, name in (
        ({}, None),
        ({"revealed": True}, "Candidates are known: your review will not count as blind"),
        ({"revealed": True, "finalised": True, "blindness": Blindness.SIDES_HIDDEN}, "Candidates revealed"),
        ({"blindness": Blindness.SIDES_HIDDEN}, "Sides are hidden; you know the candidates"),
        ({"blindness": Blindness.KNOWN}, "Not blind for you"),
        ({"cut_off": (Label.B,)}, "{B} cut off"),
        ({"void": True}, "Unusable output"),
        ({"view_notes": PerOutput[tuple[str, ...]](A=("No text.",), B=())}, "{A}: No text."),
    ):
        assert [finding.name for finding in findings_of(sheet(**more))] == ([name] if name else [])


def test_judges_that_disagree_are_told_one_by_one() -> None:
    judges = tuple(
        JudgeSays(name=f"judge {at}", model="m", vote=vote, overall=None, cost=Decimal(0))
        for at, vote in enumerate((Vote.A, Vote.TIE, Vote.ABSTAINED))
    )
    (finding,) = findings_of(sheet(judge=JudgeSummary(state=JudgeState.DONE, judges=judges)))
    assert finding.lines == ("judge 0: {A} wins", "judge 1: a tie", "judge 2: abstained")


AT = datetime(2026, 11, 1, tzinfo=UTC)
LINE = Criterion(
    key="accuracy", name="Accuracy", anchors=Anchors(poor="bad", acceptable="fair", excellent="good")
)
RUBRIC = Rubric(content=(LINE,), structure=(LINE,))
ACCURACY = "score:A:content.accuracy"
CHANGE = {"id": "c1", "target": ACCURACY, "kind": "set", "value": 4, "reason": "r", "code": ""}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(["id", "target", "kind", "value", "reason", "code", "name", "text"])
VALUES = JSON | st.sampled_from(
    ["c1", ACCURACY, "winner", "strengths:B", "set", "confirm", "NaN", "sNaN", "1e999"]
)


def sent(raw: object) -> SentChanges:
    body = json.dumps({"comparison": "c", "changes": raw}).encode()
    return changes_from(Sent.read(body), author="rhea", at=AT)


def read(*raw: object) -> SentChanges:
    return sent(list(raw))


def meant(raw: object) -> Change:
    """The change as it would be stored. Raises ReviewError where it cannot be read or does not fit."""
    changes, unreadable = read(raw)
    if unreadable or not changes:
        raise ReviewError(str(unreadable))
    check_value(changes[0], rubric=RUBRIC, expectations=1)
    return changes[0]


def test_a_change_is_read_with_its_own_type() -> None:
    change = meant(CHANGE)

    assert (str(change.target), change.author) == (ACCURACY, "rhea")
    assert (change.kind, change.value) == (ChangeKind.SET, Decimal(4))
    assert meant({**CHANGE, "value": "4.5"}).value == Decimal("4.5")
    assert Change.model_validate_json(change.model_dump_json()) == change
    assert meant({**CHANGE, "target": "strengths:A", "value": [" a ", ""]}).value == ("a",)
    assert meant({**CHANGE, "target": "expectation:B:0", "value": True}).value is True


@pytest.mark.parametrize(
    "spoiled",
    [
        *({"id": ""}, {"id": "x" * 65}, {"id": 3}, {"kind": "delete"}),
        *({"target": "score:C:x"}, {"target": "winner:A"}, {"target": None}),
        *(
            {"value": value}
            for value in ("NaN", "sNaN", float("inf"), 6, 4.2, True, {"a": 1}, "3." + "0" * 40)
        ),
        *({"target": "expectation:A:0", "value": "yes"}, {"target": "strengths:A", "value": "one"}),
        *(
            {"target": f"expectation:A:{at}", "value": True}
            for at in ("9", "x", "00", "\N{ARABIC-INDIC DIGIT ONE}")
        ),
        *({"target": "winner", "value": "C"}, {"target": "reasoning", "value": "  "}),
        {"target": "score:A:content.nonsense", "value": 3},
        *({"reason": "x" * 4001}, {"reason": ["r"]}, {"code": "x" * 61}),
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
        sent(raw)


def test_lone_surrogates_and_nulls_cannot_reach_the_database() -> None:
    raw: dict[str, Any] = {**CHANGE, "reason": "a\ud800b\x00c"}

    assert meant(raw).reason == "a?b\ufffdc"
    assert list(read({**CHANGE, "id": "\ud800"}).unreadable) == ["?"]


KINDS = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]
NEVER = {
    *("clear_cache", "set_run_on_save", "load_git_info", "debug_shutdown_runtime"),
    "backend_operation_request",
}


def message(kind: str) -> BackMsg:
    """A message of this kind, with something in it."""
    back_message = BackMsg()
    field = BackMsg.DESCRIPTOR.fields_by_name[kind]
    if field.message_type is None:
        setattr(back_message, kind, True)
    else:
        getattr(back_message, kind).SetInParent()
    return back_message


class Line:
    """A connection that brings these messages, then ends."""

    def __init__(self, *sent: BackMsg | bytes | str, may_upload: bool = True) -> None:
        self.sent = list(sent)
        self.noted = 0
        self.now = 0.0
        self.may_upload = may_upload
        self.guard = Guard(self._receive, may_upload=self._asked, active=self._note, clock=lambda: self.now)

    async def _receive(self) -> Message:
        if not self.sent:
            return {"type": "websocket.disconnect"}
        first = self.sent.pop(0)
        if isinstance(first, str):
            return {"type": "websocket.receive", "text": first}
        data = first if isinstance(first, bytes) else first.SerializeToString()
        return {"type": "websocket.receive", "bytes": data}

    async def _asked(self) -> bool:
        return self.may_upload

    async def _note(self) -> None:
        self.noted += 1

    async def passed(self) -> list[str]:
        """The kinds of what passes."""
        kinds = []
        while (got := await self.guard.receive())["type"] == "websocket.receive":
            kind = BackMsg.FromString(got["bytes"]).WhichOneof("type") if got.get("bytes") else "text"
            kinds.append(str(kind))
        return kinds


async def test_only_what_the_pages_need_reaches_streamlit_and_nothing_that_harms_everybody() -> None:
    for kind in KINDS:
        assert await Line(message(kind)).passed() == ([kind] if kind in NEEDED else [])
    assert not NEEDED & NEVER
    assert set(KINDS) >= NEVER


async def test_the_last_of_several_kinds_in_one_message_counts_as_it_does_there() -> None:
    both = message("rerun_script").SerializeToString() + message("clear_cache").SerializeToString()
    assert await Line(both).passed() == []
    turned = message("clear_cache").SerializeToString() + message("rerun_script").SerializeToString()
    assert await Line(turned).passed() == ["rerun_script"]
    # What follows a refused message still passes.
    line = Line(message("clear_cache"), message("rerun_script"), b"", message("stop_script"))
    assert await line.passed() == ["rerun_script", "stop_script"]


async def test_addresses_for_uploads_are_given_to_whoever_may_upload() -> None:
    request = message("file_urls_request")
    assert await Line(request).passed() == ["file_urls_request"]
    assert await Line(request, may_upload=False).passed() == []


async def test_what_is_no_message_is_left_to_streamlit_which_ends_the_connection() -> None:
    line = Line(b"\xff\xff\xff", "text")
    assert (await line.guard.receive())["bytes"] == b"\xff\xff\xff"
    assert (await line.guard.receive())["text"] == "text"


async def test_a_page_that_runs_again_by_itself_is_no_sign_that_somebody_is_there() -> None:
    by_itself = message("rerun_script")
    by_itself.rerun_script.is_auto_rerun = True
    assert await Line(by_itself, by_itself).passed() == ["rerun_script"] * 2
    line = Line(by_itself)
    await line.passed()
    assert line.noted == 0

    line = Line(message("rerun_script"), message("rerun_script"))
    await line.passed()
    assert line.noted == 1
    line.now += ACTIVE_EVERY
    line.sent = [message("rerun_script")]
    await line.passed()
    assert line.noted == 2
