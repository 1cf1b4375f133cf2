"""The reading child's side of Office pages: cleans packages, and turns finished PDFs into pictures without names."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pikepdf
from PIL import Image

from comparator.outputs.child.extraction import ReadLimits
from comparator.outputs.child.frames import Frame, unpacked
from comparator.outputs.pages import encoded, opened, picture_of
from comparator.outputs.pictures.office.clean import cleaned
from comparator.outputs.view.blinding.pdf_words import painted
from comparator.outputs.view.blinding.redacting import Redactor

_SIDE = 1_568
"""Pixels of the longer side of a page's picture; a judge's own limit."""
_SCALE = 96 / 72
_TILE = 1_500
_TILES = 6
"""Pictures that one long page, which is a sheet, is cut into at most."""


def answer(body: bytes) -> Iterator[Frame]:
    """The frames that answer a packed question; the last one has the kind `done`. Raises Unreadable."""
    question, data = unpacked(body)
    limits = ReadLimits.of(question["limits"])
    if question["ask"] == "clean":
        found = cleaned(data, limits)
        head = {
            "as": found.kind,
            "fonts": sorted(found.fonts)[:200],
            "pages": found.pages,
            "notes": found.notes,
        }
        yield Frame({"kind": "cleaned", **head}, found.data)
    else:
        yield from _finished(data, limits, Redactor.of(question["rules"]), most=int(question["pictures"]))
    yield Frame({"kind": "done"})


def _finished(data: bytes, limits: ReadLimits, redactor: Redactor, *, most: int) -> Iterator[Frame]:
    """The pages as a PDF of pictures, and the first of them as pictures by themselves."""
    pages = painted(data, redactor, limits)
    document = pages.document or b""
    yield Frame({"kind": "document", "pages": pages.pages, "fonts": _fonts_in(data)}, document)
    with opened(document) as pdf:
        sent = 0
        for number in range(1, len(pdf) + 1):
            if sent >= most:
                break
            width, height = (max(side, 1.0) for side in pdf[number - 1].get_size())
            scale = _SIDE / max(width, height)
            if scale < _SCALE:
                # A long sheet: as large as on a screen, in pieces.
                scale = min(_SCALE, _SIDE / width)
            tiles = _tiles(picture_of(pdf[number - 1], scale=max(scale, 0.05)))
            sent += len(tiles)
            for part, tile in enumerate(tiles, 1):
                media_type, content = encoded(tile)
                about = {"page": number, "part": part, "parts": len(tiles), "media_type": media_type}
                yield Frame({"kind": "picture", **about}, content)


def _fonts_in(data: bytes) -> list[str]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        named = (part.get("/BaseFont") for part in pdf.objects if isinstance(part, pikepdf.Dictionary))
        return sorted({str(name).lstrip("/").rpartition("+")[2] for name in named if name is not None})


def _tiles(page: Image.Image) -> list[Image.Image]:
    if max(page.size) <= _SIDE:
        return [page]
    tops = range(0, page.height, _TILE)[:_TILES]
    return [page.crop((0, top, page.width, min(top + _TILE, page.height))) for top in tops]
