"""The routes that show outputs: previews, parts and downloads of blinded copies, under strict headers of their own."""

import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import cast
from urllib.parse import quote

from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.differences.compare import MOST_COMPARED, ComparedFile, differences, too_large
from comparator.outputs.differences.model import FileComparison, Side
from comparator.outputs.file_cache import FileCache
from comparator.outputs.preview.child_process import PreviewCopy, Renderer
from comparator.outputs.preview.document import Theme, document
from comparator.outputs.preview.page import SVG
from comparator.outputs.preview.render import PICTURES, QuotePlace, is_played
from comparator.outputs.preview.tables import Keep, PageRequest, RowOrder, is_table
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv
from comparator.web.guards.gate import DIFFERENCES
from comparator.web.media.files import (
    CACHED,
    HTML,
    OUTPUT_HEADERS,
    PREFIX,
    MediaFile,
    StoredMedia,
    answer,
    download_name,
    json_answer,
    missing,
    number_of,
    page_of,
    slow,
    theme_of,
    unchanged,
    uncopied,
)
from comparator.web.media.foreign_pages import author_page

_VERSION = "18"
"""Part of every tag and key; raise it when previews or differences come out differently."""


def media_routes(media: StoredMedia, *, renderer: Renderer, cache: Path | None = None) -> list[BaseRoute]:
    """The routes under `/outputs` for the files of `media`; `cache` is a folder for finished previews."""
    shelf = _Shelf(media, renderer, FileCache(cache))
    readers = CapacityLimiter(4)
    between = f"{DIFFERENCES}/{{other_id}}"
    routes: dict[str, Callable[[Request], Response | Awaitable[Response]]] = {
        f"{{file_id}}/{between}/summary": shelf.summary,
        f"{{file_id}}/{between}/{{side}}": shelf.side,
        "{file_id}/view": partial(shelf.view, rendered=True),
        "{file_id}/source": partial(shelf.view, rendered=False),
        "{file_id}/download": shelf.download,
        "{file_id}/image": shelf.image,
        "{file_id}/play": shelf.play,
        "{file_id}/page/{number}.png": slow(shelf.page_picture, readers),
        "{file_id}/locate": slow(shelf.locate, readers),
        "{rest:path}": lambda request: missing(theme_of(request)),
    }
    return [Route(f"{PREFIX}/{path}", endpoint, methods=["GET"]) for path, endpoint in routes.items()]


