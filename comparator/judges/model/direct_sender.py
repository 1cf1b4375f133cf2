"""Sends requests straight to the Messages API through the SDK."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx2

from comparator.domain.usage import Call, Usage
from comparator.judges.model.client import make_client
from comparator.judges.model.faults import BrokenStream, OtherProtocol, TooLong, Translator
from comparator.judges.model.retries import Patience, waiting_since
from comparator.judges.model.sender import (
    AnthropicOptions,
    BatchReply,
    Fault,
    ModelMessage,
    Request,
    Sent,
    ToolUse,
    tokens_of,
)
from comparator.judges.protocol import Owner

_LONG = 30.0
"""Seconds after which somebody who waits is told what for."""
LONGEST_RAW = 600_000
"""Characters of a raw answer that are kept in a call."""
LONGEST_NAME = 200
"""Characters of a model's name or of a request's id that are kept."""
MOST_COUNTED = 100_000_000
"""The largest number of tokens of a request that is believed: what they cost has to find room in a database, too."""


@dataclass
class _Received:
    """What has come of an answer, also where the rest has not: it is paid for."""

    body: Any = None
    request_id: str | None = None


class DirectSender:
    """A connection to one model. The SDK's client is made on first use, one for each event loop."""

    def __init__(
        self, options: AnthropicOptions, *, environment: Mapping[str, str], patience: Patience
    ) -> None:
        self._options, self._environment, self._patience = options, environment, patience
        self._client: tuple[asyncio.AbstractEventLoop, Any] | None = None
        self._translator = Translator(options, environment, now=patience.now)
        self.server, self._clean = self._translator.server, self._translator.clean

    async def send(self, request: Request, owner: Owner) -> Sent:
        """The answer to a request of `client.messages.create`, secrets removed. Raises what the owner's budget does."""
        if owner.reserve is not None:
            # As late as this, so that nothing is set aside for requests that only wait.
            await owner.reserve(owner, *tokens_of(request.parameters))
        words = f"{waiting_since(self._options, self._patience.now())}: it has not answered yet."
        later = asyncio.get_running_loop().call_later(_LONG, owner.tell, words)
        received, started = _Received(), self._patience.monotonic()
        fault: Fault | None = None
        try:
            async with asyncio.timeout(self._options.timeout):
                await self._receive(request.parameters, received, owner.began)
        except Exception as error:  # noqa: BLE001  each provider's sign-in raises types of its own
            # Only our own words leave this block: the SDK's exceptions carry the request with its key.
            fault = self._translator.fault_of(error)
        finally:
            later.cancel()
        return self._sent(request, received, fault, seconds=self._patience.monotonic() - started)

    def read_reply(self, request: Request, reply: BatchReply) -> Sent:
        """What a Message Batch holds for a request; whoever sends batches sends it again, so no fault is retryable."""
        received, fault = _Received(reply.message), None
        if reply.message is None:
            fault = self._translator.of_answer(kind=reply.error_kind, text=reply.error)
        else:
            received.request_id = str(reply.message.get("id") or "") or None
        sent = self._sent(request, received, fault, batched=True)
        if isinstance(sent.outcome, Fault):
            return sent._replace(outcome=sent.outcome._replace(retryable=False))
        return sent

    async def count_tokens(self, parameters: Mapping[str, Any]) -> Fault | None:
        """Asks for the number of tokens; what is wrong if that fails."""
        try:
            await self._sdk().messages.count_tokens(**parameters)
        except Exception as error:  # noqa: BLE001  the same as for send
            return self._translator.fault_of(error)
        return None

    async def close(self) -> None:
        """Closes the connections. Those of another event loop end with it."""
        if self._client is not None:
            loop, client = self._client
            self._client = None
            if loop is asyncio.get_running_loop():
                await client.close()

    async def _receive(
        self, parameters: Mapping[str, Any], received: _Received, began: Callable[[], None]
    ) -> None:
        import anthropic  # See make_client.

        # Streamed: an answer that takes minutes would leave the connection idle until something on the way cuts it.
        async with self._sdk().messages.stream(**parameters) as stream:
            received.request_id = stream.request_id
            kind = stream.response.headers.get("content-type", "")
            odd: Exception | None = None
            streamed = False
            try:
                if kind.startswith("application/json"):
                    received.body = json.loads(await stream.response.aread())
                else:
                    async for _ in stream:
                        began()
            except (anthropic.APIError, httpx2.HTTPError, TooLong):
                raise
            except Exception as error:  # noqa: BLE001  the SDK trips over what is no answer in many ways
                odd = error
            finally:
                with suppress(AssertionError):
                    received.body = stream.current_message_snapshot.to_dict(warnings=False)
                    streamed = True
        if received.body is None:
            raise OtherProtocol(f"no message in {kind[:100] or 'the answer'}: {odd}")
        if odd is not None or (streamed and received.body.get("stop_reason") is None):
            raise BrokenStream(str(odd or "the answer ended before it was complete"))

    def _sent(
        self,
        request: Request,
        received: _Received,
        fault: Fault | None,
        *,
        seconds: float = 0.0,
        batched: bool = False,
    ) -> Sent:
        body = received.body if isinstance(received.body, dict) else {}
        if fault is None and not isinstance(body.get("content"), list):
            fault = self._translator.fault_of(OtherProtocol("the body is not a message"))
        message = self._message(body)
        parts = [message.text] if message.text else []
        parts += [json.dumps({"tool": use.name, "arguments": use.input}) for use in message.tool_uses]
        request_id = received.request_id or (fault.request_id if fault else None)
        call = Call(
            raw=("\n".join(parts) or (fault.body if fault else ""))[:LONGEST_RAW],
            usage=usage_in(body).copy_with(seconds=round(seconds, 3)),
            problem=fault.problem if fault else None,
            # Cleaned before they are cut: half a key is no longer recognised.
            model=self._clean(str(body.get("model") or request.parameters["model"]))[:LONGEST_NAME],
            request_id=request_id and self._clean(request_id)[:LONGEST_NAME],
            batched=batched,
        )
        return Sent(call, fault or message)

    def _message(self, body: Mapping[str, Any]) -> ModelMessage:
        """A message of the Messages API, each of its strings cleaned of secrets."""
        text, uses, content = "", list[ToolUse](), list[Mapping[str, Any]]()
        for block in filter(lambda block: isinstance(block, dict), body.get("content") or ()):
            match block.get("type"):
                case "text":
                    text_part = self._clean(str(block.get("text") or ""))
                    text += text_part
                    # There may be no empty text among the blocks that go back.
                    content += [{"type": "text", "text": text_part}] if text_part.strip() else []
                case "tool_use":
                    use = ToolUse(
                        self._clean(str(block.get("id") or "")),
                        self._clean(str(block.get("name") or "")),
                        json.loads(self._clean(json.dumps(block.get("input") or {}))),
                    )
                    uses.append(use)
                    arguments = use.input if isinstance(use.input, dict) else {}
                    content.append({"type": "tool_use", "id": use.id, "name": use.name, "input": arguments})
                case _:
                    # The model's thinking is signed by the server, which takes it back unchanged only.
                    content.append(block)
        reason = body.get("stop_reason")
        return ModelMessage(
            text, reason if isinstance(reason, str) else None, tuple(uses), tuple(content) if uses else ()
        )

    def _sdk(self) -> Any:
        loop = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not loop:
            self._client = loop, make_client(self._options, self._environment)
        return self._client[1]


def usage_in(message: Mapping[str, Any]) -> Usage:
    """What a message says that it used; a number that cannot be true counts as none."""
    usage = message.get("usage")

    def count(name: str) -> int:
        value = usage.get(name) if isinstance(usage, dict) else None
        return min(MOST_COUNTED, max(value, 0)) if type(value) is int else 0

    return Usage(
        input_tokens=count("input_tokens"),
        output_tokens=count("output_tokens"),
        cached_tokens=count("cache_read_input_tokens"),
        cache_written_tokens=count("cache_creation_input_tokens"),
    )
