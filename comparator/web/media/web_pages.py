"""The routes that show web pages as users see them: pictures, and live pages in an origin of their own."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import ComparatorError
from comparator.outputs.pictures.evidence import served_type
from comparator.outputs.pictures.picture_page import picture_page
from comparator.outputs.preview.document import Preview, message, shown
from comparator.store.pairs.outputs import FileRow
from comparator.web.guards.gate import ASKED_BY
from comparator.web.media.answers import HTML, OUTPUT_HEADERS, origin_of, theme_of, unkept
from comparator.web.media.slow_threads import BUSY, RETRY_AFTER_SECONDS, LaneFull, SlowLane
from comparator.web.media.source import PREFIX
from comparator.workflow.page_pictures import live_pages, seen_page, ways_to_see
from comparator.workflow.people.output_access import may_see_output
from comparator.workflow.services import Services

LIVE = "/live"
"""Where live pages lie, each under a random token; whoever has the token may see them, for no cookie comes along."""
_HOURS = 12
_MOST_TOKENS = 500
_MOST_OF_ONE = 50
"""So many live pages of one person; for a further one their oldest is closed, and nobody else's."""
_NOT_JUDGED = "Opened for you now; the judge was not given this picture."
_NONE = (
    "No picture can be taken of this file: it is not a web page, or there is no Chromium on the server "
    "(comparator doctor says more)."
)
_STILL = "The pages of this project are not live. An admin or lead can switch that on in the settings."
_NOT_HERE = (
    "Live pages are shown in Chromium, Chrome and Edge from version 156 on: in this browser the page could still send "
    "packets by WebRTC. Look at its picture, or open the pair there."
)
_CHROMIUM = re.compile(r"Chrom(?:e|ium)/(\d{1,4})\b")
_SHUTS_WEBRTC = 156
_GONE = "This page is not open any more. Show the file again."


@dataclass(frozen=True, slots=True)
class LivePage:
    """The files of a live page, the person who opened it (empty where nobody is asked), and until when."""

    until: float
    person_id: str
    page_id: str
    files: Mapping[str, FileRow]


class Tokens:
    """Which files are open live for whom under which random token, for a while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open: OrderedDict[str, LivePage] = OrderedDict()

    def open(self, files: Mapping[str, FileRow], *, page_id: str, person_id: str) -> str:
        """A new token for the files of a page, by their paths."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            own = [each for each, opened in self._open.items() if opened.person_id == person_id]
            for oldest in own[: max(len(own) + 1 - _MOST_OF_ONE, 0)]:
                del self._open[oldest]
            self._open[token] = LivePage(self._clock() + _HOURS * 3600, person_id, page_id, files)
            while len(self._open) > _MOST_TOKENS:
                self._open.popitem(last=False)
        return token

    def find(self, token: str) -> LivePage | None:
        """What is open under the token; None where it is unknown or too old."""
        with self._lock:
            found = self._open.get(token)
        return found if found is not None and found.until > self._clock() else None


def web_routes(services: Services, *, tokens: Tokens | None = None) -> list[BaseRoute]:
    """The routes; they have to come before those of `media_routes`."""
    pages = _Pages(services, tokens or Tokens())
    return [
        Route(f"{PREFIX}/{{file_id}}/picture", pages.picture, methods=["GET"]),
        Route(f"{PREFIX}/{{file_id}}/modes", pages.modes, methods=["GET"]),
        Route(f"{PREFIX}/{{file_id}}/live", pages.live, methods=["GET"]),
        Route(f"{LIVE}/{{token}}/{{path:path}}", pages.part, methods=["GET"]),
    ]


