"""The blinded copies in the store, for the media routes, and the routes that show pictures of web pages."""

from __future__ import annotations

import posixpath
from dataclasses import replace

from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from comparator.domain.errors import ComparatorError, NotFound
from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import Preview, message
from comparator.outputs.preview.page import picture_page
from comparator.outputs.preview.render import PICTURES, Neighbours
from comparator.outputs.preview.sanitise import beside, composed
from comparator.store.pairs import outputs
from comparator.store.pairs.outputs import FileRow
from comparator.web.guards.gate import PAGES
from comparator.web.media.answers import PREFIX, MediaFile, json_answer, slow, theme_of, unkept
from comparator.workflow.page_pictures import is_pictured, note_written, seen_page, why_still
from comparator.workflow.services import Services


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

    def written(self, file_id: str, text: str) -> None:
        """Take note of the words that a page with scripts shows."""
        note_written(self._services, file_id, text)

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
