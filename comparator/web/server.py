"""The web server: Streamlit's app with our media routes and security headers, started on one address."""

import asyncio
import base64
import hashlib
import re
import socket
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from comparator.domain.errors import SettingsError
from comparator.outputs.preview.child_process import Renderer
from comparator.web.files import Uploads, UploadShelf
from comparator.web.guards.browsers import SameOrigin, SecureCookies, StartToken, Tries
from comparator.web.guards.gate import Gate, Rules
from comparator.web.media.files import PREFIX, StoredMedia
from comparator.web.media.foreign_pages import foreign_routes
from comparator.web.media.routes import media_routes
from comparator.web.modules import module_routes
from comparator.web.monitoring import Observe, take_over
from comparator.web.streamlit import SCRIPT, STATIC, App, HostConfig, index_routes


def send_at_once() -> None:
    """Set TCP_NODELAY on what the running loop listens on next, which connections inherit.

    The server calls its lifespan before it listens, so this is to be called there.
    """
    loop: Any = asyncio.get_running_loop()
    listen = loop.create_server

    async def create_server(*args: Any, sock: socket.socket | None = None, **options: Any) -> Any:
        del loop.create_server
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return await listen(*args, sock=sock, **options)

    loop.create_server = create_server


def _inline_scripts() -> str:
    """The hashes of the inline scripts of Streamlit's own index page, and of ours in it, as a policy names them."""
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    texts = [*re.findall(r"<script>(.*?)</script>", index, re.DOTALL), SCRIPT]
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


# What Streamlit's own front end needs, found by taking each word away in Chromium: components are imported from blob
# addresses, and its style library writes <style> elements.
PAGE_POLICY = "; ".join(
    (
        "default-src 'self'",
        f"script-src 'self' blob: {_inline_scripts()}".strip(),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "media-src 'self' blob: data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "frame-src 'self'",
        "frame-ancestors 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)
PAGE_HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}

GATED = (PREFIX,)
"""Where outputs are served, each under its id."""

_FIXED_OPTIONS: dict[str, Any] = {
    "browser.gatherUsageStats": False,
    "client.allowedOrigins": [],
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "client.toolbarMode": "viewer",
    "logger.hideWelcomeMessage": True,
    # It takes a third of a second, in which the next click waits.
    "runner.postScriptGC": False,
    # A secrets.toml that happens to lie about switches no sign-in on.
    "secrets.files": [],
    "server.allowRunOnSave": False,
    "server.enableAgentApi": False,
    "server.enableStaticServing": False,
    "server.enableXsrfProtection": True,
    "server.fileWatcherType": "none",
    "server.headless": True,
    "server.runOnSave": False,
    "server.showEmailPrompt": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Who reaches the server, and by which way."""

    names: frozenset[str] = frozenset()
    """Names that it answers to, beside IP addresses and localhost."""
    secure: bool = False
    """Whether people reach it over https."""
    proxies: int = 0
    """How many proxies stand in front."""
    token: str = ""
    """Without it in the address nobody gets in; empty where none is wanted."""
    port: int = 0


@dataclass(frozen=True)
class SecurityHeaders:
    """Adds the page headers to every answer that has none of its own; media answers bring stricter ones."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and complete the head of the answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message.setdefault("headers", [])
                headers = MutableHeaders(scope=message)
                # What has a policy of its own is a media answer; it says all that it needs.
                for name, value in PAGE_HEADERS.items() if "content-security-policy" not in headers else ():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


def create_app(
    script: Path,
    *,
    media: StoredMedia,
    cache: Path | None = None,
    rules: Rules | None = None,
    routes: Sequence[BaseRoute] = (),
    access: Access = Access(),
    uploads: UploadShelf | None = None,
    secrets: Mapping[str, Any] | None = None,
) -> App:
    """The ASGI app that runs the Streamlit script `script` and serves the outputs of `media`.

    `cache` is a folder in which finished previews are kept between starts; without it they go with the process.
    With `rules` everything is for those only whom they let in. `routes` are further ones. Uploads lie on their shelf.
    `secrets` are those of Streamlit's own sign-in.
    """
    renderer = Renderer()
    cookies = [Middleware(SecureCookies)] if access.secure else []
    token = [Middleware(StartToken, token=access.token, port=access.port)] if access.token else []
    gate = []
    if rules:
        gate = [
            Middleware(Tries, rules=rules, proxies=access.proxies),
            Middleware(Gate, rules=rules, outputs=GATED),
        ]
    stored = [Middleware(Uploads, shelf=uploads)] if uploads else []

    @asynccontextmanager
    async def lifespan(_app: App) -> AsyncIterator[None]:
        take_over()
        send_at_once()
        sweeping = asyncio.create_task(uploads.sweeping()) if uploads else None
        try:
            yield
        finally:
            if sweeping:
                sweeping.cancel()
            renderer.close()

    return App(
        script.resolve(),
        lifespan=lifespan,
        secrets=secrets,
        routes=[
            *routes,
            *module_routes(),
            *foreign_routes(
                media,
                renderer=renderer,
                may_see=rules.may_see if rules else lambda _person_id, _file_id: True,
                cache=cache,
            ),
            *media_routes(media, renderer=renderer, cache=cache),
            *index_routes(script),
        ],
        middleware=[
            Middleware(Observe),
            *cookies,
            Middleware(SecurityHeaders),
            Middleware(SameOrigin, hosts=access.names),
            *token,
            *gate,
            *stored,
            Middleware(HostConfig),
        ],
    )


def serve(app: App, script: Path, *, host: str, port: int, largest_upload: int | None = None) -> None:
    """Run an app of `create_app` until it is stopped by a signal; `largest_upload` is in bytes.

    Raises SettingsError where the address cannot be used.
    """
    refuse_busy(host, port)
    options = _FIXED_OPTIONS | {"server.address": host, "server.port": port}
    if largest_upload is not None:
        # What a page says before somebody waits for nothing.
        options["server.maxUploadSize"] = largest_upload >> 20
    # Streamlit reads `.streamlit/config.toml` beside what it takes for the program.
    sys.argv = [str(script.resolve())]
    app.run(config=options)


def refuse_busy(host: str, port: int) -> None:
    """Raise SettingsError where the address cannot be listened on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SettingsError(
                f"Port {port} on {host} cannot be used ({error.strerror}). Stop what listens there or choose "
                "another port."
            ) from error
