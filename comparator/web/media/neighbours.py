"""What a page or document gets of the other files of its output."""

from __future__ import annotations

import posixpath

from comparator.domain.pair.view import Family
from comparator.outputs.preview.render import Neighbours
from comparator.web.media.source import MediaFile, MediaSource


def file_for_page(media: MediaSource, file_id: str, *, page: MediaFile, path: str) -> MediaFile | None:
    """The file at `path` of the output that the page belongs to; None where there is none."""
    folder = posixpath.dirname(page.name) or "."
    other_id = media.sibling(file_id, posixpath.relpath(path, folder)) if path else None
    return media.file(other_id) if other_id else None


def neighbours_of(media: MediaSource, file_id: str, *, file: MediaFile) -> Neighbours:
    """The pictures that the file may refer to."""
    if file.family not in (Family.MARKDOWN, Family.NOTEBOOK):
        return Neighbours()
    # Previews stand at /outputs/<id>/view.
    return Neighbours(file.name, {name: f"../{id}/image" for name, id in media.pictures(file_id).items()})