class _Pages:
    def __init__(self, services: Services, tokens: Tokens) -> None:
        self._services = services
        self._tokens = tokens
        self._camera = SlowLane(at_once=2, waiting=8)

    async def picture(self, request: Request) -> Response:
        """The pictures of a page; they are taken now if they have not been."""
        try:
            seen = await self._camera.run(seen_page, self._services, request.path_params["file_id"])
        except LaneFull:
            response = _document(request, Preview(message(BUSY)), status=503)
            response.headers["retry-after"] = f"{RETRY_AFTER_SECONDS:d}"
            return response
        except ComparatorError as error:
            return _document(request, Preview(message(str(error))), status=404)
        if seen is None:
            return _document(request, Preview(message(_NONE)))
        notes = () if seen.judged else (_NOT_JUDGED,)
        return _document(request, picture_page(seen.evidence, notes=notes))

    async def modes(self, request: Request) -> Response:
        """Which of both a file can be shown as: `{"picture": true, "live": false}`."""
        try:
            found = await run_in_threadpool(ways_to_see, self._services, request.path_params["file_id"])
        except ComparatorError:
            return JSONResponse({}, status_code=404, headers=OUTPUT_HEADERS)
        return JSONResponse(found._asdict(), headers={**OUTPUT_HEADERS, "cache-control": "no-store"})

    async def live(self, request: Request) -> Response:
        """A frame around the live page that lets it go nowhere but to its own files."""
        file_id = request.path_params["file_id"]
        if not _keeps_off_the_network(request):
            return _document(request, Preview(message(_NOT_HERE)))
        try:
            rows = await run_in_threadpool(live_pages, self._services, file_id)
        except ComparatorError as error:
            return _document(request, Preview(message(str(error))), status=404)
        if not rows:
            return _document(request, Preview(message(_STILL)))
        person_id = request.scope.get(ASKED_BY, "")
        token = self._tokens.open({row.name: row for row in rows}, page_id=file_id, person_id=person_id)
        page = next(row.name for row in rows if row.id == file_id)
        place = f"{LIVE}/{token}/"
        body = (
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Live page</title>'
            "<style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block; "
            "background: #fff; }</style>"
            f'<iframe sandbox="allow-scripts" referrerpolicy="no-referrer" allow="" title="{shown(page)}" '
            f'src="{shown(place + quote(page))}"></iframe></html>'
        )
        policy = (
            f"default-src 'none'; style-src 'unsafe-inline'; frame-src {origin_of(request)}{place}; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
        )
        headers = {**OUTPUT_HEADERS, **_LOCKED, "content-security-policy": policy, "content-type": HTML}
        return Response(body, headers=headers)

    async def part(self, request: Request) -> Response:
        """One file of a live page."""
        token, path = request.path_params["token"], request.path_params["path"]
        row = await run_in_threadpool(self._row, token, path)
        media_type = None if row is None else served_type(row.name, row.family, row.media_type or "")
        headers = {
            **_LOCKED,
            "content-security-policy": live_policy(f"{origin_of(request)}{LIVE}/{token}/"),
            # A content security policy says nothing of WebRTC and of connections opened ahead; this header, which
            # Chromium knows, does. On the frame around the page it would crash the tab (Chromium 156).
            "connection-allowlist": "(response-origin)",
            # The page has no origin, so that fonts and modules of its own come from elsewhere for it.
            "access-control-allow-origin": "*",
            "cross-origin-resource-policy": "cross-origin",
        }
        if row is None or row.blob is None or media_type is None:
            return Response(_GONE, status_code=404, headers={**headers, "content-type": "text/plain"})
        try:
            data = await run_in_threadpool(self._services.blobs.get, row.blob)
        except ComparatorError as error:
            return Response(str(error), status_code=404, headers={**headers, "content-type": "text/plain"})
        return Response(data, headers={**headers, "content-type": media_type})

    def _row(self, token: str, path: str) -> FileRow | None:
        """The file under the token, if who opened it may still see the page: no cookie comes along to ask by."""
        opened = self._tokens.find(token)
        if opened is None:
            return None
        try:
            asked = opened.person_id
            if asked and not may_see_output(self._services, asked, opened.page_id):
                return None
        except ComparatorError:
            return None
        return opened.files.get(path)


def _keeps_off_the_network(request: Request) -> bool:
    """Whether the browser, as it calls itself, obeys the header that keeps a page from sending packets."""
    found = _CHROMIUM.search(request.headers.get("user-agent", ""))
    return found is not None and int(found[1]) >= _SHUTS_WEBRTC


def live_policy(place: str) -> str:
    """What a live page may do: run its scripts and load from `place`; no network, no navigation, no other origin."""
    return (
        f"default-src 'none'; script-src {place} 'unsafe-inline' 'unsafe-eval'; style-src {place} 'unsafe-inline'; "
        f"img-src {place} data: blob:; font-src {place} data:; media-src {place} data: blob:; frame-src {place}; "
        "connect-src 'none'; worker-src 'none'; object-src 'none'; manifest-src 'none'; form-action 'none'; "
        "base-uri 'none'; sandbox allow-scripts"
    )


_LOCKED = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "referrer-policy": "no-referrer",
    "permissions-policy": (
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-read=(), clipboard-write=(), "
        "fullscreen=(), display-capture=(), screen-wake-lock=(), web-share=()"
    ),
}


def _document(request: Request, preview: Preview, *, status: int = 200) -> Response:
    return unkept(preview, theme_of(request), "Picture of the page", status=status)
