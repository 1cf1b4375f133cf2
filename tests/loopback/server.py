"""A Messages API server on the loopback address; by hand: `python -m tests.loopback.server --port N`."""

import argparse
import asyncio
import hashlib
import itertools
import json
import random
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.loopback.acts import Act, ErrorEvent, Hang, Reply, Reset, Slow, Status
from tests.loopback.brain import Cache, Prefers, Taste, answer_to, outputs_of
from tests.loopback.message_batches import MessageBatchServer, SentBatch
from tests.loopback.players import Asked, Player, Verdict, careful

_PIECE = 2000
BEGINS = 0.2
"""The share of an answer's time after which it begins."""
_FIRST_EVENT = b"\n\n\r\n"
"""Where the chunk with the first event of a stream ends."""
_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


@dataclass(frozen=True)
class Recorded:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    raw: bytes
    body: dict[str, Any]
    connection: int
    came: float = 0.0
    """When, by the monotonic clock."""

    @property
    def order(self) -> str:
        """The labels in the order in which the outputs are shown; empty for a rubric."""
        return "".join(output.label for output in outputs_of(self.body))


@dataclass
class LoopbackServer:
    """Answers every request plausibly, or does what the script says; records all requests.

    An answer begins after a fifth of `latency` (seconds), when the cache holds its prefix, and then has ended.
    Used as a context manager it runs in a thread of its own and ends with the block.
    """

    latency: float = 0.0
    player: Player | None = None
    """Who answers requests that offer tools; without one, nobody uses them."""
    reader: Callable[[dict[str, Any]], Taste] | None = None
    """Decides readings in one request, in place of the taste."""
    answerer: Callable[[dict[str, Any]], dict[str, Any] | None] | None = None
    """Gives whole answers in place of the brain, which answers what it leaves (None)."""
    taste: Taste | Prefers = Taste.CONTENT
    port: int = 0
    remember: bool = True
    """False keeps no requests, for long runs."""
    requests: list[Recorded] = field(default_factory=list)
    open_now: int = 0
    most_open: int = 0
    """The largest number of requests that were being answered at the same time."""

    log: Path | None = None
    """A file to which each request for a message is added as a line of JSON, as soon as it has ended."""
    keep: int = 0
    """How many requests are kept whole beside the log."""
    faults: tuple[tuple[float, Act], ...] = ()
    """Chances of doing something else instead of answering, drawn alike each time."""

    def __post_init__(self) -> None:
        self._random = random.Random(0)
        self._log_file = self.log.open("a", encoding="utf-8") if self.log else None
        self._message_batches = MessageBatchServer(self)
        self._script: deque[Act] = deque()
        self._by_order: dict[str, deque[Act]] = {}
        self._cache = Cache()
        self._ids = itertools.count(1)
        self._connections = itertools.count(1)
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def base_url(self) -> str:
        """The address to give to a client."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def batches(self) -> tuple[SentBatch, ...]:
        """The Message Batches that were handed in, the oldest first."""
        return tuple(self._message_batches.batches.values())

    @property
    def messages(self) -> list[Recorded]:
        """The recorded requests for messages."""
        return [request for request in self.requests if request.path.endswith("/messages")]

    def then(self, *script: Act) -> Self:
        """Does these things with the next requests for messages, one each; afterwards answers as usual."""
        self._script.extend(script)
        return self

    def then_for(self, order: str, *script: Act) -> Self:
        """The same for requests that show the outputs in this order (`AB` or `BA`), or for rubrics (empty)."""
        self._by_order.setdefault(order, deque()).extend(script)
        return self

    async def serve(self) -> asyncio.Server:
        """Starts to listen; `port` is then the real one."""
        server = await asyncio.start_server(self._connection, "127.0.0.1", self.port, limit=2**20)
        self.port = server.sockets[0].getsockname()[1]
        return server

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._loop = asyncio.new_event_loop()

        def run() -> None:
            asyncio.set_event_loop(self._loop)
            self._server = self._loop.run_until_complete(self.serve())
            ready.set()
            self._loop.run_forever()
            self._loop.run_until_complete(self._end())
            self._loop.close()

        self._thread = threading.Thread(target=run, name="loopback-messages-api", daemon=True)
        self._thread.start()
        ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _end(self) -> None:
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        connection = next(self._connections)
        try:
            while head := await _head(reader):
                path, headers = head
                raw = await reader.readexactly(int(headers.get("content-length", "0")))
                body = json.loads(raw) if raw else {}
                request = Recorded(path.partition("?")[0], headers, raw, body, connection, time.monotonic())
                if self.remember:
                    self.requests.append(request)
                self.open_now += 1
                self.most_open = max(self.most_open, self.open_now)
                try:
                    await self._answer(request, writer)
                finally:
                    self.open_now -= 1
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _answer(self, request: Recorded, writer: asyncio.StreamWriter) -> None:
        if request.path.endswith("/count_tokens"):
            tokens = sum(Cache().usage(request.body).values())
            await _send(writer, _json(200, {"input_tokens": tokens}))
            return
        if "/messages/batches" in request.path:
            await _send(writer, self._message_batches.answer(request))
            return
        if not request.path.endswith("/messages"):
            await _send(writer, _error(Status(404, "not_found_error", f"no such route: {request.path}")))
            return
        act = self._next_act(request)
        came = time.time()
        if self.latency and not isinstance(act, Reply):
            await asyncio.sleep(self.latency)
        proper = False
        try:
            await self._do(act, request, writer)
            proper = isinstance(act, Reply | Slow)
        finally:
            self.note(request.body, came=came, proper=proper)

    def note(self, body: dict[str, Any], *, came: float, proper: bool) -> None:
        """Write down that a question was asked, and whether it was answered."""
        if self._log_file is not None:
            question = {name: value for name, value in body.items() if name != "stream"}
            digest = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
            sent = time.time() if proper else None
            if self.keep > 0:
                self.keep -= 1
                assert self.log is not None
                with self.log.with_suffix(".bodies").open("a", encoding="utf-8") as kept:
                    print(json.dumps(question), file=kept)
            print(json.dumps({"digest": digest, "came": came, "sent": sent}), file=self._log_file, flush=True)

    async def _do(self, act: Act, request: Recorded, writer: asyncio.StreamWriter) -> None:
        match act:
            case Status():
                await _send(writer, _error(act))
            case Hang(seconds):
                await asyncio.sleep(seconds)
                writer.transport.abort()
            case Reset(midway):
                if midway:
                    whole = self._reply(request, Reply())
                    await _send(writer, whole[: len(whole) // 2])
                _reset(writer)
            case Slow(seconds):
                whole = self._reply(request, Reply())
                for start in range(0, len(whole), max(1, len(whole) // 20)):
                    await _send(writer, whole[start : start + max(1, len(whole) // 20)])
                    await asyncio.sleep(seconds / 20)
            case ErrorEvent(kind, message):
                begun = self._events(request, "", "end_turn")[:2]
                event = ("error", {"type": "error", "error": {"type": kind, "message": message}})
                await _send(writer, _stream([*begun, event], self._id()))
            case Reply():
                await asyncio.sleep(self.latency * BEGINS)
                first, end, rest = self._reply(request, act).partition(_FIRST_EVENT)
                if rest and self.latency:
                    await _send(writer, first + end)
                    first = end = b""
                await asyncio.sleep(self.latency * (1 - BEGINS))
                await _send(writer, first + end + rest)

    def _next_act(self, request: Recorded | None) -> Act:
        if self._by_order and request is not None:
            script = self._by_order.get(request.order)
            if script:
                return script.popleft()
        if self._script:
            return self._script.popleft()
        for chance, act in self.faults:
            if self._random.random() < chance:
                return act
        return Reply()

    def next_for_batch(self) -> Act:
        """What is to happen to the next request of a Message Batch."""
        return self._next_act(None)

    def message_for(self, body: dict[str, Any], act: Reply) -> dict[str, Any]:
        """The whole message that answers this request."""
        text = act.change(answer_to(body, taste=self.taste))
        usage = Cache().usage(body) | {"output_tokens": max(1, len(text) // 4)}
        usage_of: dict[str, Any] = {**usage, "service_tier": "batch"}
        return self._message(body, usage_of) | {
            "content": [{"type": "text", "text": text}],
            "stop_reason": act.stop_reason,
        }

    def _reply(self, request: Recorded, act: Reply) -> bytes:
        change, taste = act.change, self.taste
        if self.reader is not None and outputs_of(request.body):
            taste = self.reader(request.body)
        if self.player is not None and request.body.get("tools"):
            played = self.player(request.body)
            if not isinstance(played, Verdict):
                return self._asking(request, played, streams=bool(request.body.get("stream")) and act.streams)
            taste, edit = played.taste or taste, played.edit

            def change(answer: dict[str, Any]) -> str:
                edit(answer)
                return act.change(answer)

        answer = self.answerer(request.body) if self.answerer else None
        text = change(answer_to(request.body, taste=taste) if answer is None else answer)
        if request.body.get("stream") and act.streams:
            return _stream(self._events(request, text, act.stop_reason), self._id())
        usage = self._cache.usage(request.body, came=request.came) | {"output_tokens": max(1, len(text) // 4)}
        return _json(
            200,
            self._message(request.body, usage)
            | {"content": [{"type": "text", "text": text}], "stop_reason": act.stop_reason},
        )

    def _asking(self, request: Recorded, calls: Sequence[Asked], *, streams: bool) -> bytes:
        """An answer that asks for tools."""
        usage = self._cache.usage(request.body, came=request.came)
        uses: list[dict[str, Any]] = [
            {"type": "tool_use", "id": f"toolu_{next(self._ids)}", "name": call.tool} for call in calls
        ]
        size = max(1, sum(len(call.json) for call in calls) // 4)
        if not streams:
            content = [use | {"input": call.arguments} for use, call in zip(uses, calls, strict=True)]
            whole = {"content": content, "stop_reason": "tool_use"}
            return _json(200, self._message(request.body, usage | {"output_tokens": size}) | whole)
        events: list[tuple[str, dict[str, Any]]] = [
            ("message_start", {"message": self._message(request.body, usage | {"output_tokens": 1})})
        ]
        for index, (use, call) in enumerate(zip(uses, calls, strict=True)):
            place = {"index": index}
            half = len(call.json) // 2
            events.append(("content_block_start", place | {"content_block": use | {"input": {}}}))
            for piece in (call.json[:half], call.json[half:]):
                delta = {"type": "input_json_delta", "partial_json": piece}
                events.append(("content_block_delta", place | {"delta": delta}))
            events.append(("content_block_stop", place))
        stop = {"delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": {"output_tokens": size}}
        return _stream([*events, ("message_delta", stop), ("message_stop", {})], self._id())

    def _events(self, request: Recorded, text: str, stop_reason: str) -> list[tuple[str, dict[str, Any]]]:
        usage = self._cache.usage(request.body, came=request.came)
        pieces = [text[i : i + _PIECE] for i in range(0, len(text), _PIECE)]
        deltas = ({"index": 0, "delta": {"type": "text_delta", "text": piece}} for piece in pieces)
        stop = {"stop_reason": stop_reason, "stop_sequence": None}
        return [
            ("message_start", {"message": self._message(request.body, usage | {"output_tokens": 1})}),
            ("ping", {}),
            ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
            *(("content_block_delta", delta) for delta in deltas),
            ("content_block_stop", {"index": 0}),
            ("message_delta", {"delta": stop, "usage": {"output_tokens": max(1, len(text) // 4)}}),
            ("message_stop", {}),
        ]

    def _message(self, body: dict[str, Any], usage: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "id": f"msg_{next(self._ids)}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model", ""),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }

    def _id(self) -> str:
        return f"req_{next(self._ids)}"


async def _head(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]] | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.split("\r\n")
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines if line)
    }
    return first.split(" ")[1], headers


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


def _reset(writer: asyncio.StreamWriter) -> None:
    connection = writer.get_extra_info("socket")
    # A linger of zero seconds makes the system send a reset instead of an orderly end.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def _json(status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> bytes:
    data = json.dumps(body).encode()
    return _headed(
        status,
        {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})},
        data,
    )


def _error(status: Status) -> bytes:
    body = {"type": "error", "error": {"type": status.kind, "message": status.message}}
    return _json(status.code, body, {"request-id": "req_error", **status.headers})


def _stream(events: list[tuple[str, dict[str, Any]]], request_id: str) -> bytes:
    first, *rest = (
        f"event: {name}\ndata: {json.dumps({'type': name, **body})}\n\n".encode() for name, body in events
    )
    chunked = b"".join(
        f"{len(data):x}\r\n".encode() + data + b"\r\n" for data in (first, b"".join(rest), b"")
    )
    headers = {"content-type": "text/event-stream", "transfer-encoding": "chunked", "request-id": request_id}
    return _headed(200, headers, chunked)


def _headed(status: int, headers: dict[str, str], data: bytes) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}",
        *(f"{n}: {v}" for n, v in headers.items()),
        "",
        "",
    ]
    # Head and body in one write: two writes cost 44 ms a call with delayed acknowledgements.
    return "\r\n".join(lines).encode("latin-1") + data


async def _by_hand(server: LoopbackServer, seconds: float) -> None:
    listening = await server.serve()
    print(f"export ANTHROPIC_BASE_URL={server.base_url} ANTHROPIC_API_KEY=any-key", flush=True)  # noqa: T201
    async with listening:
        await asyncio.sleep(seconds)


def main() -> None:
    """Runs the server in the foreground until its time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8621)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--seconds", type=float, default=3600.0, help="how long the server lives")
    parser.add_argument("--log", type=Path, help="file to write each request for a message to")
    parser.add_argument("--keep", type=int, default=0, help="how many requests to keep whole beside the log")
    parser.add_argument("--careful", action="store_true", help="use tools where they are offered")
    given = parser.parse_args()
    about: dict[str, Any] = {"player": careful if given.careful else None, "remember": False}
    server = LoopbackServer(latency=given.latency, port=given.port, log=given.log, keep=given.keep, **about)
    asyncio.run(_by_hand(server, given.seconds))


if __name__ == "__main__":
    main()
