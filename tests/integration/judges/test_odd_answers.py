"""The Anthropic judge in front of a server that answers with anything: a stored failure, never a crash or a leak."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from comparator.domain.errors import JudgeError, JudgeUnavailable
from comparator.domain.labels import Order
from comparator.domain.usage import Call
from comparator.judges.model.direct_sender import LONGEST_RAW, MOST_COUNTED
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.sender import AnthropicOptions
from tests.loopback.brain import Taste, answer_to
from tests.loopback.pairs import pair, rubric

KEY = "planted/key-0123456789"
PAIR = pair({"a.md": "The Elbe rises in the mountains."}, {"b.md": "Rivers are wet."})


def whole(body: bytes, *, status: str = "200 OK", **headers: str) -> bytes:
    """One JSON answer."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    head = {"content-type": "application/json", "content-length": str(len(body)), **given}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in head.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def message(text: Any, **changes: Any) -> bytes:
    body = {"type": "message", "model": "m", "content": [{"type": "text", "text": text}]}
    end = {"stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}}
    return json.dumps(body | end | changes).encode()


STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


def stream(*events: dict[str, Any]) -> bytes:
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
    return STREAM + body


def start(**changes: Any) -> dict[str, Any]:
    return {"type": "message_start", "message": {"model": "m", "content": [], "usage": {}} | changes}


def delta(text: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}


BLOCK = {"type": "text", "text": ""}
BEGIN: dict[str, Any] = {"type": "content_block_start", "index": 0, "content_block": BLOCK}
STOP: dict[str, Any] = {"type": "message_stop"}


class Odd:
    """A server that answers every request with the same bytes."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer
        self.requests: list[dict[str, Any]] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            length = next(int(line.split(b":")[1]) for line in lines if b"content-length" in line)
            self.requests.append(json.loads(await reader.readexactly(length)))
            writer.write(self.answer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def judge_before(answer: bytes) -> AsyncIterator[tuple[AnthropicJudge, Odd]]:
    odd = Odd(answer)
    server = await asyncio.start_server(odd.serve, "127.0.0.1", 0, limit=2**22)
    odd.port = server.sockets[0].getsockname()[1]
    options = AnthropicOptions(base_url=f"http://127.0.0.1:{odd.port}", retries=0, timeout=20)
    judge = AnthropicJudge(options, environment={"ANTHROPIC_API_KEY": KEY})
    try:
        yield judge, odd
    finally:
        await judge.close()
        server.close()


async def calls_after(answer: bytes) -> tuple[str, tuple[Call, ...]]:
    """What was said about the failure, and the calls that are stored with it."""
    async with judge_before(answer) as (judge, _odd):
        with pytest.raises(JudgeError) as caught:
            await judge.read_pair(PAIR, rubric(), order=Order.A_FIRST)
    return str(caught.value), caught.value.calls


DEEP = b'{"content":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


@pytest.mark.parametrize(
    "answer",
    [
        whole(message("no JSON", usage={"input_tokens": 10**25, "output_tokens": 10**25})),
        stream(start(usage={"input_tokens": 10**25}), delta("no JSON"), STOP),
        stream(start(), delta(5), STOP),
        stream(start(), delta({"a": [1]}), STOP),
        stream(start(model=["x"]), delta("no JSON"), STOP),
        stream(start(model={"x": 1}), delta("no JSON"), STOP),
        stream(
            start(), delta("x"), {"type": "message_delta", "delta": {"stop_reason": ["x"]}, "usage": 5}, STOP
        ),
        whole(message(5, model=["x"], stop_reason={"x": 1}, usage=[5])),
        whole(message("x", content=[5, None, {"type": "text"}])),
        whole(b'"text"'),
        whole(DEEP, status="400 Bad Request"),
        STREAM + b"event: content_block_delta\ndata: " + DEEP + b"\n\n",
        STREAM + b"event: error\ndata: " + DEEP + b"\n\n",
    ],
)
async def test_an_answer_of_any_shape_becomes_a_failure_that_can_be_stored(answer: bytes) -> None:
    said, calls = await calls_after(answer)
    assert calls
    for call in calls:
        assert call.problem
        assert 0 <= call.usage.input_tokens <= MOST_COUNTED < 2**63
        assert len(call.model) <= 200
        assert Call.model_validate_json(call.model_dump_json()) == call
    assert "Signing in" not in said


def page(status: str) -> bytes:
    return whole(b"<!doctype html><title>In</title>", status=status, content_type="text/html; charset=utf-8")


CHOICES = [{"message": {"content": "{}"}}]
OTHER_VENDOR: dict[str, Any] = {"id": "chatcmpl-1", "object": "chat.completion", "choices": CHOICES}
OTHER_STREAM = b"".join(
    b"data: " + json.dumps(chunk).encode() + b"\n\n"
    for chunk in (OTHER_VENDOR | {"object": "chat.completion.chunk"}, {"choices": list[str]()})
)
NO_MESSAGES = {
    "page": page("200 OK"),
    "page 405": page("405 Method Not Allowed"),
    "page 400": page("400 Bad Request"),
    "nested": whole(DEEP),
    "chat": whole(json.dumps(OTHER_VENDOR).encode()),
    "candidates": whole(json.dumps({"candidates": [{"content": {"parts": [{"text": "{}"}]}}]}).encode()),
    "error with 200": whole(b'{"error": "no such route"}'),
    "text": whole(b"OK", content_type="text/plain"),
    "stream of chunks": STREAM + OTHER_STREAM + b"data: [DONE]\n\n",
}


@pytest.mark.parametrize("answer", NO_MESSAGES.values(), ids=NO_MESSAGES)
async def test_what_does_not_speak_the_messages_api_is_told_so_in_one_sentence(answer: bytes) -> None:
    said, calls = await calls_after(answer)
    assert "does not speak the Messages API. Check the base URL" in said
    assert "<" not in said
    assert len(calls) == 1, "asking again would not help"


BIG = message("x" * 30_000_000)


@pytest.mark.parametrize(
    "answer",
    [
        whole(BIG),
        whole(gzip.compress(BIG), content_encoding="gzip"),
        whole(gzip.compress(BIG), status="400 Bad Request", content_encoding="gzip"),
        stream(start(), BEGIN, *[delta("x" * 3_300_000)] * 5, STOP),
        stream(start(), {"type": "ping", "filler": "x" * 17_000_000}, STOP),
    ],
    ids=["plain", "compressed", "compressed error", "text of a stream", "no text in a stream"],
)
async def test_an_answer_without_end_is_not_read_to_its_end(answer: bytes) -> None:
    said, calls = await calls_after(answer)
    assert "MB, far more than a judgment has" in said
    assert len(calls) == 1
    assert len(calls[0].raw) <= LONGEST_RAW


async def test_a_long_answer_is_kept_up_to_a_bound() -> None:
    _said, calls = await calls_after(whole(message("{" + "x" * 2 * LONGEST_RAW)))
    assert {len(call.raw) for call in calls} == {LONGEST_RAW}


async def test_a_key_in_the_name_of_the_model_or_the_request_is_hidden_and_both_are_cut() -> None:
    body = message("x", model=f"{'m' * 190}{KEY}{'m' * 500}")
    _said, calls = await calls_after(whole(body, request_id=f"{'r' * 190}{KEY}{'r' * 500}"))
    assert len(calls[0].model) == 200
    assert calls[0].request_id is not None
    assert len(calls[0].request_id) == 200
    assert "planted" not in repr(calls)


async def test_a_key_that_is_written_with_escapes_does_not_come_back() -> None:
    async with judge_before(b"") as (judge, odd):
        with pytest.raises(JudgeUnavailable):
            await judge.read_pair(PAIR, rubric(), order=Order.A_FIRST)
        given = answer_to(odd.requests[0], taste=Taste.CONTENT)
        given["reasoning"] = "own-key-here and pattern-key-here"
        hidden = "".join(f"\\u{ord(c):04X}" for c in KEY)
        formed = "\\u0073k-ant-abcdefghijkl"
        text = json.dumps(given).replace("own-key-here", hidden).replace("pattern-key-here", formed)
        odd.answer = whole(message(text))
        reply = await judge.read_pair(PAIR, rubric(), order=Order.A_FIRST)
    assert reply.answer.reasoning == "[hidden] and [hidden]"
    assert hidden not in reply.calls[0].raw
    assert "planted" not in repr(reply)


@pytest.mark.parametrize("before", [190, 290, 490, 3990])
async def test_half_a_key_is_not_left_where_a_message_is_cut(before: int) -> None:
    error = {"type": "error", "error": {"type": "api_error", "message": "x" * before + KEY + "x" * 500}}
    said, calls = await calls_after(whole(json.dumps(error).encode(), status="418 Teapot"))
    assert "plant" not in said + repr(calls)
    double = "{" + f'"{"x" * (before - 120)}\\u0070{KEY[1:]}":1,' * 2 + "}"
    said, calls = await calls_after(whole(message(double)))
    assert "lanted" not in said + repr(calls)


async def test_a_redirect_takes_neither_the_key_nor_the_outputs_elsewhere() -> None:
    async with judge_before(whole(message("x"))) as (_other, elsewhere):
        moved = whole(b"{}", status="307 Moved", location=f"http://127.0.0.1:{elsewhere.port}/v1/messages")
        said, calls = await calls_after(moved)
        assert elsewhere.requests == []
    assert "another address (307)" in said
    assert len(calls) == 1
