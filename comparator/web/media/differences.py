"""The routes that show what differs between two files, under the same headers and rights as the files themselves."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from comparator.outputs.differences.compare import MOST_COMPARED, ComparedFile, differences, too_large
from comparator.outputs.differences.model import FileComparison, Side
from comparator.outputs.file_cache import FileCache
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import Preview, Theme, document, message
from comparator.web.guards.gate import DIFFERENCES
from comparator.web.media.answers import (
    CACHED,
    HTML,
    OUTPUT_HEADERS,
    PREFIX,
    MediaFile,
    MediaSource,
    number_of,
    theme_of,
)

_VERSION = "6"
"""Part of every key; raise it when differences come out otherwise."""


def difference_routes(
    media: MediaSource, *, renderer: Renderer, cache: Path | None = None
) -> list[BaseRoute]:
    """The routes for the files of `media`; they have to come before those of `media_routes`. `cache` is a folder for
    what was found."""
    shelf = _Shelf(media, renderer, FileCache(cache))
    begin = f"{PREFIX}/{{file_id}}/{DIFFERENCES}/{{other_id}}"
    return [
        Route(f"{begin}/summary", shelf.summary, methods=["GET"]),
        Route(f"{begin}/{{side}}", shelf.side, methods=["GET"]),
    ]


class _Shelf:
    def __init__(self, media: MediaSource, renderer: Renderer, cache: FileCache) -> None:
        self._media = media
        self._renderer = renderer
        self._cache = cache

    def summary(self, request: Request) -> Response:
        """How much A and B differ: `{"changes", "percent", "words", "little"}`, or `{"problem"}`."""
        ids = request.path_params
        pair = self._pair(ids["file_id"], ids["other_id"])
        if pair is None:
            return JSONResponse(None, status_code=404, headers=OUTPUT_HEADERS)
        found = self._found(*pair)
        return JSONResponse(found.summary, headers={**OUTPUT_HEADERS, "cache-control": "no-store"})

    def side(self, request: Request) -> Response:
        """One side of a part: `page` is the part, or `row` the change that is to be on it."""
        ids, query = request.path_params, request.query_params
        theme = theme_of(request)
        side: Side = "b" if ids["side"] == "b" else "a"
        own, other = ids["file_id"], ids["other_id"]
        pair = self._pair(*((own, other) if side == "a" else (other, own)))
        if pair is None:
            gone = Preview(message("There is nothing here. The output may have been purged."))
            return _answer(gone, theme, "Not found", status=404)
        found = self._found(*pair)
        change = number_of(query.get("row", ""))
        page = found.page_of(change) if change else (number_of(query.get("page", "")) or 0)
        preview = found.side(side, page=page, other=other)
        return _answer(preview, theme, f"Differences: {pair[0 if side == 'a' else 1].name}")

    def _pair(self, a: str, b: str) -> tuple[MediaFile, MediaFile] | None:
        first, second = self._media.file(a), self._media.file(b)
        return (first, second) if first is not None and second is not None else None

    def _found(self, a: MediaFile, b: MediaFile) -> FileComparison:
        """Kept by the content of both files, so that they are compared once."""

        def make() -> bytes:
            if max(a.size, b.size) > MOST_COMPARED:
                return FileComparison(problem=too_large()).packed()
            return differences(self._renderer, self._source(a), self._source(b)).packed()

        about = "/".join(
            f"{file.blob}/{file.family}/{file.media_type}/{PurePosixPath(file.name).suffix}"
            for file in (a, b)
        )
        return FileComparison.kept(self._cache.get(f"{DIFFERENCES}/{_VERSION}/{about}", make))

    def _source(self, file: MediaFile) -> ComparedFile:
        return ComparedFile(file.name, file.family, file.media_type, self._media.blob(file.blob))


def _answer(preview: Preview, theme: Theme, title: str, *, status: int = 200) -> Response:
    body = document(preview, theme=theme, title=title).encode("utf-8", "replace")
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {**OUTPUT_HEADERS, "cache-control": CACHED, "etag": tag}
    return Response(body, status_code=status, headers={**headers, "content-type": HTML})
