"""The routes for outputs' own pages and drawings: an origin of their own, and addresses that let in by themselves."""

import contextlib
import json
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from cryptography.fernet import Fernet, InvalidToken
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import ComparatorError, OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.file_cache import FileCache
from comparator.outputs.pictures.evidence import served_type
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import as_html
from comparator.outputs.preview.page import SVG, ForeignPage
from comparator.web.guards.gate import ASKED_BY
from comparator.web.media.files import (
    HTML,
    OUTPUT_HEADERS,
    PREFIX,
    MediaFile,
    StoredMedia,
    json_answer,
    origin_of,
)
from comparator.web.modules import agent_script
from comparator.web.streamlit import MERMAID

LIVE = "/live"
"""Where pages lie, each under a random token; whoever has the token may see them, for no cookie comes along."""
_VERSION = "1"
_HOURS = 12
_MOST_WRITTEN = 400_000
_GONE = "This page is no longer open. Show the file again."
_NOT_HERE = (
    "Its scripts run only in Chromium, Chrome and Edge 156 or later. In this browser they could still send data by "
    "WebRTC."
)
_CHROMIUM = re.compile(r"Chrom(?:e|ium)/(\d{1,4})\b")
_SHUTS_WEBRTC = 156
MERMAID_PLACE = f"{LIVE}/mermaid"
_AS_PAGE = "page"
_SANDBOX = "allow-scripts allow-forms"
_DIAGRAMS = files("comparator.web.media").joinpath("diagrams.js").read_text(encoding="utf-8")
_AGENT = agent_script()


class OpenPage(NamedTuple):
    """A page that is open: for whom (empty where nobody is asked), and whether its scripts run."""

    person_id: str
    page_id: str
    with_scripts: bool


class Tokens:
    """What is open under a token is sealed in it, for as long as this process runs and a while at most."""

    def __init__(self) -> None:
        self._seal = Fernet(Fernet.generate_key())

    def of(self, page: OpenPage) -> str:
        """A new token for a page."""
        return self._seal.encrypt(json.dumps(page).encode()).decode()

    def find(self, token: str) -> OpenPage | None:
        """What is open under the token; None where it is none of ours, or too old."""
        try:
            return OpenPage(*json.loads(self._seal.decrypt(token, ttl=_HOURS * 3600)))
        except InvalidToken:
            return None


def foreign_routes(
    media: StoredMedia,
    *,
    renderer: Renderer,
    may_see: Callable[[str, str], bool],
    cache: Path | None = None,
) -> list[BaseRoute]:
    """The routes; they have to come before those of `media_routes`. `may_see` asks for a person and a file."""
    pages = _Pages(media, renderer, may_see, FileCache(cache), Tokens())
    return [
        Route(f"{PREFIX}/{{file_id}}/page", pages.open, methods=["GET"]),
        Route(f"{PREFIX}/{{file_id}}/written", pages.written, methods=["POST"]),
        Route(f"{MERMAID_PLACE}/", _draws_diagrams, methods=["GET"]),
        Route(f"{MERMAID_PLACE}/{{name}}.js", _mermaid, methods=["GET"]),
        Route(f"{LIVE}/{{token}}/", pages.around, methods=["GET"]),
        Route(f"{LIVE}/{{token}}/{{path:path}}", pages.part, methods=["GET"]),
    ]


def is_foreign(file: MediaFile) -> bool:
    """Whether the rendered view of a copy is a document of its author's own."""
    return bool(file.size) and (
        file.media_type == SVG or (file.family is Family.HTML and file.media_type == "text/html")
    )


def author_page(file: MediaFile, *, media: StoredMedia, renderer: Renderer, cache: FileCache) -> ForeignPage:
    """A page or drawing of an output as it is served, made once. Raises OutputRefused."""

    def make() -> ForeignPage:
        data = media.blob(file.blob)
        return renderer.ask("own page", ForeignPage, data=data, media_type=file.media_type)

    return cache.value(f"page/{_VERSION}/{file.blob}/{file.media_type}", ForeignPage, make)


