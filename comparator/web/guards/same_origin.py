"""Refuses what comes from another website: a foreign Host name, or a connection that another origin's page opens."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_POLICY_VIOLATION = 1008
_LOCAL = "localhost"
_REFUSED = (
    "The server refuses requests from other websites and under unknown host names. Open the app by its IP "
    "address, or set COMPARATOR_PUBLIC_URL to the address at which people reach it."
)


class SameOrigin:
    """Lets through what this server's own pages ask for, by an IP address, as localhost or by the name in `hosts`.

    Any other name may be one that its owner had resolve to this machine, so that their own page is of our origin.

    Browsers name the page's origin on every WebSocket and every request that alters something. It has to be this
    server's, port included: another program on this machine may serve a page as well.
    """

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str] = frozenset()) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it before anything of the app sees it."""
        if scope["type"] in ("http", "websocket") and not self._allowed(scope):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            else:
                await PlainTextResponse(_REFUSED, 403)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _allowed(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        name = _name(f"//{host}")
        if not (_is_address(name) or name == _LOCAL or name in self._hosts):
            return False
        alters = scope["type"] == "websocket" or scope["method"] not in _READING
        if origin is None or not alters:
            return True
        place = _place(origin)
        scheme, _, _ = origin.partition(":")
        return place is not None and place == _place(f"{scheme}://{host}")


def _is_address(name: str | None) -> bool:
    """Whether this is an IP address, which nobody can have resolve to another one."""
    try:
        return name is not None and bool(ip_address(name))
    except ValueError:
        return False


def _name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _place(url: str) -> tuple[str | None, int | None] | None:
    """Host name and port of an address; None where it has none (as in the origin "null")."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname else None
