"""The SDK's own client for each provider: it sends to one server only, and reads no answer without an end."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from functools import cache, partial
from ssl import SSLContext
from typing import Any

import httpx2

from comparator.judges.model.faults import Elsewhere, TooLong
from comparator.judges.model.options import AnthropicOptions, Provider
from comparator.judges.model.secrets import without_password

API = "https://api.anthropic.com"
LONGEST_ANSWER = 16_000_000
"""Bytes of an answer that are read, after decompression; in a stream each token has some 150 bytes around it."""


def make_client(
    options: AnthropicOptions, environment: Mapping[str, str], *, longest: int = LONGEST_ANSWER
) -> Any:
    """The SDK's own client for the provider. It never retries by itself: that is done in `send_patiently`.

    `longest` is the most bytes of one answer that are read.
    """
    import anthropic  # It takes longer to load than all else together: only who asks a model does.

    server = options.base_url or (API if options.provider is Provider.API else None)
    http = anthropic.DefaultAsyncHttpxClient(
        # The key and both outputs go to the server that was set, and to no other that it names.
        follow_redirects=False,
        # Silence is also a server that takes no connection, or does not read what it is sent.
        timeout=httpx2.Timeout(min(options.timeout, options.silence), pool=options.timeout),
        verify=_trusted(),
        event_hooks={
            "request": [partial(_only_to, httpx2.URL(server))] if server else [],
            "response": [partial(_bounded, longest)],
        },
    )
    given: dict[str, Any] = {"timeout": http.timeout, "max_retries": 0, "http_client": http}
    if server is not None:
        given["base_url"] = server
    match options.provider:
        case Provider.API:
            key, token = environment.get("ANTHROPIC_API_KEY"), environment.get("ANTHROPIC_AUTH_TOKEN")
            given |= {"auth_token": token} if token and not key else {"api_key": key or "no-key-set"}
            return anthropic.AsyncAnthropic(**given)
        case Provider.BEDROCK:
            return anthropic.AsyncAnthropicBedrock(aws_region=environment.get("AWS_REGION"), **given)
        case Provider.VERTEX:
            places = {"region": "CLOUD_ML_REGION", "project_id": "ANTHROPIC_VERTEX_PROJECT_ID"}
            given |= {name: environment[place] for name, place in places.items() if environment.get(place)}
            return anthropic.AsyncAnthropicVertex(**given)
        case Provider.FOUNDRY:
            if server is None:
                given["resource"] = environment.get("ANTHROPIC_FOUNDRY_RESOURCE")
            return anthropic.AsyncAnthropicFoundry(
                api_key=environment.get("ANTHROPIC_FOUNDRY_API_KEY"), **given
            )


def server_of(options: AnthropicOptions) -> str:
    """The server as it can be shown: its address without a password, or the provider's name."""
    if options.base_url:
        return without_password(options.base_url)
    return API if options.provider is Provider.API else options.provider.value.capitalize()


@cache
def _trusted() -> SSLContext:
    """Whom this machine trusts: read once, since that takes longer than a request to a server nearby."""
    return httpx2.create_ssl_context()


async def _only_to(server: httpx2.URL, request: httpx2.Request) -> None:
    """Stops what would go to another server, as the address of a Message Batch's results may."""
    url = request.url
    if (url.scheme, url.host, url.port) != (server.scheme, server.host, server.port):
        raise Elsewhere(url.host)


async def _bounded(longest: int, response: httpx2.Response) -> None:
    """Makes every way of reading the response end at the limit, also where compressed bytes become many."""
    whole = response.aiter_bytes

    async def aiter_bytes(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
        read = 0
        async for chunk in whole(chunk_size):
            read += len(chunk)
            if read > longest:
                raise TooLong(longest)
            yield chunk

    response.aiter_bytes = aiter_bytes  # type: ignore[method-assign]  # the SDK offers no place to wrap a response
