"""Sends requests straight to the Messages API through the SDK, and retries what a retry can help."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from comparator.domain.errors import JudgeError
from comparator.domain.usage import Call
from comparator.judges.model.client import make_client, server_of
from comparator.judges.model.faults import BrokenStream, Fault, OtherProtocol, Returned, fault_of
from comparator.judges.model.options import AnthropicOptions
from comparator.judges.model.received import Received, read_event, read_whole
from comparator.judges.model.secrets import Scrubber
from comparator.judges.model.sender import BatchReply, ModelMessage, Request, Sender, Sent, tokens_of
from comparator.judges.protocol import WAITING, Owner

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 30.0
_LONG = 30.0
"""Seconds after which somebody who waits is told what for."""
LONGEST_RAW = 600_000
"""Characters of a raw answer that are kept in a call."""
LONGEST_NAME = 200
"""Characters of a model's name or of a request's id that are kept."""


@dataclass
class Patience:
    """The clocks and chances that a test replaces, and since when the server takes no requests."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    monotonic: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    chance: Callable[[], float] = random.random
    busy_since: float | None = None
    """When the first request was put off since the last one that was answered, by `now`."""


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
) -> tuple[ModelMessage, tuple[Call, ...]]:
    """The answer, with every try that it took; between two tries no place is taken.

    While the server limits the rate or is overloaded, requests wait, for `options.busy` seconds after the first of
    them; the owner is told. Raises RequestFailed once a retry cannot help or has not helped, and the sender's
    JudgeError with the calls so far.
    """
    calls: tuple[Call, ...] = ()
    failed = waits = 0
    tell = on_behalf_of.tell if on_behalf_of is not None else _tell_nobody
    while True:
        try:
            with _said_later(tell, options, patience):
                sent = await sender.send(replace(request, paid=request.paid or bool(calls)), on_behalf_of)
        except JudgeError as error:
            error.calls = calls
            raise
        calls += (sent.call,)
        if isinstance(sent.outcome, ModelMessage):
            patience.busy_since = None
            if waits:
                tell("")
            return sent.outcome, calls
        fault, now = sent.outcome, patience.now()
        if fault.busy and fault.retryable:
            patience.busy_since = patience.busy_since or now
            waits += 1
        else:
            failed += 1
        if (
            not fault.retryable
            or failed > options.retries
            or now - (patience.busy_since or now) > options.busy
        ):
            raise RequestFailed(fault, calls)
        wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** min(failed + waits - 1, 16)) * (
            0.5 + patience.chance() / 2
        )
        wait = max(wait, min(fault.retry_after or 0.0, options.max_retry_after))
        if fault.busy and patience.busy_since is not None:
            tell(
                f"{WAITING} {server_of(options)} since {_clock(patience.busy_since)}: {fault.problem}. The next try is "
                f"in {wait:.0f} s."
            )
        await patience.sleep(wait)


def _tell_nobody(_: str) -> None:
    """Nobody waits."""


@contextmanager
def _said_later(tell: Callable[[str], None], options: AnthropicOptions, patience: Patience) -> Iterator[None]:
    """Says what is waited for, once that takes long."""
    words = f"{WAITING} {server_of(options)} since {_clock(patience.now())}: it has not answered yet."
    later = asyncio.get_running_loop().call_later(_LONG, tell, words)
    try:
        yield
    finally:
        later.cancel()


def _clock(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%H:%M:%S")


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
        received = Received(model=str(request.parameters["model"]))
        started = self._patience.monotonic()
        fault: Fault | None = None
        try:
            async with asyncio.timeout(self._options.timeout):
                await self._receive(request.parameters, received)
        except Exception as error:  # noqa: BLE001  each provider's sign-in raises types of its own
            # Only our own words leave this block: the SDK's exceptions carry the request with its key.
            fault = self._fault(error)
        return self._sent(received, fault=fault, seconds=self._patience.monotonic() - started)

    def read_reply(self, request: Request, reply: BatchReply) -> Sent:
        """What a Message Batch holds for a request; whoever sends batches sends it again, so no fault is retryable."""
        received = Received(model=str(request.parameters["model"]))
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
        self, received: Received, *, fault: Fault | None, seconds: float, batched: bool = False
    ) -> Sent:
        message = received.message(self._scrubber.clean)
        asked = [json.dumps({"tool": use.name, "arguments": use.input}) for use in message.tool_uses]
        text = "\n".join((*([message.text] if message.text or not asked else []), *asked))
        request_id = received.request_id or (fault.request_id if fault else None)
        call = Call(
            raw=(text or (fault.body if fault else ""))[:LONGEST_RAW],
            usage=received.usage(seconds),
            problem=fault.problem if fault else None,
            model=self._named(received.model),
            request_id=request_id and self._named(request_id),
            batched=batched,
        )
        return Sent(call, fault or message)

    def _named(self, name: str) -> str:
        # Cleaned before it is cut: half a key is no longer recognised.
        return self.clean(name)[:LONGEST_NAME]

    async def _receive(self, parameters: Mapping[str, Any], received: Received) -> None:
        # Streamed: an answer that takes minutes would leave the connection idle until something on the way cuts it.
        stream = await self._sdk().messages.create(**parameters, stream=True)
        async with stream:
            received.request_id = stream.response.headers.get("request-id")
            kind = stream.response.headers.get("content-type", "")
            if kind.startswith("application/json"):
                read_whole(json.loads(await stream.response.aread()), received)
                return
            event = None
            async for event in stream:
                read_event(event, received)
        if event is None:
            # Whole, and none of its events is one that the SDK knows.
            raise OtherProtocol(f"no event of a message in {kind[:100] or 'the answer'}")
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
            busy=fault.busy,
        )

    def _sdk(self) -> Any:
        loop = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not loop:
            self._client = loop, make_client(self._options, self._environment)
        return self._client[1]


def _read_reply(reply: BatchReply, received: Received) -> None:
    """Reads what came back in a Message Batch."""
    if reply.message is None:
        raise Returned(reply.error_kind, reply.error)
    read_whole(reply.message, received)
    received.request_id = str(reply.message.get("id") or "") or None