@dataclass(frozen=True)
class _Shelf:
    _media: StoredMedia
    _renderer: Renderer
    _cache: FileCache

    def view(self, request: Request, *, rendered: bool) -> Response:
        """The rendered view, or the source."""
        file_id = request.path_params["file_id"]
        theme = theme_of(request)
        file = self._media.file(file_id)
        if file is None:
            reason = self._media.uncopied(file_id)
            return missing(theme) if reason is None else uncopied(theme, reason)
        page_request = _page_request(request, file, page_of(request))
        tag = _tag(file, f"{'view' if rendered else 'source'}-{_words_of(page_request)}-{theme}")
        return answer(
            request, lambda: self._page_of_preview(file_id, file, page_request, theme, rendered), HTML, tag
        )

    def _page_of_preview(
        self, file_id: str, file: MediaFile, place: PageRequest, theme: Theme, rendered: bool
    ) -> bytes:
        # What a document or a notebook looks like depends on the files beside it, so its preview belongs to the file,
        # not to the bytes alone.
        owner = file_id if rendered and file.family in (Family.MARKDOWN, Family.NOTEBOOK) else ""
        where = _words_of(place)
        key = f"{_VERSION}/{file.blob}/{file.family}/{file.media_type}/{file.name}/{rendered}/{where}/{theme}/{owner}"

        def make() -> bytes:
            stored = self._stored(file)
            if rendered:
                neighbours = self._media.neighbours_of(file_id, file)
                preview = self._renderer.view(stored, place, neighbours=neighbours, keep=self._keep(file))
            else:
                preview = self._renderer.source(stored, place)
            return document(preview, theme=theme, title=file.name).encode("utf-8", "replace")

        return self._cache.get(key, make)

    def _stored(self, file: MediaFile) -> PreviewCopy:
        return PreviewCopy(
            file.name, file.family, file.media_type, file.size, lambda: self._media.blob(file.blob)
        )

    def _keep(self, file: MediaFile) -> Keep:
        """Where what is found out about a file's rows is kept, by its content."""
        about = f"{_VERSION}/{file.blob}/{file.family}/{PurePosixPath(file.name).suffix}"
        return lambda name, make: self._cache.get(f"{about}/{name}", make)

    def download(self, request: Request) -> Response:
        """The blinded copy as a file to keep, after the reveal the file itself; no browser opens it."""
        file_id = request.path_params["file_id"]
        file = self._media.handed_in(file_id) or self._media.file(file_id)
        if file is None:
            return missing(theme_of(request))

        def body() -> bytes:
            data = self._media.blob(file.blob)
            return as_csv(data) if file.media_type == MEDIA_TYPE else data

        name = download_name(file)
        plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)
        return answer(
            request,
            body,
            "application/octet-stream",
            _tag(file, "download"),
            disposition=f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}",
        )

    def image(self, request: Request) -> Response:
        """The bytes of a picture; only of a picture."""
        file = self._media.file(request.path_params["file_id"])
        if file is None or file.media_type not in PICTURES:
            return missing(theme_of(request))
        if file.media_type == SVG and not self._is_bounded(file):
            return missing(theme_of(request))
        # Inside a preview the picture is drawn all the same; by itself a drawing could load, so it is not shown there.
        return answer(
            request,
            lambda: self._media.blob(file.blob),
            file.media_type,
            _tag(file, "image"),
            disposition="attachment",
        )

    def _is_bounded(self, file: MediaFile) -> bool:
        """Whether a drawing may stand in a document of ours."""
        try:
            page = author_page(file, media=self._media, renderer=self._renderer, cache=self._cache)
            return page.is_bounded
        except OutputRefused:
            return False

    def play(self, request: Request) -> Response:
        """The sound or film of a copy without tags, in the ranges that a player asks for; only of such a copy."""
        file = self._media.file(request.path_params["file_id"])
        if file is None or not is_played(file.media_type):
            return missing(theme_of(request))
        headers = {**OUTPUT_HEADERS, "cache-control": CACHED, "etag": _tag(file, "play")}
        path = self._cache.file(f"play/{file.blob}", lambda: self._media.blob(file.blob))
        return FileResponse(path, headers=headers, media_type=file.media_type)

    def page_picture(self, request: Request) -> Response:
        """One page of a PDF as a picture."""
        file = self._media.file(request.path_params["file_id"])
        number = number_of(request.path_params["number"])
        if file is None or file.media_type != "application/pdf" or number is None:
            return missing(theme_of(request))
        tag = _tag(file, f"page-{number}")
        # The picture is not even read for a browser that has it; its type is known from its bytes only.
        if (known := unchanged(request, tag)) is not None:
            return known
        try:
            data = self._cache.get(
                f"{_VERSION}/{file.blob}/page/{number}",
                lambda: self._renderer.page_picture(self._media.blob(file.blob), number),
            )
        except OutputRefused:
            return missing(theme_of(request))
        media_type = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
        return answer(request, lambda: data, media_type, tag)

    def locate(self, request: Request) -> Response:
        """Where a quote stands that is not on the page at hand: `{"mode": …, "page": n, "sheet": n|null}`, or null."""
        file = self._media.file(request.path_params["file_id"])
        text = request.query_params.get("text", "")[:5_000]
        if file is None or not text.strip():
            return json_answer(None)
        # A union is no `type` to a type checker.
        returns = cast("type[QuotePlace | None]", QuotePlace | None)
        data = self._media.blob(file.blob)
        try:
            place = self._renderer.ask(
                "place", returns, text=text, family=file.family, media_type=file.media_type, data=data
            )
        except OutputRefused:
            place = None
        return json_answer(place and {"mode": place.mode, "page": place.page, "sheet": place.sheet})

    def summary(self, request: Request) -> Response:
        """How much A and B differ: `{"changes", "percent", "words", "little"}`, or `{"problem"}`."""
        pair = self._pair(request.path_params["file_id"], request.path_params["other_id"])
        return json_answer(None, status=404) if pair is None else json_answer(self._compared(*pair).summary)

    def side(self, request: Request) -> Response:
        """One side of the differences: `page` is the part, or `row` the change that is to be on it."""
        ids, query = request.path_params, request.query_params
        side: Side = "b" if ids["side"] == "b" else "a"
        own, other = ids["file_id"], ids["other_id"]
        pair = self._pair(*((own, other) if side == "a" else (other, own)))
        if pair is None:
            return missing(theme_of(request))
        compared = self._compared(*pair)
        change = number_of(query.get("row", ""))
        page = compared.page_of(change) if change else (number_of(query.get("page", "")) or 0)
        title = f"Differences: {pair[0 if side == 'a' else 1].name}"
        preview = compared.side(side, page=page, other=other)
        body = document(preview, theme=theme_of(request), title=title).encode("utf-8", "replace")
        return answer(request, lambda: body, HTML, f'"{hashlib.sha256(body).hexdigest()[:32]}"')

    def _pair(self, a: str, b: str) -> tuple[MediaFile, MediaFile] | None:
        first, second = self._media.file(a), self._media.file(b)
        return (first, second) if first is not None and second is not None else None

    def _compared(self, a: MediaFile, b: MediaFile) -> FileComparison:
        """Kept by the content of both files, so that they are compared once."""

        def make() -> FileComparison:
            if max(a.size, b.size) > MOST_COMPARED:
                return FileComparison(problem=too_large())
            sides = (
                ComparedFile(file.name, file.family, file.media_type, self._media.blob(file.blob))
                for file in (a, b)
            )
            return differences(self._renderer, *sides)

        about = "/".join(
            f"{file.blob}/{file.family}/{file.media_type}/{PurePosixPath(file.name).suffix}"
            for file in (a, b)
        )
        return self._cache.value(f"{DIFFERENCES}/{_VERSION}/{about}", FileComparison, make)


def _tag(file: MediaFile, what: str) -> str:
    # The name decides the language of the highlighting, and the title.
    name = hashlib.sha256(
        f"{file.name}/{file.family}/{file.media_type}".encode("utf-8", "replace")
    ).hexdigest()[:8]
    return f'"{_VERSION}-{file.blob[:32]}-{name}-{what}"'


def _page_request(request: Request, file: MediaFile, page: int) -> PageRequest:
    """What is asked of a file; only a table has sheets and orders."""
    query = request.query_params
    if not is_table(file.family, file.media_type):
        return PageRequest(page)
    sheet = min(number_of(query.get("sheet", "1")) or 1, 1_000)
    return PageRequest(page, sheet, RowOrder.parse(query.get("sort", "")))


def _words_of(place: PageRequest) -> str:
    return f"{place.page}-{place.sheet}-{place.order or ''}"
