"""The SDK's own client for each provider, which keeps to one server and shows no key; and its Message Batches."""

import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from ssl import SSLContext
from typing import Any, NamedTuple, TypeVar

import httpx2

from comparator.domain.errors import JudgeNotAllowed, JudgeUnavailable, SettingsError
from comparator.judges.model.faults import Elsewhere, TooLong, Translator
from comparator.judges.model.secrecy import API
from comparator.judges.model.sender import AnthropicOptions, BatchReply, Provider

LONGEST_ANSWER = 16_000_000
"""Bytes of an answer that are read, after decompression; in a stream each token has some 150 bytes around it."""


def make_client(
    options: AnthropicOptions, environment: Mapping[str, str], *, longest: int = LONGEST_ANSWER
) -> Any:
    """The SDK's own client for the provider. It never retries by itself: that is done in `Connection.send_patiently`.

    `longest` is the most bytes of one answer that are read.
    """
    import anthropic  # It takes longer to load than all else together: only who asks a model does.

    server = options.base_url or (API if options.provider is Provider.API else None)
    http = anthropic.DefaultAsyncHttpxClient(
        # The key and both outputs go to the server that was set, and to no other that it names.
        follow_redirects=False,
        # Silence is also a server that takes no connection, or does not read what it is sent.
        timeout=httpx2.Timeout(min(options.timeout, options.silence), pool=options.timeout),
        verify=_trusted_context(),
        event_hooks={
            "request": [partial(_refuse_other_server, httpx2.URL(server))] if server else [],
            "response": [partial(_bound_length, longest)],
        },
    )
    client_options: dict[str, Any] = {"timeout": http.timeout, "max_retries": 0, "http_client": http}
    if server is not None:
        client_options["base_url"] = server
    match options.provider:
        case Provider.API:
            key, token = environment.get("ANTHROPIC_API_KEY"), environment.get("ANTHROPIC_AUTH_TOKEN")
            client_options |= {"auth_token": token} if token and not key else {"api_key": key or "no-key-set"}
            return anthropic.AsyncAnthropic(**client_options)
        case Provider.BEDROCK:
            return anthropic.AsyncAnthropicBedrock(aws_region=environment.get("AWS_REGION"), **client_options)
        case Provider.VERTEX:
            places = {"region": "CLOUD_ML_REGION", "project_id": "ANTHROPIC_VERTEX_PROJECT_ID"}
            client_options |= {
                name: environment[place] for name, place in places.items() if environment.get(place)
            }
            return anthropic.AsyncAnthropicVertex(**client_options)
        case Provider.FOUNDRY:
            if server is None:
                client_options["resource"] = environment.get("ANTHROPIC_FOUNDRY_RESOURCE")
            return anthropic.AsyncAnthropicFoundry(
                api_key=environment.get("ANTHROPIC_FOUNDRY_API_KEY"), **client_options
            )


@cache
def _trusted_context() -> SSLContext:
    """Whom this machine trusts: read once, since that takes longer than a request to a server nearby."""
    return httpx2.create_ssl_context()


async def _refuse_other_server(server: httpx2.URL, request: httpx2.Request) -> None:
    """Stops what would go to another server, as the address of a Message Batch's results may."""
    url = request.url
    if (url.scheme, url.host, url.port) != (server.scheme, server.host, server.port):
        raise Elsewhere(url.host)


async def _bound_length(longest: int, response: httpx2.Response) -> None:
    """Makes every way of reading the response end at the limit, also where compressed bytes become many."""
    whole = response.aiter_bytes

    async def aiter_bytes(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
        read = 0
        async for chunk in whole(chunk_size):
            read += len(chunk)
            if read > longest:
                raise TooLong(f"{longest / 1e6:.0f} MB")
            yield chunk

    response.aiter_bytes = aiter_bytes  # type: ignore[method-assign]  # the SDK offers no place to wrap a response


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
                f"Message Batches are offered by the API itself, not through {options.provider}. Start the batch "
                "without --via batches."
            )
        self._translator = Translator(options, environment, now=time.time)
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
            KnownBatch(str(batch.id), batch.created_at, sum(batch.request_counts.model_dump().values()))
            for batch in page.data
            if batch.created_at >= since
        )

    async def cancel(self, id: str) -> None:
        """Ends the batch; what is answered already stays answered."""
        await self._answer(self._batches.cancel(id))

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def _answer(self, request: Awaitable[T]) -> T:
        try:
            return await request
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
                    kind, message = str(result["error"]["error"]["type"]), result["error"]["error"]["message"]
                case kind:
                    kind, message = "timeout_error", f"The request {kind} before it was answered."
        except (LookupError, TypeError, ValueError, RecursionError):
            # One line that nobody can read costs no other one.
            return RequestResult(custom_id, UNREADABLE, again=True)
        reply = BatchReply(error_kind=kind, error=self._translator.clean(str(message))[:500])
        return RequestResult(custom_id, reply, again=kind in _PASSING)
