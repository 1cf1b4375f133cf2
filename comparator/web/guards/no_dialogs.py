"""Streamlit's own error dialogs are switched off: they take the focus from whoever is typing."""

from __future__ import annotations

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST_CONFIG = "/_stcore/host-config"


class NoErrorDialogs:
    """Tells Streamlit's front end to open no error dialog of its own.

    It would open one in mid-word while the server is away, and what is typed on would be lost in it. The page's head
    and the score sheet say themselves that there is no connection, and our own errors stand on the page.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; in what the front end is told of its host, the dialogs are blocked."""
        if scope["type"] != "http" or not scope["path"].endswith(HOST_CONFIG):
            await self._app(scope, receive, send)
            return
        start: Message = {}
        body = b""

        async def amend(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            if start["status"] == 200:
                body = json.dumps({**json.loads(body), "blockErrorDialogs": True}).encode()
            headers = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
            headers.append((b"content-length", str(len(body)).encode()))
            await send({**start, "headers": headers})
            await send({"type": "http.response.body", "body": body})

        await self._app(scope, receive, amend)
