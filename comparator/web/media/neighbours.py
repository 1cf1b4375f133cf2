"""What a page or document gets of the other files of its output: pictures and style sheets."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from comparator.domain.pair.view import Family
from comparator.outputs.pictures.evidence import served_type
from comparator.outputs.preview.neighbours import MOST_BYTES, path_of, references, refers
from comparator.outputs.preview.render import PICTURES, Neighbours
from comparator.web.media.source import MediaFile, MediaSource

_CSS = "text/css"


def is_web_page(file: MediaFile) -> bool:
    """Whether the rendered view of a copy is a document of its author's own."""
    return file.family is Family.HTML and file.media_type == "text/html" and file.size > 0


def loaded_type(file: MediaFile) -> str | None:
    """The media type under which a page gets a file beside it; None for what it does not get."""
    served = served_type(file.name, file.family, file.media_type)
    return served if served is not None and served.startswith(("image/", _CSS)) else None


def file_for_page(media: MediaSource, file_id: str, *, page: MediaFile, path: str) -> MediaFile | None:
    """The file at `path` of the output that the page belongs to; None where there is none."""
    folder = posixpath.dirname(page.name) or "."
    other_id = media.sibling(file_id, posixpath.relpath(path, folder)) if path else None
    return media.file(other_id) if other_id else None


def neighbours_of(media: MediaSource, file_id: str, *, file: MediaFile) -> Neighbours:
    """What the file refers to."""
    addresses: dict[str, str] = {}
    if not refers(file.family):
        return Neighbours()
    data = _beginning(media, file)
    drawn = file.family is Family.HTML or (file.family is Family.MARKDOWN and b"mermaid" in data)
    sheets: dict[str, MediaFile] = {}
    for address in references(data, family=file.family):
        path = path_of(address)
        other_id = media.sibling(file_id, path)
        other = media.file(other_id) if other_id else None
        if other is None:
            continue
        if other.media_type in PICTURES:
            # Previews stand at /outputs/<id>/view.
            addresses[path] = f"../{other_id}/image"
        elif file.family is Family.HTML and (loaded := loaded_type(other)):
            addresses[path] = address
            if loaded.startswith(_CSS):
                sheets[path] = other
    return Neighbours(addresses, drawn and media.has_browser(), _texts(media, file_id, sheets=sheets))


def _texts(media: MediaSource, file_id: str, *, sheets: Mapping[str, MediaFile]) -> tuple[str, ...]:
    """The texts of style sheets by their paths, and of those that they load in turn."""
    found: list[str] = []
    waiting, seen, left = dict(sheets), set(sheets), MOST_BYTES
    while waiting and left > 0:
        path = next(iter(waiting))
        sheet = waiting.pop(path)
        data = _beginning(media, sheet)[:left]
        left -= len(data)
        found.append(data.decode("utf-8", "replace"))
        for address in references(data, family=Family.HTML):
            inside = posixpath.join(posixpath.dirname(path), path_of(address))
            if inside in seen or not inside.lower().endswith(".css"):
                continue
            seen.add(inside)
            other_id = media.sibling(file_id, inside)
            other = media.file(other_id) if other_id else None
            if other is not None and (loaded_type(other) or "").startswith(_CSS):
                waiting[inside] = other
    return tuple(found)


def _beginning(media: MediaSource, file: MediaFile) -> bytes:
    with media.open(file.blob) as stream:
        return stream.read(MOST_BYTES)
