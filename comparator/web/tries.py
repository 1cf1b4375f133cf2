"""Limits how often somebody may try to come in, by their address and, where they are known, by person."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from ipaddress import IPv6Network, ip_address

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from comparator.web.door import LOG_IN

COUNTED = frozenset({("GET", LOG_IN), ("GET", "/oauth2callback"), ("POST", "/invitation")})
"""What is a try: the way to the provider, the way back, and an invitation's secret."""
MOST, WITHIN = 30, 600.0
"""So many tries within so many seconds."""
_MOST_KNOWN = 100_000
_WHOSE_IPV6 = 64
_REFUSED = "Too many tries. Wait ten minutes, then try again."


class Tries:
    """Refuses further tries of an address or person who has made too many lately; everything else passes."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        person: Callable[[Mapping[str, str]], str | None],
        proxies: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app, self._person, self._proxies, self._clock = app, person, proxies, clock
        self._made: OrderedDict[str, deque[float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or (scope["method"], scope["path"]) not in COUNTED:
            await self._app(scope, receive, send)
            return
        known = await to_thread.run_sync(self._person, HTTPConnection(scope).cookies)
        # Of somebody known their own number counts, so that an office behind one address is not locked out by one.
        whose = f"person {known}" if known else f"address {address_of(scope, proxies=self._proxies)}"
        if self._may(whose):
            await self._app(scope, receive, send)
        else:
            headers = {"retry-after": str(int(WITHIN)), "cache-control": "no-store"}
            await PlainTextResponse(_REFUSED, 429, headers)(scope, receive, send)

    def _may(self, whose: str) -> bool:
        now = self._clock()
        made = self._made.setdefault(whose, deque())
        self._made.move_to_end(whose)
        while len(self._made) > _MOST_KNOWN:
            self._made.popitem(last=False)
        while made and now - made[0] >= WITHIN:
            made.popleft()
        if len(made) >= MOST:
            return False
        made.append(now)
        return True


def address_of(scope: Scope, *, proxies: int) -> str:
    """Whose address a request comes from: of IPv6 the network of one household or office.

    With proxies in front it is what the outermost of them noted; whatever stands before that, anybody can write.
    """
    client = scope.get("client")
    found = str(client[0]) if client else ""
    noted = [each.strip() for each in ",".join(Headers(scope=scope).getlist("x-forwarded-for")).split(",")]
    if 0 < proxies <= len(noted):
        found = noted[-proxies]
    try:
        address = ip_address(found)
    except ValueError:
        return "unknown"
    return str(IPv6Network((address, _WHOSE_IPV6), strict=False)) if address.version == 6 else found
