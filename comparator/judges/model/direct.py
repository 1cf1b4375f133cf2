"""Sends requests straight to the Messages API through the SDK, and retries what a retry can help."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from comparator.domain.errors import JudgeError, JudgeUnavailable
from comparator.domain.usage import Call, Usage
from comparator.judges.model.client import LONGEST_BODY, make_client, server_of
from comparator.judges.model.faults import BrokenStream, Fault, Returned, TooLong, fault_of
from comparator.judges.model.options import AnthropicOptions
from comparator.judges.model.secrets import Scrubber
from comparator.judges.model.sender import Message, Reply, Request, Sender, Sent, tokens_of
from comparator.judges.protocol import Owner

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
LONGEST_RAW = 600_000
"""Characters of a raw answer that are kept in a call."""
LONGEST_NAME = 200
"""Characters of a model's name or of a request's id that are kept."""
MOST_COUNTED = 100_000_000
"""The largest number of tokens of a request that is believed: what they cost has to find room in a database, too."""


@dataclass(frozen=True)
class Patience:
    """The clocks and chances that a test replaces."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    chance: Callable[[], float] = random.random


@dataclass
class _Received:
    """What has been read of an answer so far."""

    text: list[str] = field(default_factory=list)
    length: int = 0
    stop_reason: str | None = None
    model: str = ""
    request_id: str | None = None
    counts: dict[str, int] = field(default_factory=dict)
    ended: bool = False

    def add(self, text: Any) -> None:
        piece = "" if text is None else str(text)
        self.length += len(piece)
        if self.length > LONGEST_BODY:
            raise TooLong(LONGEST_BODY)
        self.text.append(piece)

    def count(self, usage: Any) -> None:
        for name in (
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
        ):
            value = usage.get(name) if isinstance(usage, dict) else getattr(usage, name, None)
            if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                # Later events carry running totals; a server that leaves one out or sends 0 does not take it back.
                self.counts[name] = min(MOST_COUNTED, max(value, self.counts.get(name, 0)))

    def usage(self, seconds: float) -> Usage:
        return Usage(
            input_tokens=self.counts.get("input_tokens", 0),
            output_tokens=self.counts.get("output_tokens", 0),
            cached_tokens=self.counts.get("cache_read_input_tokens", 0),
            cache_written_tokens=self.counts.get("cache_creation_input_tokens", 0),
            seconds=round(seconds, 3),
        )


class RequestFailed(Exception):
    """A request failed for good: the fault says why, `calls` are all tries at it."""

    def __init__(self, fault: Fault, calls: tuple[Call, ...]) -> None:
        super().__init__(fault.message)
        self.fault, self.calls = fault, calls


async def send_patiently(
    sender: Sender,
    request: Request,
    on_behalf_of: Owner | None,
    *,
    options: AnthropicOptions,
    patience: Patience,
) -> tuple[Message, tuple[Call, ...]]:
    """The answer, with every try that it took; between two tries nothing is held.

    Raises RequestFailed once a retry cannot help or has not helped, and the sender's JudgeError with the calls so far.
    """
    calls: tuple[Call, ...] = ()
    while True:
        try:
            sent = await sender.send(replace(request, paid=request.paid or bool(calls)), on_behalf_of)
        except JudgeError as error:
            error.calls = calls
            raise
        calls += (sent.call,)
        if isinstance(sent.outcome, Message):
            return sent.outcome, calls
        fault = sent.outcome
        if not fault.retryable or len(calls) > options.retries:
            raise RequestFailed(fault, calls)
        wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (len(calls) - 1)) * (0.5 + patience.chance() / 2)
        if fault.retry_after is not None:
            if fault.retry_after > options.max_retry_after:
                raise RequestFailed(_too_long(fault, options), calls)
            wait = max(wait, fault.retry_after)
        await patience.sleep(wait)


