"""The SDK's own client for each provider: it sends to one server only, reads no endless answer, and shows no key."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Iterable, Mapping
from functools import cache, partial
from ssl import SSLContext
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import httpx2

from comparator.domain.errors import SettingsError
from comparator.judges.model.faults import Elsewhere, TooLong
from comparator.judges.model.sender import AnthropicOptions, Provider

HIDDEN = "[hidden]"
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|HEADERS", re.IGNORECASE)
_SECRET_FORM = re.compile(
    r"sk-[A-Za-z0-9_-]{8,}|(?<=Bearer )[A-Za-z0-9._~+/=-]{8,}|(?<=x-api-key: )\S{8,}", re.IGNORECASE
)
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u([0-9a-fA-F]{4})|/)")
_SHORTEST = 6


class Scrubber:
    """Replaces known secrets, and whatever looks like one, in a text. Shows nothing of them in its own repr."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = {secret for secret in secrets if len(secret) >= _SHORTEST}
        known |= {json.dumps(secret, ensure_ascii=False)[1:-1] for secret in known}
        # The longest first, so that no rest of a longer secret is left behind.
        self._secrets = tuple(sorted(known, key=len, reverse=True))

    @classmethod
    def of(cls, environment: Mapping[str, str], *, base_url: str | None = None) -> Scrubber:
        """A scrubber for the values of all variables with a secret's name, and for a password in an address."""
        secrets: list[str] = []
        for name, value in environment.items():
            if _SECRET_NAME.search(name) and value:
                secrets.append(value)
                if "HEADERS" in name.upper():
                    secrets.extend(line.partition(":")[2].strip() for line in value.splitlines())
        if base_url and (password := _parts(base_url).password):
            secrets += [password, unquote(password)]
        return cls(secrets)

    def clean(self, text: str) -> str:
        """The text without secrets, and without characters that cannot be stored.

        JSON's escapes are undone where the text stays the same JSON, so that nothing hides behind them.
        """
        text = _ESCAPED.sub(_unescaped, text)
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _SECRET_FORM.sub(HIDDEN, text).replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def without_password(address: str) -> str:
    """An address as it can be shown: without user, password, query and fragment.

    Raises SettingsError for an address that cannot be taken apart; it may hold a password, so it is not repeated.
    """
    parts = _parts(address)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}".rstrip("/")


def _parts(address: str) -> SplitResult:
    parts: SplitResult | None
    try:
        parts = urlsplit(address)
        # Reading the port raises too. An @ after the host is the end of a password that has a slash in it.
        readable = (parts.port or 0) >= 0 and "@" not in parts.path + parts.query + parts.fragment
    except ValueError:
        parts, readable = None, False
    if parts is None or not readable:
        raise SettingsError(
            "The judge's base URL (ANTHROPIC_BASE_URL) is not an address that can be read; it is not shown, as it may "
            "hold a password. Write it as https://host:port/path, a password's special characters as %2F, %23, %40."
        )
    return parts


def _unescaped(escape: re.Match[str]) -> str:
    character = chr(int(escape[2], 16)) if escape[2] else "/"
    if not character.isprintable():
        return escape[0]
    return escape[1] + ("\\" if character in '"\\' else "") + character


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
                raise TooLong(f"{longest / 1e6:.0f} MB")
            yield chunk

    response.aiter_bytes = aiter_bytes  # type: ignore[method-assign]  # the SDK offers no place to wrap a response
