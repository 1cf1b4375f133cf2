"""The blinded copies in the store, what routes of outputs read from a request, the headers under which they answer, and
the routes that show pictures of web pages."""

import posixpath
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from ipaddress import ip_address
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import ComparatorError, NotFound
from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import Preview, Theme, document, message
from comparator.outputs.preview.page import picture_page
from comparator.outputs.preview.render import PICTURES, Neighbours
from comparator.outputs.preview.sanitise import beside, composed
from comparator.outputs.tables.store import MEDIA_TYPE
from comparator.store.pairs import outputs
from comparator.store.pairs.outputs import FileRow
from comparator.web.guards.gate import PAGES
from comparator.workflow.pictures import is_pictured, note_written, seen_page, why_still
from comparator.workflow.services import Services

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


class StoredMedia:
    """Finds files by their random ids, from several threads; nothing here leads to a candidate."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def file(self, file_id: str) -> MediaFile | None:
        """The blinded copy under this id, or None; once it is revealed, the copy with the original words."""
        row = self._row(file_id.removesuffix(PAGES))
        if row is None or row.blob is None or row.media_type is None:
            return None
        if file_id.endswith(PAGES):
            if row.pages is None:
                return None
            return MediaFile(row.name, Family.PDF, "application/pdf", row.pages, row.pages_size or 0)
        copy = MediaFile(row.name, row.family, row.media_type, row.blob, row.copy_size or 0)
        with self._services.database.read() as connection:
            original = outputs.originals_of(connection, row.view_id).get(row.id)
        if original is None:
            return copy
        return replace(
            copy,
            name=original.name,
            media_type=original.media_type or copy.media_type,
            blob=original.blob or copy.blob,
            size=original.size or copy.size,
        )

    def handed_in(self, file_id: str) -> MediaFile | None:
        """The file itself, once it is revealed; None before."""
        row = self._row(file_id.removesuffix(PAGES))
        if row is None:
            return None
        with self._services.database.read() as connection:
            if not outputs.is_revealed(connection, row.view_id):
                return None
            original = outputs.originals_of(connection, row.view_id).get(row.id)
            path = original.name if original is not None else row.name
            try:
                snapshot_id = outputs.snapshot_of_view(connection, row.view_id)
                artifacts = outputs.load_snapshot(connection, snapshot_id).artifacts
            except NotFound:
                return None
        return next(
            (
                MediaFile(path, row.family, "application/octet-stream", artifact.sha256, artifact.size)
                for artifact in artifacts
                if artifact.path == path
            ),
            None,
        )

    def uncopied(self, file_id: str) -> str | None:
        """Why there is no copy of the file under this id; None where there is one, or no such file."""
        row = self._row(file_id)
        if row is None or row.blob is not None:
            return None
        return " ".join(row.notes) or "It cannot be shown."

    def _row(self, file_id: str) -> FileRow | None:
        try:
            with self._services.database.read() as connection:
                return outputs.file(connection, file_id)
        except NotFound:
            return None

    def blob(self, digest: str) -> bytes:
        """The bytes. Raises NotFound."""
        return self._services.blobs.get(digest)

    def why_still(self, file_id: str) -> str:
        """Why the page under this id may not run its scripts; empty where it may."""
        return why_still(self._services, file_id)

    def written(self, file_id: str, text: str, person_id: str | None) -> None:
        """Take note of the words that a page with scripts shows to this person."""
        note_written(self._services.by(person_id), file_id, text)

    def sibling(self, file_id: str, path: str) -> str | None:
        """The id of the file at `path`, from this file's folder or the agents' own; None where there is none."""
        with self._services.database.read() as connection:
            row = outputs.file(connection, file_id)
            files = outputs.list_files(connection, row.view_id)
        wanted = beside(row.name, path)
        return next((file.id for file in files if composed(file.name) == wanted), None)

    def file_for_page(self, file_id: str, *, page: MediaFile, path: str) -> MediaFile | None:
        """The file at `path` of the output that the page belongs to; None where there is none."""
        folder = posixpath.dirname(page.name) or "."
        other_id = self.sibling(file_id, posixpath.relpath(path, folder)) if path else None
        return self.file(other_id) if other_id else None

    def neighbours_of(self, file_id: str, file: MediaFile) -> Neighbours:
        """The pictures that the file may refer to."""
        if file.family not in (Family.MARKDOWN, Family.NOTEBOOK):
            return Neighbours()
        # Previews stand at /outputs/<id>/view.
        return Neighbours(file.name, {name: f"../{id}/image" for name, id in self.pictures(file_id).items()})

    def pictures(self, file_id: str) -> dict[str, str]:
        """The ids of all pictures of the output that the file belongs to, by their paths."""
        with self._services.database.read() as connection:
            files = outputs.list_files(connection, outputs.file(connection, file_id).view_id)
        return {composed(file.name): file.id for file in files if file.media_type in PICTURES}


_NOT_JUDGED = "Opened for you now; the judge was not given this picture."
_NONE = (
    "No picture can be taken of this file: it is not a web page, or there is no Chromium on the server "
    "(comparator doctor says more)."
)


def web_routes(services: Services) -> list[BaseRoute]:
    """The routes; they have to come before those of `media_routes`."""

    def picture(request: Request) -> Response:
        """The pictures of a page; they are taken now if they have not been."""
        status = 200
        try:
            seen = seen_page(services, request.path_params["file_id"])
            notes = () if seen is None or seen.judged else (_NOT_JUDGED,)
            preview = picture_page(seen.evidence, notes=notes) if seen else Preview(message(_NONE))
        except ComparatorError as error:
            preview, status = Preview(message(str(error))), 404
        return unkept(preview, theme_of(request), "Picture of the page", status=status)

    def modes(request: Request) -> Response:
        """Whether there are pictures of a file: `{"picture": true}`."""
        try:
            return json_answer({"picture": is_pictured(services, request.path_params["file_id"])})
        except ComparatorError:
            return json_answer({}, status=404)

    return [
        Route(f"{PREFIX}/{{file_id}}/picture", slow(picture, CapacityLimiter(2)), methods=["GET"]),
        Route(f"{PREFIX}/{{file_id}}/modes", modes, methods=["GET"]),
    ]