class DirectSender:
    """A connection to one model. The SDK's client is made on first use, one for each event loop."""

    def __init__(
        self, options: AnthropicOptions, *, environment: Mapping[str, str], patience: Patience
    ) -> None:
        self._options = options
        self._environment = environment
        self._patience = patience
        self._scrubber = Scrubber.of(environment, base_url=options.base_url)
        self._client: tuple[asyncio.AbstractEventLoop, Any] | None = None
        self.server = server_of(options)

    def clean(self, text: str) -> str:
        """The text without the secrets that this connection knows."""
        return self._scrubber.clean(text)

    async def send(self, request: Request, on_behalf_of: Owner | None) -> Sent:
        """The answer to a request of `client.messages.create`, secrets removed. Raises what the owner's budget does."""
        if on_behalf_of is not None and on_behalf_of.reserve is not None:
            # As late as this, so that nothing is set aside for requests that only wait.
            await on_behalf_of.reserve(on_behalf_of, *tokens_of(request.parameters))
        received = _Received(model=str(request.parameters["model"]))
        started = self._patience.monotonic()
        fault: Fault | None = None
        try:
            async with asyncio.timeout(self._options.timeout):
                await self._receive(request.parameters, received)
        except Exception as error:  # noqa: BLE001  each provider's sign-in raises types of its own
            # Only our own words leave this block: the SDK's exceptions carry the request with its key.
            fault = self._fault(error)
        return self._sent(received, fault=fault, seconds=self._patience.monotonic() - started)

    def read_reply(self, request: Request, reply: Reply) -> Sent:
        """What a Message Batch holds for a request; whoever sends batches sends it again, so no fault is retryable."""
        received = _Received(model=str(request.parameters["model"]))
        fault: Fault | None = None
        try:
            _read_reply(reply, received)
        except Exception as error:  # noqa: BLE001  a stored reply can be as odd as any answer
            fault = replace(self._fault(error), retryable=False)
        return self._sent(received, fault=fault, seconds=0.0, batched=True)

    async def count_tokens(self, parameters: Mapping[str, Any]) -> int:
        """How many tokens a request would have, which costs nothing. Raises RequestFailed."""
        try:
            async with asyncio.timeout(self._options.timeout):
                reply = await self._sdk().messages.count_tokens(**parameters)
            return int(reply.input_tokens)
        except Exception as error:  # noqa: BLE001  each provider's sign-in raises types of its own
            fault = self._fault(error)
        raise RequestFailed(fault, ())

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            loop, client = self._client
            self._client = None
            if loop is asyncio.get_running_loop():
                await client.close()

    def _sent(
        self, received: _Received, *, fault: Fault | None, seconds: float, batched: bool = False
    ) -> Sent:
        text = self._scrubber.clean("".join(received.text))
        request_id = received.request_id or (fault.request_id if fault else None)
        call = Call(
            raw=(text or (fault.body if fault else ""))[:LONGEST_RAW],
            usage=received.usage(seconds),
            problem=fault.problem if fault else None,
            model=self._named(received.model),
            request_id=request_id and self._named(request_id),
            batched=batched,
        )
        return Sent(call, fault or Message(text=text, stop_reason=received.stop_reason))

    def _named(self, name: str) -> str:
        # Cleaned before it is cut: half a key is no longer recognised.
        return self.clean(name)[:LONGEST_NAME]

    async def _receive(self, parameters: Mapping[str, Any], received: _Received) -> None:
        # Streamed: an answer that takes minutes would leave the connection idle until something on the way cuts it.
        stream = await self._sdk().messages.create(**parameters, stream=True)
        async with stream:
            received.request_id = stream.response.headers.get("request-id")
            if stream.response.headers.get("content-type", "").startswith("application/json"):
                _read_whole(json.loads(await stream.response.aread()), received)
                return
            async for event in stream:
                _read_event(event, received)
        if not received.ended and received.stop_reason is None:
            raise BrokenStream("the answer ended before it was complete")

    def _fault(self, error: Exception) -> Fault:
        try:
            fault = fault_of(
                error,
                model=self._options.model,
                server=self.server,
                now=self._patience.now(),
                clean=self._scrubber.clean,
            )
        except Exception as worse:  # noqa: BLE001  what a server sent as its error can be as odd as its answers
            fault = fault_of(
                ValueError(f"an error that cannot be read ({type(worse).__name__})"),
                model=self._options.model,
                server=self.server,
                now=self._patience.now(),
            )
        clean = self._scrubber.clean
        return Fault(
            error=fault.error,
            message=clean(fault.message),
            problem=clean(fault.problem),
            retryable=fault.retryable,
            retry_after=fault.retry_after,
            unsupported=fault.unsupported,
            body=clean(fault.body),
            request_id=fault.request_id,
            status=fault.status,
        )

    def _sdk(self) -> Any:
        loop = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not loop:
            self._client = loop, make_client(self._options, self._environment)
        return self._client[1]


def _too_long(fault: Fault, options: AnthropicOptions) -> Fault:
    return Fault(
        JudgeUnavailable,
        f"The server at {server_of(options)} asks to wait {fault.retry_after:.0f} seconds, more than the "
        f"{options.max_retry_after:.0f} that are waited here. Retry later.",
        fault.problem,
    )


def _read_event(event: Any, received: _Received) -> None:
    match event.type:
        case "message_start":
            received.model = str(event.message.model or received.model)
            received.count(event.message.usage)
        case "content_block_start" if event.content_block.type == "text":
            received.add(event.content_block.text)
        case "content_block_delta" if event.delta.type == "text_delta":
            received.add(event.delta.text)
        case "message_delta":
            received.stop_reason = _reason(event.delta.stop_reason) or received.stop_reason
            received.count(event.usage)
        case "message_stop":
            received.ended = True


def _read_whole(body: Any, received: _Received) -> None:
    """Reads an answer of a server that does not stream although it was asked to."""
    if not isinstance(body, dict) or not isinstance(body.get("content"), list):
        raise BrokenStream("the body is not a message")
    received.model = str(body.get("model") or received.model)
    for block in body["content"]:
        if isinstance(block, dict) and block.get("type") == "text":
            received.add(block.get("text"))
    received.stop_reason = _reason(body.get("stop_reason"))
    received.count(body.get("usage") or {})
    received.ended = True


def _read_reply(reply: Reply, received: _Received) -> None:
    """Reads what came back in a Message Batch."""
    if reply.message is None:
        raise Returned(reply.error_kind, reply.error)
    _read_whole(reply.message, received)
    received.request_id = str(reply.message.get("id") or "") or None


def usage_in(message: Mapping[str, Any]) -> Usage:
    """What a message says that it used; a number that cannot be true counts as none."""
    received = _Received()
    received.count(message.get("usage") or {})
    return received.usage(0.0)


def _reason(value: Any) -> str | None:
    return value if isinstance(value, str) else None
