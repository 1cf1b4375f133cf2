"""Tells Streamlit's front end in its index page where the server is."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPT = (
    'window.__streamlit = Object.fromEntries(["BACKEND_BASE_URL", "MAIN_PAGE_BASE_URL"]'
    '.map((name) => [name, new URL("./", location.href).href]))'
)
"""Tells the front end where its server is; it would look below the page's own address first. The pages have addresses
of one part, so that this one is the folder that they lie in, behind a proxy too."""
MARK = b"<script>"


class IndexPage:
    """Writes into the index page where the server is, so that each load begins a tenth of a second sooner."""

    def __init__(self, app: ASGIApp, *, outputs: str) -> None:
        self._app, self._outputs = app, outputs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; nothing but the index page is changed."""
        asked = Headers(scope=scope).get("accept", "") if scope["type"] == "http" else ""
        if "text/html" not in asked or scope["path"].startswith(self._outputs):
            await self._app(scope, receive, send)
            return
        plain = [pair for pair in scope["headers"] if pair[0].lower() != b"accept-encoding"]
        start: Message = {}
        body = b""

        async def amended(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif not start:
                await send(message)
            else:
                body += message.get("body", b"")
                if message.get("more_body"):
                    return
                page = body.replace(MARK, f"<script>{SCRIPT}</script>".encode() + MARK, 1)
                MutableHeaders(scope=start)["content-length"] = str(len(page))
                await send(start)
                await send({"type": "http.response.body", "body": page})

        await self._app({**scope, "headers": plain}, receive, amended)


def _is_page(start: Message) -> bool:
    headers = Headers(scope=start)
    # What has a policy of its own is an output.
    return (
        start["status"] == 200
        and headers.get("content-type", "").startswith("text/html")
        and "content-security-policy" not in headers
    )
