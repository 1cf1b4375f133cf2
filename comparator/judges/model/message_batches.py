"""Message Batches: requests that a provider answers within a day, at half the price."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from comparator.domain.errors import JudgeNotAllowed, JudgeUnavailable, SettingsError
from comparator.judges.model.client import Scrubber, make_client, server_of
from comparator.judges.model.faults import Translator
from comparator.judges.model.sender import AnthropicOptions, BatchReply, Provider

T = TypeVar("T")

LONGEST_RESULTS = 1_000_000_000
"""Bytes of all results of one batch that are read."""
MOST_REQUESTS = 5_000
"""Requests in one batch; the API takes 100,000 or 256 MB, whichever comes first."""
LONGEST_REQUESTS = 60_000_000
"""Characters of all requests in one batch: they are in memory while it is handed in."""
UNREADABLE = BatchReply(error_kind="api_error", error="The result is not in the form of the Messages API.")
_PASSING = frozenset({"overloaded_error", "api_error", "timeout_error", "rate_limit_error"})


class RequestResult(NamedTuple):
    """What came back for one request; `again` where asking once more may help."""

    custom_id: str
    reply: BatchReply
    again: bool


class KnownBatch(NamedTuple):
    """A batch that the provider has."""

    id: str
    created_at: datetime
    requests: int


class MessageBatches:
    """The provider's counter for batches. All methods raise JudgeUnavailable or JudgeNotAllowed."""

    def __init__(self, options: AnthropicOptions, *, environment: Mapping[str, str]) -> None:
        if options.provider is not Provider.API:
            raise SettingsError(
                f"Message Batches are offered by the API itself, not through {options.provider.value}. Start the batch "
                "without --via batches."
            )
        self._clean = Scrubber.of(environment, base_url=options.base_url).clean
        self._translator = Translator(options.model, server_of(options), self._clean, time.time)
        self._client = make_client(options, environment, longest=LONGEST_RESULTS)
        self._batches = self._client.messages.batches

    async def create(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Hands requests in, each with an id of ours; the provider's id of the batch."""
        rows = [{"custom_id": custom_id, "params": dict(parameters)} for custom_id, parameters in requests]
        return str((await self._answer(self._batches.create(requests=rows))).id)

    async def ended(self, id: str) -> bool:
        """Whether all requests of the batch have ended."""
        return bool((await self._answer(self._batches.retrieve(id))).processing_status == "ended")

    async def results(self, id: str) -> AsyncIterator[RequestResult]:
        """What came back, in any order; a line that names no request is left out."""
        response = (await self._answer(self._batches.results(id))).http_response
        try:
            # Its lines, not its values: the SDK ends its reading at a line that is no JSON.
            lines = response.aiter_lines()
            while (line := await self._answer(anext(lines, None))) is not None:
                if (result := self._result(line)) is not None:
                    yield result
        finally:
            await response.aclose()

    async def recent(self, *, since: datetime) -> tuple[KnownBatch, ...]:
        """The batches that the provider got since then, at most a hundred."""
        page = await self._answer(self._batches.list(limit=100))
        return tuple(
            KnownBatch(str(one.id), one.created_at, sum(one.request_counts.model_dump().values()))
            for one in page.data
            if one.created_at >= since
        )

    async def cancel(self, id: str) -> None:
        """Ends the batch; what is answered already stays answered."""
        await self._answer(self._batches.cancel(id))

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def _answer(self, asked: Awaitable[T]) -> T:
        try:
            return await asked
        except Exception as error:  # noqa: BLE001  only our own words leave this room
            fault = self._translator.fault_of(error)
        # Outside of the block: the SDK's exception carries the request with its key.
        raise (JudgeUnavailable if fault.retryable else JudgeNotAllowed)(fault.message)

    def _result(self, line: str) -> RequestResult | None:
        """What a line says; None where it names no request."""
        try:
            entry = json.loads(line)
            custom_id = str(entry["custom_id"])
        except (LookupError, TypeError, ValueError, RecursionError):
            return None
        try:
            result = entry["result"]
            match result["type"]:
                case "succeeded":
                    reply = BatchReply(message=result["message"])
                    # What is nested too deeply to be written cannot be kept.
                    reply.model_dump(mode="json")
                    return RequestResult(custom_id, reply, again=False)
                case "errored":
                    kind, said = str(result["error"]["error"]["type"]), result["error"]["error"]["message"]
                case kind:
                    kind, said = "timeout_error", f"The request {kind} before it was answered."
        except (LookupError, TypeError, ValueError, RecursionError):
            # One line that nobody can read costs no other one.
            return RequestResult(custom_id, UNREADABLE, again=True)
        reply = BatchReply(error_kind=kind, error=self._clean(str(said))[:500])
        return RequestResult(custom_id, reply, again=kind in _PASSING)
