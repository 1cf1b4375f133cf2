"""What is asked of a browser before the app answers: its origin, a start token, few tries, and cookies for https."""

import hashlib
import hmac
from dataclasses import dataclass
from ipaddress import IPv6Network, ip_address
from urllib.parse import parse_qsl, urlencode, urlsplit

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from comparator.web.guards.gate import Rules
from comparator.web.monitoring import MONITORING
from comparator.web.sign_in import LOG_IN, token_page
from comparator.workflow.people.sign_in import WITHIN

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_POLICY_VIOLATION = 1008
_LOCAL = "localhost"
_REFUSED = (
    "The server refuses requests from other websites and under unknown host names. Open the app by its IP "
    "address, or set COMPARATOR_PUBLIC_URL to the address at which people reach it."
)


@dataclass(frozen=True)
class SameOrigin:
    """Lets through what this server's own pages ask for, by an IP address, as localhost or by the name in `hosts`.

    Any other name may be one that its owner had resolve to this machine, so that their own page is of our origin.

    Browsers name the page's origin on every WebSocket and every request that alters something. It has to be this
    server's, port included: another program on this machine may serve a page as well.
    """

    app: ASGIApp
    hosts: frozenset[str] = frozenset()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it before anything of the app sees it."""
        if scope["type"] in ("http", "websocket") and not self._allowed(scope):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            else:
                await PlainTextResponse(_REFUSED, 403)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _allowed(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        name = (_place(f"//{host}") or ("",))[0]
        if not (_is_address(name) or name == _LOCAL or name in self.hosts):
            return False
        alters = scope["type"] == "websocket" or scope["method"] not in _READING
        if origin is None or not alters:
            return True
        place = _place(origin)
        scheme, _, _ = origin.partition(":")
        return place is not None and place == _place(f"{scheme}://{host}")


def _is_address(name: str) -> bool:
    """Whether this is an IP address, which nobody can have resolve to another one."""
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def _place(url: str) -> tuple[str, int | None] | None:
    """Host name and port of an address; None where it has none (as in the origin "null")."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname else None


_SECURE = b"secure"


@dataclass(frozen=True)
class SecureCookies:
    """Adds `Secure` to each cookie of an answer that has it not; for an app that people reach over https."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and complete the cookies of the answer."""

        async def send_with_marks(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name, _marked(name, value)) for name, value in message.get("headers", ())]
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, send_with_marks)


def _marked(name: bytes, value: bytes) -> bytes:
    if name.lower() != b"set-cookie":
        return value
    _, *attributes = value.split(b";")
    return (
        value if _SECURE in {attribute.strip().lower() for attribute in attributes} else value + b"; Secure"
    )


NAME = "token"
OPEN = ("/_stcore/health", "/live/")
"""What is answered without it: whether the server lives, and live pages, which have a token of their own."""
_DAYS = 30


class StartToken:
    """Answers only browsers that came with the token once; they keep a cookie, and the token leaves the address."""

    def __init__(self, app: ASGIApp, *, token: str, port: int) -> None:
        self._app, self._token = app, token
        # Cookies are for all ports of a host.
        self._cookie = f"comparator_start_{port}"
        # Whoever sees the cookie does not have the address.
        self._proof = hashlib.sha256(f"cookie {token}".encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, exchange the token, or refuse."""
        if scope["type"] not in ("http", "websocket") or (
            scope["path"].startswith(OPEN) or scope["path"] in MONITORING
        ):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if _same(connection.cookies.get(self._cookie, ""), self._proof):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        elif scope["method"] == "GET" and _same(connection.query_params.get(NAME, ""), self._token):
            await self._exchanged(scope)(scope, receive, send)
        elif scope["path"].count("/") == 1:
            await token_page()(scope, receive, send)
        else:
            await PlainTextResponse("The start token is missing.", 403)(scope, receive, send)

    def _exchanged(self, scope: Scope) -> RedirectResponse:
        query = [pair for pair in parse_qsl(scope["query_string"].decode("latin-1")) if pair[0] != NAME]
        # Of a path with two slashes a browser would make another server's address.
        target = "/" + scope["path"].lstrip("/") + (f"?{urlencode(query)}" if query else "")
        answer = RedirectResponse(target, 303, {"cache-control": "no-store"})
        answer.set_cookie(
            self._cookie, self._proof, max_age=_DAYS * 86400, path="/", httponly=True, samesite="lax"
        )
        return answer


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


COUNTED = frozenset({("GET", LOG_IN), ("GET", "/oauth2callback"), ("POST", "/invitation")})
"""What is a try: the way to the provider, the way back, and an invitation's secret."""
_IPV6_NETWORK_BITS = 64
_TOO_MANY = "Too many tries. Wait ten minutes, then try again."


@dataclass(frozen=True)
class Tries:
    """Refuses further tries of an address or person who has made too many lately; everything else passes."""

    app: ASGIApp
    rules: Rules
    proxies: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http" or (scope["method"], scope["path"]) not in COUNTED:
            await self.app(scope, receive, send)
            return
        known = await to_thread.run_sync(self.rules.person, HTTPConnection(scope).cookies)
        # Of somebody known their own number counts, so that an office behind one address is not locked out by one.
        who = f"person {known}" if known else f"address {address_of(scope, proxies=self.proxies)}"
        if await to_thread.run_sync(self.rules.may_try, who):
            await self.app(scope, receive, send)
        else:
            headers = {"retry-after": str(int(WITHIN.total_seconds())), "cache-control": "no-store"}
            await PlainTextResponse(_TOO_MANY, 429, headers)(scope, receive, send)


def address_of(scope: Scope, *, proxies: int) -> str:
    """Whose address a request comes from: of IPv6 the network of one household or office.

    With proxies in front it is what the outermost of them noted; whatever stands before that, anybody can write.
    """
    client = scope.get("client")
    host = str(client[0]) if client else ""
    noted = [part.strip() for part in ",".join(Headers(scope=scope).getlist("x-forwarded-for")).split(",")]
    if 0 < proxies <= len(noted):
        host = noted[-proxies]
    try:
        address = ip_address(host)
    except ValueError:
        return "unknown"
    return str(IPv6Network((address, _IPV6_NETWORK_BITS), strict=False)) if address.version == 6 else host
