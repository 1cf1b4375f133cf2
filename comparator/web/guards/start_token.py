"""A token in the address that the server prints: without sign-in, it tells whoever started it from anybody else."""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from comparator.web.monitoring.addresses import MONITORING
from comparator.web.sign_in_pages import token_page

NAME = "token"
OPEN = ("/_stcore/health", "/live/")
"""What is answered without it: whether the server lives, and live pages, which have a token of their own."""
_POLICY_VIOLATION = 1008
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
        asked = HTTPConnection(scope)
        if _same(asked.cookies.get(self._cookie, ""), self._proof):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        elif scope["method"] == "GET" and _same(asked.query_params.get(NAME, ""), self._token):
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
