"""What the routes of outputs read from a request and from the store, and the headers under which they answer."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import Preview, Theme, document, message
from comparator.outputs.tables.store import MEDIA_TYPE

PREFIX = "/outputs"
"""Where outputs are served. Streamlit keeps `/media` for itself."""


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A blinded copy as the server needs it; `blob` is the sha256 of its bytes and `name` its neutral name."""

    name: str
    family: Family
    media_type: str
    blob: str
    size: int


def download_name(file: MediaFile) -> str:
    """The neutral file name of a download, with an ending that says what the blinded copy holds.

    >>> download_name(MediaFile("out/budget.xlsx", Family.XLSX, MEDIA_TYPE, "0" * 64, 10))
    'budget.xlsx.csv'
    """
    name = PurePosixPath(file.name.replace("\\", "/")).name or "output"
    endings = {
        MEDIA_TYPE: (".csv",),
        "application/pdf": (".pdf",),
        "image/jpeg": (".jpg", ".jpeg"),
        "image/png": (".png",),
        "image/svg+xml": (".svg",),
        "text/html": (".html", ".htm", ".xhtml"),
    }.get(file.media_type, ())
    if endings and not name.lower().endswith(endings):
        return name + endings[0]
    if file.media_type == "text/plain" and file.family in (Family.PDF, Family.ARCHIVE):
        return name + ".txt"
    if file.media_type == "text/plain" and file.family is Family.NOTEBOOK:
        return name + ".md"
    return name


OUTPUT_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; font-src 'self' data:; "
        "media-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-robots-tag": "noindex",
}


def origin_of(request: Request) -> str:
    """This server as the browser names it. In a policy http matches https too, so that a proxy does not matter."""
    # Made anew from its parts: whatever else a Host header says would go on in the policy.
    try:
        parts = urlsplit(f"//{request.headers.get('host', '')}")
        name, port = host_in_address(parts.hostname or ""), parts.port
    except ValueError:
        return "http://"
    return f"http://{name}{f':{port}' if port else ''}"


def host_in_address(host: str) -> str:
    """A host's name or address as it stands in an address.

    >>> host_in_address("::1"), host_in_address("a.example")
    ('[::1]', 'a.example')
    """
    if ":" in host:
        # Without its zone, in which any text may stand.
        return f"[{ip_address(host.partition('%')[0])}]"
    if not re.fullmatch(r"[a-z0-9._-]*", host):
        raise ValueError(host)
    return host


CACHED = "private, no-cache"
"""Kept by the browser, yet asked for each time: who has signed out, or lost the right, sees nothing of it any more."""
HTML = "text/html; charset=utf-8"


def slow(
    endpoint: Callable[[Request], Response], limiter: CapacityLimiter
) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint on a few threads apart, as it may take long and should keep nobody from anything else."""

    async def run(request: Request) -> Response:
        return await to_thread.run_sync(endpoint, request, limiter=limiter)

    return run


def theme_of(request: Request) -> Theme:
    """The theme that a document is asked for in."""
    return "dark" if request.query_params.get("theme") == "dark" else "light"


def number_of(text: str) -> int | None:
    """A whole number of up to eight digits; None for anything else.

    >>> number_of("12"), number_of("-1"), number_of("")
    (12, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def page_of(request: Request) -> int:
    """The page that is asked for; 1 where none is."""
    return number_of(request.query_params.get("page", "1")) or 1


def answer(
    request: Request, body: Callable[[], bytes], media_type: str, tag: str, *, disposition: str = ""
) -> Response:
    """The bytes, kept by the browser under the tag; none to a browser that has them."""
    if (known := unchanged(request, tag)) is not None:
        return known
    headers = {**OUTPUT_HEADERS, "cache-control": CACHED, "etag": tag, "content-type": media_type}
    headers |= {"content-disposition": disposition} if disposition else {}
    return Response(body(), headers=headers)


def unchanged(request: Request, tag: str) -> Response | None:
    """The answer to a browser that has what the tag stands for; None to any other."""
    tags = request.headers.get("if-none-match", "").split(",")
    if tag not in {part.strip().removeprefix("W/") for part in tags}:
        return None
    return Response(status_code=304, headers={**OUTPUT_HEADERS, "cache-control": CACHED, "etag": tag})


def json_answer(value: object, *, status: int = 200) -> Response:
    """The value as JSON, which no browser keeps."""
    return JSONResponse(value, status, {**OUTPUT_HEADERS, "cache-control": "no-store"})


def unkept(preview: Preview, theme: Theme, title: str, *, status: int = 200) -> Response:
    """A document that no browser keeps."""
    page = document(preview, theme=theme, title=title)
    headers = {**OUTPUT_HEADERS, "cache-control": "no-store", "content-type": HTML}
    return Response(page, status_code=status, headers=headers)


def missing(theme: Theme) -> Response:
    """The answer to an address under which there is nothing."""
    gone = message("There is nothing here. The output may have been purged, or the address is incomplete.")
    return unkept(Preview(gone), theme, "Not found", status=404)


def uncopied(theme: Theme, reason: str) -> Response:
    """The answer for a file without a blinded copy."""
    body = message(f"{reason} It could not be blinded, so its source and download are not available.")
    return unkept(Preview(body.replace("<div", "<div data-nothing", 1)), theme, "Not shown")
