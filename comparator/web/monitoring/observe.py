"""Counts and logs every request, and gives an error that nobody caught an id that stands in the log."""

from __future__ import annotations

import logging
import secrets
import time

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from comparator.web.monitoring.metrics import Metrics, area_of

log = logging.getLogger(__name__)


class Observe:
    """The outermost layer: what it does not see, nobody asked for."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note how it ended."""
        if scope["type"] == "websocket":
            await self._connected(scope, receive, send)
        elif scope["type"] == "http":
            await self._answered(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _connected(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._metrics.connected(1)
        try:
            await self._app(scope, receive, send)
        finally:
            self._metrics.connected(-1)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, began = 0, time.monotonic()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception:
            # A bug: told with an id. Where the answer has begun, the browser sees that it breaks off.
            number = secrets.token_hex(4)
            log.exception("error %s", number, extra={"error_id": number})
            if status:
                raise
            text = f"Something went wrong (id {number}). The log of the app says what, under this id."
            await PlainTextResponse(text, 500, {"cache-control": "no-store"})(scope, receive, noted)
        finally:
            seconds = time.monotonic() - began
            path, method = scope["path"], scope["method"]
            self._metrics.answered(path, method=method, status=status, seconds=seconds)
            # Without the address: the rest of it may be a token.
            log.debug(
                "request",
                extra={
                    "area": area_of(path),
                    "method": method,
                    "status": status,
                    "ms": round(seconds * 1000, 1),
                },
            )