@dataclass(frozen=True)
class _Pages:
    _media: StoredMedia
    _renderer: Renderer
    _may_see: Callable[[str, str], bool]
    _cache: FileCache
    _tokens: Tokens

    def open(self, request: Request) -> Response:
        """Where a page stands: `{"address", "scripts", "can", "why"}`; null for what a document of ours shows.

        `scripts` says whether they run there, `can` whether there are any that may, `why` why they may not.
        """
        file_id = request.path_params["file_id"]
        file = self._media.file(file_id)
        if file is None or not is_foreign(file):
            return json_answer(None)
        try:
            page = self._page(file)
        except OutputRefused:
            return json_answer(None)
        why = self._media.why_still(file_id) if page.has_scripts else ""
        if page.has_scripts and not why and not _keeps_off_the_network(request):
            why = _NOT_HERE
        can = page.has_scripts and not why
        run = can and request.query_params.get("scripts") != "0"
        person_id = request.scope.get(ASKED_BY, "")
        token = self._tokens.of(OpenPage(person_id, file_id, with_scripts=run))
        answer = {"address": f"{LIVE}/{token}/", "scripts": run, "can": can, "why": why}
        return json_answer(answer)

    async def written(self, request: Request) -> Response:
        """Takes the words that a page with scripts shows; answers nothing, whatever they are."""
        body = bytearray()
        async for chunk in request.stream():
            body += chunk[: _MOST_WRITTEN - len(body)]
        with contextlib.suppress(ComparatorError):
            text, person_id = body.decode("utf-8", "replace"), request.scope.get(ASKED_BY)
            await run_in_threadpool(self._note, request.path_params["file_id"], text, person_id)
        return Response(status_code=204, headers=OUTPUT_HEADERS)

    def _note(self, file_id: str, text: str, person_id: str | None) -> None:
        """Take note of what a page with scripts shows; no other file writes anything."""
        file = self._media.file(file_id)
        if file and is_foreign(file) and self._page(file).has_scripts and not self._media.why_still(file_id):
            self._media.written(file_id, text, person_id)

    def around(self, request: Request) -> Response:
        """A frame around the page that lets it go nowhere but to its own files."""
        token = request.path_params["token"]
        opened, file = self._opened_file(token, None)
        if opened is None or file is None:
            return _gone(request)
        place = f"{LIVE}/{token}/"
        body = (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Page of an output</title>'
            "<style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block; "
            "overflow: hidden; background: #fff; }</style>"
            f'<iframe sandbox="{_SANDBOX}" referrerpolicy="no-referrer" '
            f'title="{as_html(file.name)}" src="{as_html(place + quote(file.name))}?{_AS_PAGE}"></iframe></html>'
        )
        policy = (
            f"default-src 'none'; style-src 'unsafe-inline'; frame-src {origin_of(request)}{place}; base-uri 'none'; "
            f"form-action 'none'; frame-ancestors 'self'; sandbox {_SANDBOX}"
        )
        headers = {**OUTPUT_HEADERS, **_LOCKED, "content-security-policy": policy, "content-type": HTML}
        return Response(body, headers=headers)

    def part(self, request: Request) -> Response:
        """One file of the output: a page of it, with our agent before everything else, or what a page loads."""
        token = request.path_params["token"]
        opened, file = self._opened_file(token, request.path_params["path"])
        media_type = None if file is None else served_type(file.name, file.family, file.media_type)
        if opened is None or file is None or media_type is None:
            return _gone(request)
        nonce = secrets.token_urlsafe(16)
        place = f"{origin_of(request)}{LIVE}/{token}/"
        scripts = f"{place} 'unsafe-inline' 'unsafe-eval'" if opened.with_scripts else f"'nonce-{nonce}'"
        headers = {**_part_headers(place, scripts), "content-type": media_type}
        try:
            # Another page gets a drawing as a picture.
            drawing = file.media_type == SVG and request.url.query == _AS_PAGE
            if not is_foreign(file) or (file.media_type == SVG and not drawing):
                return Response(self._media.blob(file.blob), headers=headers)
            page = self._page(file)
        except ComparatorError:
            return _gone(request)
        agent = f'<script nonce="{nonce}">{_AGENT}</script>'
        if drawing:
            headers["content-type"] = "application/xhtml+xml; charset=utf-8"
            agent = f'<script nonce="{nonce}"><![CDATA[{_AGENT}]]></script>'
        return Response(
            page.markup[: page.start] + agent.encode() + page.markup[page.start :], headers=headers
        )

    def _page(self, file: MediaFile) -> ForeignPage:
        return author_page(file, media=self._media, renderer=self._renderer, cache=self._cache)

    def _opened_file(self, token: str, path: str | None) -> tuple[OpenPage | None, MediaFile | None]:
        """What is open under the token, and the file at the path (None: the page), if that person may see it."""
        opened = self._tokens.find(token)
        if opened is None:
            return None, None
        try:
            # No cookie comes along to ask by.
            if opened.person_id and not self._may_see(opened.person_id, opened.page_id):
                return None, None
            page = self._media.file(opened.page_id)
            if page is None or path is None or path == page.name:
                return opened, page
            return opened, self._media.file_for_page(opened.page_id, page=page, path=path)
        except ComparatorError:
            return None, None


