"""What the server uses of Streamlit: the app, its files and sign-in, the messages that pages need, and two answers.

No other module of `web` imports it.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from google.protobuf.message import DecodeError
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.auth_util import encode_provider_token, get_cookie_with_chunks
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

App = st.App
STATIC = Path(st.__file__).parent / "static"
"""The files of its front end."""
MERMAID = STATIC / "static" / "js"
"""Where its own copy of Mermaid lies."""


def stop_old_pages() -> None:
    """Have a folder `pages` beside the script be nothing of Streamlit's.

    It means an older kind of app until app.py has run once: the first request after a start, if it is for another page
    than the queue, would get that page bare, and so would all later.
    """
    PagesManager.uses_pages_directory = False


def is_sign_in_cookie(name: str) -> bool:
    """Whether a cookie is one of those in which Streamlit keeps who signed in."""
    return name.startswith(USER_COOKIE_NAME)


def signed_in(cookies: Mapping[str, str], *, secret: str) -> bytes | None:
    """What Streamlit's own sign-in says of the person, as JSON; None where nobody signed in."""

    def one(name: str) -> bytes | None:
        value = cookies.get(name)
        return decode_signed_value(secret, name, value) if value else None

    claims: bytes | None = get_cookie_with_chunks(one, USER_COOKIE_NAME)
    return claims


def provider_token(provider: str) -> str:
    """What Streamlit's address for signing in has to be asked with; it is valid for a short time only."""
    return encode_provider_token(provider)


BY_ITSELF = "rerun_script.auto"
"""The message of a page that runs again without anybody there."""
UPLOAD = "file_urls_request"
NEEDED = frozenset({"rerun_script", BY_ITSELF, "stop_script", UPLOAD})
"""A widget or page, the button that stops a run, and where a file is to be uploaded. The others clear every page's
caches, read the repository, install skills, end the server, or serve what no page of ours has."""
ACTIVE_EVERY = 60.0
"""Seconds after which a further message is noted as a sign of activity."""

log = logging.getLogger(__name__)


def kind_of(data: bytes) -> str | None:
    """What a message asks for; None where it is no message of Streamlit's."""
    sent = BackMsg()
    try:
        sent.ParseFromString(data)
    except DecodeError:
        return None
    kind = sent.WhichOneof("type") or "nothing"
    return BY_ITSELF if kind == "rerun_script" and sent.rerun_script.is_auto_rerun else kind


class Guard:
    """Drops every message of a connection that the pages do not need, before Streamlit sees it."""

    def __init__(
        self,
        receive: Receive,
        *,
        may_upload: Callable[[], Awaitable[bool]],
        active: Callable[[], Awaitable[None]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._receive, self._may_upload, self._active, self._clock = receive, may_upload, active, clock
        self._noted = -ACTIVE_EVERY
        self._logged: set[str] = set()

    async def receive(self) -> Message:
        """The next message that may pass."""
        while True:
            message = await self._receive()
            data = message.get("bytes")
            if message["type"] != "websocket.receive" or data is None:
                # A text is no message of Streamlit's, which ends the connection.
                return message
            kind = kind_of(data)
            if kind is None:
                return message
            if kind not in NEEDED or (kind == UPLOAD and not await self._may_upload()):
                self._tell(kind)
                continue
            if kind != BY_ITSELF:
                await self._note()
            return message

    async def _note(self) -> None:
        if self._clock() - self._noted >= ACTIVE_EVERY:
            self._noted = self._clock()
            await self._active()

    def _tell(self, kind: str) -> None:
        if kind not in self._logged:
            self._logged.add(kind)
            log.warning("a message %s was refused", kind)


SCRIPT = (
    'window.__streamlit = Object.fromEntries(["BACKEND_BASE_URL", "MAIN_PAGE_BASE_URL"]'
    '.map((name) => [name, new URL("./", location.href).href]))'
)
"""Tells the front end where its server is; it would look below the page's own address first. The pages have addresses
of one part, so that this one is the folder that they lie in, behind a proxy too."""
HOST_CONFIG = "/_stcore/host-config"


def index_routes(script: Path) -> list[BaseRoute]:
    """The address of each page beside the script, with its server written in, so that a load begins sooner."""
    markup = (STATIC / "index.html").read_text(encoding="utf-8")
    markup = markup.replace("<script>", f"<script>{SCRIPT}</script><script>", 1)

    async def index(_request: Request) -> Response:
        return HTMLResponse(markup, headers={"cache-control": "no-cache"})

    names = ["", *(page.stem for page in script.with_name("pages").glob("*.py"))]
    return [Route(f"/{name}", index, methods=["GET"]) for name in names]


@dataclass(frozen=True)
class HostConfig:
    """Answers what the front end asks before it starts: that it opens no error dialogs.

    One would open in mid-word while the server is away, and what is typed on would be lost in it; the page's head and
    the score sheet say themselves that there is no connection.
    """

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass every other request on."""
        if scope.get("path") == HOST_CONFIG:
            answer = JSONResponse({"allowedOrigins": [], "blockErrorDialogs": True})
            await answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)
