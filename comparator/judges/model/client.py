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
_NO_KEY = "no-key-set"
LONGEST_BODY = 2_000_000
"""Bytes of an answer in one piece that are read, after decompression; text of a stream beyond it ends it too."""
LONGEST_STREAM = 16_000_000
"""Bytes of a streamed answer, where each event of one token has some 150 bytes around it."""


def make_client(
    options: AnthropicOptions, environment: Mapping[str, str], *, longest: int | None = None
) -> Any:
    """The SDK's own client for the provider. It never retries by itself: that is done here, in one layer.

    `longest` is the most bytes of one answer that are read, where those of a message are too few.
    """
    import anthropic  # It takes longer to load than all else together: only who asks a model does.

    server = options.base_url or (API if options.provider is Provider.API else None)
    http = anthropic.DefaultAsyncHttpxClient(
        # The key and both outputs go to the server that was set, and to no other that it names.
        follow_redirects=False,
        timeout=httpx2.Timeout(options.timeout, read=min(options.timeout, options.silence)),
        verify=_trusted(),
        event_hooks={
            "request": [partial(_only_to, httpx2.URL(server))] if server else [],
            "response": [_bounded if longest is None else partial(_bounded, longest=longest)],
        },
    )
    common: dict[str, Any] = {"timeout": http.timeout, "max_retries": 0, "http_client": http}
    match options.provider:
        case Provider.API:
            key, token = environment.get("ANTHROPIC_API_KEY"), environment.get("ANTHROPIC_AUTH_TOKEN")
            secret: dict[str, Any] = (
                {"auth_token": token} if token and not key else {"api_key": key or _NO_KEY}
            )
            return anthropic.AsyncAnthropic(base_url=options.base_url or API, **secret, **common)
        case Provider.BEDROCK:
            return anthropic.AsyncAnthropicBedrock(
                base_url=options.base_url, aws_region=environment.get("AWS_REGION"), **common
            )
        case Provider.VERTEX:
            place: dict[str, Any] = {
                "region": environment.get("CLOUD_ML_REGION"),
                "project_id": environment.get("ANTHROPIC_VERTEX_PROJECT_ID"),
            }
            return anthropic.AsyncAnthropicVertex(
                base_url=options.base_url, **{name: value for name, value in place.items() if value}, **common
            )
        case Provider.FOUNDRY:
            key = environment.get("ANTHROPIC_FOUNDRY_API_KEY")
            resource = environment.get("ANTHROPIC_FOUNDRY_RESOURCE")
            where: dict[str, Any] = (
                {"base_url": options.base_url} if options.base_url else {"resource": resource}
            )
            return anthropic.AsyncAnthropicFoundry(api_key=key, **where, **common)


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


async def _bounded(response: httpx2.Response, longest: int | None = None) -> None:
    """Makes every way of reading the response end at the limit, also where compressed bytes become many."""
    whole = response.aiter_bytes
    streamed = "stream" in response.headers.get("content-type", "")
    most = longest or (LONGEST_STREAM if streamed else LONGEST_BODY)

    async def aiter_bytes(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
        read = 0
        async for chunk in whole(chunk_size):
            read += len(chunk)
            if read > most:
                raise TooLong(most)
            yield chunk

    response.aiter_bytes = aiter_bytes  # type: ignore[method-assign]  # the SDK offers no place to wrap a response
