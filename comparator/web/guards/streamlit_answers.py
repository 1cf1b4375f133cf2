"""Two answers of Streamlit's are changed: its index page says where the server is, and it opens no error dialog."""

from __future__ import annotations

import json
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPT = (
    'window.__streamlit = Object.fromEntries(["BACKEND_BASE_URL", "MAIN_PAGE_BASE_URL"]'
    '.map((name) => [name, new URL("./", location.href).href]))'
)
"""Tells the front end where its server is; it would look below the page's own address first. The pages have addresses
of one part, so that this one is the folder that they lie in, behind a proxy too."""
HOST_CONFIG = "/_stcore/host-config"


class StreamlitAnswers:
    """Writes into the index page where the server is, and blocks error dialogs in what the front end is told.

    Each load begins a tenth of a second sooner. A dialog would open in mid-word while the server is away, and what is
    typed on would be lost in it; the page's head and the score sheet say themselves that there is no connection.
    """

    def __init__(self, app: ASGIApp, *, outputs: str) -> None:
        self._app, self._outputs = app, outputs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; nothing but these two answers is changed."""
        asked = Headers(scope=scope).get("accept", "") if scope["type"] == "http" else ""
        path = scope.get("path", "")
        if path.startswith(self._outputs) or not (path.endswith(HOST_CONFIG) or "text/html" in asked):
            await self._app(scope, receive, send)
            return
        plain = [pair for pair in scope["headers"] if pair[0].lower() != b"accept-encoding"]
        change: Callable[[bytes], bytes] | None = None
        start: Message = {}
        body = b""

        async def changed(message: Message) -> None:
            nonlocal change, start, body
            if message["type"] == "http.response.start":
                start, change = message, _change(path, message)
            if change is None:
                await send(message)
            elif message["type"] == "http.response.body":
                body += message.get("body", b"")
                if not message.get("more_body"):
                    body = change(body)
                    MutableHeaders(scope=start)["content-length"] = str(len(body))
                    await send(start)
                    await send({"type": "http.response.body", "body": body})

        await self._app({**scope, "headers": plain}, receive, changed)


def _change(path: str, start: Message) -> Callable[[bytes], bytes] | None:
    """What becomes of an answer with this head; None where it stays as it is."""
    headers = Headers(scope=start)
    if start["status"] != 200:
        return None
    if path.endswith(HOST_CONFIG):
        return lambda body: json.dumps({**json.loads(body), "blockErrorDialogs": True}).encode()
    # What has a policy of its own is an output.
    if headers.get("content-type", "").startswith("text/html") and "content-security-policy" not in headers:
        return lambda body: body.replace(b"<script>", f"<script>{SCRIPT}</script><script>".encode(), 1)
    return None
