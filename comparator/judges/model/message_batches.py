"""Message Batches: requests that a provider answers within a day, at half the price."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any, NamedTuple

from comparator.domain.errors import JudgeError, JudgeNotAllowed, JudgeUnavailable, SettingsError
from comparator.judges.model.client import LONGEST_BODY, make_client, server_of
from comparator.judges.model.faults import fault_of
from comparator.judges.model.options import AnthropicOptions, Provider
from comparator.judges.model.secrets import Scrubber
from comparator.judges.model.sender import BatchReply

LONGEST_RESULTS = 1_000_000_000
"""Bytes of all results of one batch that are read."""
LONGEST_LINE = LONGEST_BODY
"""Bytes of the result of one request, as of an answer in one piece; a longer one counts as missing."""
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
        self._options = options
        self._scrubber = Scrubber.of(environment, base_url=options.base_url)
        self._client = make_client(options, environment, longest=LONGEST_RESULTS)

    async def create(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Hands requests in, each with an id of ours; the provider's id of the batch."""
        rows = [{"custom_id": custom_id, "params": dict(parameters)} for custom_id, parameters in requests]
        try:
            made = await self._client.messages.batches.create(requests=rows)
        except Exception as error:  # noqa: BLE001  only our own words leave this room
            failure = self._error(error)
        else:
            return str(made.id)
        raise failure

    async def ended(self, id: str) -> bool:
        """Whether all requests of the batch have ended."""
        try:
            found = await self._client.messages.batches.retrieve(id)
        except Exception as error:  # noqa: BLE001  only our own words leave this room
            failure = self._error(error)
        else:
            return bool(found.processing_status == "ended")
        raise failure

    async def results(self, id: str) -> AsyncIterator[RequestResult]:
        """What came back, in any order; a line that names no request is left out."""
        failure: JudgeError | None = None
        try:
            # Its bytes, not its values: the SDK ends its reading at a line that is no JSON.
            found = await self._client.messages.batches.results(id)
            async with aclosing(found.http_response.aiter_bytes()) as pieces:
                async for line in _lines(pieces):
                    result = _result(line, clean=self._scrubber)
                    if result is not None:
                        yield result
        except Exception as error:  # noqa: BLE001  only our own words leave this room
            failure = self._error(error)
        if failure is not None:
            raise failure

    async def recent(self, *, since: datetime) -> tuple[KnownBatch, ...]:
        """The batches that the provider got since then, at most a hundred."""
        try:
            page = await self._client.messages.batches.list(limit=100)
            known = [
                KnownBatch(str(one.id), one.created_at, sum(one.request_counts.model_dump().values()))
                for one in page.data
            ]
        except Exception as error:  # noqa: BLE001  only our own words leave this room
            failure = self._error(error)
        else:
            return tuple(one for one in known if one.created_at >= since)
        raise failure

    async def cancel(self, id: str) -> None:
        """Ends the batch; what is answered already stays answered."""
        try:
            await self._client.messages.batches.cancel(id)
        except Exception as error:  # noqa: BLE001  only our own words leave this room
            failure = self._error(error)
        else:
            return
        raise failure

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    def _error(self, error: Exception) -> JudgeUnavailable | JudgeNotAllowed:
        fault = fault_of(
            error,
            model=self._options.model,
            server=server_of(self._options),
            now=time.time(),
            clean=self._scrubber.clean,
        )
        message = self._scrubber.clean(fault.message)
        return JudgeUnavailable(message) if fault.retryable else JudgeNotAllowed(message)


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Each line that is not too long; of one that is, no more than its beginning is ever kept."""
    line_so_far, length = bytearray(), 0
    async for piece in pieces:
        for number, part in enumerate(piece.split(b"\n")):
            if number:
                if length <= LONGEST_LINE:
                    yield bytes(line_so_far)
                line_so_far.clear()
                length = 0
            length += len(part)
            if length <= LONGEST_LINE:
                line_so_far += part
    if length <= LONGEST_LINE:
        yield bytes(line_so_far)


def _result(line: bytes, *, clean: Scrubber) -> RequestResult | None:
    """What a line says; None where it names no request."""
    try:
        entry = json.loads(line)
        custom_id = entry["custom_id"]
    except (LookupError, TypeError, ValueError, RecursionError):
        return None
    if not isinstance(custom_id, str):
        return None
    try:
        return _entry_result(custom_id, entry["result"], clean=clean)
    except (LookupError, TypeError, ValueError, RecursionError):
        # One line that nobody can read costs no other one.
        return RequestResult(custom_id, UNREADABLE, again=True)


def _entry_result(custom_id: str, result: Any, *, clean: Scrubber) -> RequestResult:
    match result["type"]:
        case "succeeded":
            reply = BatchReply(message=result["message"])
            # What is nested too deeply to be written cannot be kept.
            reply.model_dump(mode="json")
            return RequestResult(custom_id, reply, again=False)
        case "errored":
            inner = result["error"]["error"]
            kind = str(inner["type"])
            reply = BatchReply(error_kind=kind, error=clean.clean(str(inner["message"]))[:500])
            return RequestResult(custom_id, reply, again=kind in _PASSING)
        case kind:
            reply = BatchReply(
                error_kind="timeout_error", error=f"The request {kind} before it was answered."
            )
            return RequestResult(custom_id, reply, again=True)
