"""Which of Streamlit's messages reach it: those that our pages need, from whom they may come."""

import pytest
from starlette.types import Message
from streamlit.proto.BackMsg_pb2 import BackMsg

from comparator.web.streamlit import ACTIVE_EVERY, NEEDED, Guard

KINDS = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]
OPERATIONS = BackMsg().backend_operation_request.DESCRIPTOR.oneofs_by_name["payload"]
NEVER = {
    "clear_cache",
    "set_run_on_save",
    "load_git_info",
    "debug_shutdown_runtime",
    "backend_operation_request",
}


def message(kind: str) -> BackMsg:
    """A message of this kind, with something in it."""
    made = BackMsg()
    field = BackMsg.DESCRIPTOR.fields_by_name[kind]
    if field.message_type is None:
        setattr(made, kind, True)
    else:
        getattr(made, kind).SetInParent()
    return made


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
        found = []
        while (got := await self.guard.receive())["type"] == "websocket.receive":
            kind = BackMsg.FromString(got["bytes"]).WhichOneof("type") if got.get("bytes") else "text"
            found.append(str(kind))
        return found


@pytest.mark.parametrize("kind", KINDS)
async def test_only_what_the_pages_need_reaches_streamlit(kind: str) -> None:
    assert await Line(message(kind)).passed() == ([kind] if kind in NEEDED else [])


def test_what_harms_everybody_is_not_needed() -> None:
    assert not NEEDED & NEVER
    assert set(KINDS) >= NEVER


async def test_the_last_of_several_kinds_in_one_message_counts_as_it_does_there() -> None:
    both = message("rerun_script").SerializeToString() + message("clear_cache").SerializeToString()
    assert await Line(both).passed() == []
    turned = message("clear_cache").SerializeToString() + message("rerun_script").SerializeToString()
    assert await Line(turned).passed() == ["rerun_script"]


async def test_what_follows_a_refused_message_still_passes() -> None:
    line = Line(message("clear_cache"), message("rerun_script"), b"", message("stop_script"))
    assert await line.passed() == ["rerun_script", "stop_script"]


async def test_addresses_for_uploads_are_given_to_whoever_may_upload() -> None:
    asked = message("file_urls_request")
    assert await Line(asked).passed() == ["file_urls_request"]
    assert await Line(asked, may_upload=False).passed() == []


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