def _draws_diagrams(request: Request) -> Response:
    """A page in an origin of its own that draws one Mermaid diagram for each message, and nothing else."""
    nonce = secrets.token_urlsafe(16)
    place = f"{origin_of(request)}{MERMAID_PLACE}/"
    core = next((path.stem for path in MERMAID.glob("mermaid.core.*.js")), "missing")
    script = _DIAGRAMS.replace("mermaid-core", f"{MERMAID_PLACE}/{core}.js")
    headers = {**_part_headers(place, f"{place} 'nonce-{nonce}'"), "content-type": HTML}
    return Response(
        f'<!doctype html><body><script type="module" nonce="{nonce}">{script}</script>', headers=headers
    )


def _mermaid(request: Request) -> Response:
    """One of the modules of which Streamlit's own copy of Mermaid is made."""
    name = request.path_params["name"]
    headers = {**_part_headers(origin_of(request), "'none'"), "content-type": "text/javascript"}
    path = MERMAID / f"{name}.js"
    if not re.fullmatch(r"[\w.-]+", name) or not path.is_file():
        return _gone(request)
    return Response(path.read_bytes(), headers=headers)


def _gone(request: Request) -> Response:
    place = f"{origin_of(request)}{LIVE}/none/"
    headers = {**_part_headers(place, "'none'"), "content-type": "text/plain"}
    return Response(_GONE, status_code=404, headers=headers)


def _keeps_off_the_network(request: Request) -> bool:
    """Whether the browser, as it calls itself, obeys the header that keeps a page from sending packets."""
    version = _CHROMIUM.search(request.headers.get("user-agent", ""))
    return version is not None and int(version[1]) >= _SHUTS_WEBRTC


def _part_headers(place: str, scripts: str) -> dict[str, str]:
    """What a page may do: load from `place` and run `scripts`; no network, no navigation, no other origin."""
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {place} data: 'unsafe-inline'; "
        f"img-src {place} data: blob:; font-src {place} data:; media-src {place} data: blob:; frame-src {place}; "
        f"connect-src {place}; worker-src 'none'; object-src 'none'; manifest-src 'none'; form-action 'none'; "
        f"base-uri {place}; sandbox {_SANDBOX}"
    )
    return {
        **_LOCKED,
        "content-security-policy": policy,
        # A content security policy says nothing of WebRTC and of connections opened ahead; this header, which
        # Chromium knows, does. On the frame around the page it would crash the tab (Chromium 156).
        "connection-allowlist": "(response-origin)",
        # Chromium gives such a document a process of its own, over https and on this machine.
        "document-isolation-policy": "isolate-and-require-corp",
        # The page has no origin, so that fonts and modules of its own come from elsewhere for it.
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
    }


_LOCKED = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "referrer-policy": "no-referrer",
    "permissions-policy": (
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-read=(), clipboard-write=(), "
        "fullscreen=(), display-capture=(), screen-wake-lock=()"
    ),
}
