"""Signing in again proves that whoever sits there knows the password: the provider is told to ask for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from anyio import to_thread
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from comparator.web.sign_in_pages import LOG_IN

ASK_AGAIN = {"prompt": "login", "max_age": "0"}
"""What has a provider ask for the password, and say in `auth_time` when it did (OpenID Connect Core, 3.1.2.1)."""


class SignInAgain:
    """Adds that to the way to the provider, for whoever is signed in here already."""

    def __init__(self, app: ASGIApp, *, person: Callable[[Mapping[str, str]], str | None]) -> None:
        self._app, self._person = app, person

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and complete where it leads."""
        if scope["type"] != "http" or scope["path"] != LOG_IN:
            await self._app(scope, receive, send)
            return
        known = await to_thread.run_sync(self._person, HTTPConnection(scope).cookies)

        async def amended(message: Message) -> None:
            if known and message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "location" in headers:
                    headers["location"] = _with_request(headers["location"])
            await send(message)

        await self._app(scope, receive, amended)


def _with_request(url: str) -> str:
    """The provider's address with the request to ask.

    >>> _with_request("https://idp.example.org/authorize?client_id=x&prompt=select_account")
    'https://idp.example.org/authorize?client_id=x&prompt=login&max_age=0'
    """
    parts = urlsplit(url)
    query = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in ASK_AGAIN]
    if not any(name == "client_id" for name, _ in query):
        return url
    return urlunsplit(parts._replace(query=urlencode([*query, *ASK_AGAIN.items()])))
