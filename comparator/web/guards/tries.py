"""Limits how often somebody may try to come in, by their address and, where they are known, by person."""

from __future__ import annotations

from ipaddress import IPv6Network, ip_address

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from comparator.web.guards.gate import Rules
from comparator.web.sign_in_pages import LOG_IN
from comparator.workflow.people.tries import WITHIN

COUNTED = frozenset({("GET", LOG_IN), ("GET", "/oauth2callback"), ("POST", "/invitation")})
"""What is a try: the way to the provider, the way back, and an invitation's secret."""
_IPV6_NETWORK_BITS = 64
_REFUSED = "Too many tries. Wait ten minutes, then try again."


class Tries:
    """Refuses further tries of an address or person who has made too many lately; everything else passes."""

    def __init__(self, app: ASGIApp, *, rules: Rules, proxies: int = 0) -> None:
        self._app, self._rules, self._proxies = app, rules, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or (scope["method"], scope["path"]) not in COUNTED:
            await self._app(scope, receive, send)
            return
        known = await to_thread.run_sync(self._rules.person, HTTPConnection(scope).cookies)
        # Of somebody known their own number counts, so that an office behind one address is not locked out by one.
        who = f"person {known}" if known else f"address {address_of(scope, proxies=self._proxies)}"
        if await to_thread.run_sync(self._rules.may_try, who):
            await self._app(scope, receive, send)
        else:
            headers = {"retry-after": str(int(WITHIN.total_seconds())), "cache-control": "no-store"}
            await PlainTextResponse(_REFUSED, 429, headers)(scope, receive, send)


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
    return str(IPv6Network((address, _IPV6_NETWORK_BITS), strict=False)) if address.version == 6 else found
