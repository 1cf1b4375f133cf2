"""How the pages of a PDF look, as one digest: equal digests are pages that nobody can tell apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pypdfium2

from comparator.outputs.child.extraction import Unreadable
from comparator.outputs.child.frames import Frame

_LONGEST_SIDE = 1_200
"""Pixels of the longer side of a page."""


def answer(data: bytes) -> Iterator[Frame]:
    """The digest of a rebuilt PDF's looks. Raises Unreadable where it cannot be drawn."""
    try:
        with pypdfium2.PdfDocument(data) as document:
            yield Frame({"kind": "looks", "digest": _digest(document)})
    except pypdfium2.PdfiumError as error:
        raise Unreadable("The PDF is damaged and cannot be drawn.") from error
    yield Frame({"kind": "done"})


def _digest(document: pypdfium2.PdfDocument) -> str:
    seen = hashlib.sha256()
    for page in document:
        width, height = page.get_size()
        bitmap = page.render(scale=_LONGEST_SIDE / max(width, height, 1))
        seen.update(f"{width:.2f} {height:.2f} ".encode())
        seen.update(bitmap.buffer)
        bitmap.close()
        page.close()
    return seen.hexdigest()
