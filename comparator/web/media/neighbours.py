"""What a page or document gets of the other files of its output."""

from __future__ import annotations

import posixpath

from comparator.outputs.preview.render import PICTURES, Neighbours
from comparator.outputs.preview.sanitise import MOST_BYTES, path_of, references, refers
from comparator.web.media.source import MediaFile, MediaSource


def file_for_page(media: MediaSource, file_id: str, *, page: MediaFile, path: str) -> MediaFile | None:
    """The file at `path` of the output that the page belongs to; None where there is none."""
    folder = posixpath.dirname(page.name) or "."
    other_id = media.sibling(file_id, posixpath.relpath(path, folder)) if path else None
    return media.file(other_id) if other_id else None


def neighbours_of(media: MediaSource, file_id: str, *, file: MediaFile) -> Neighbours:
    """The pictures that the file refers to."""
    addresses: dict[str, str] = {}
    if not refers(file.family):
        return Neighbours()
    with media.open(file.blob) as stream:
        data = stream.read(MOST_BYTES)
    for address in references(data, family=file.family):
        path = path_of(address)
        other_id = media.sibling(file_id, path)
        other = media.file(other_id) if other_id else None
        if other is not None and other.media_type in PICTURES:
            # Previews stand at /outputs/<id>/view.
            addresses[path] = f"../{other_id}/image"
    return Neighbours(addresses)
