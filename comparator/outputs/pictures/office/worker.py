"""The reading child's side of Office pages: cleans packages, and turns finished PDFs into pictures."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pypdfium2
from PIL import Image

from comparator.outputs.child.extraction import ReadLimits
from comparator.outputs.child.frames import Frame, unpacked
from comparator.outputs.extract.pdf import read
from comparator.outputs.pictures.office.clean.package import cleaned
from comparator.outputs.view.blinding.redacting import Redactor

_SIDE = 1_568
"""Pixels of the longer side of a page's picture; a judge's own limit."""
_SCALE = 96 / 72
_TILE = 1_500
_TILES = 6
"""Pictures that one long page, which is a sheet, is cut into at most."""
_TILE_BYTES = 1_200_000
_FONT = re.compile(rb"/BaseFont\s*/(?:[A-Z]{6}\+)?([^\s/<>\[\]()]+)")


def answer(body: bytes) -> Iterator[Frame]:
    """The frames that answer a packed question; the last one has the kind `done`. Raises Unreadable."""
    question, data = unpacked(body)
    limits = ReadLimits.of(question["limits"])
    if question["ask"] == "clean":
        found = cleaned(data, limits, Redactor.of(question["rules"]))
        head = {
            "kind": "cleaned",
            "as": found.kind,
            "fonts": found.fonts,
            "pages": found.pages,
            "notes": found.notes,
        }
        yield Frame(head, found.data)
    else:
        yield from _finished(data, limits, most=int(question["pictures"]))
    yield Frame({"kind": "done"})


def _finished(data: bytes, limits: ReadLimits, *, most: int) -> Iterator[Frame]:
    """The PDF rebuilt, its text, and the first pictures of its pages."""
    found = read(data, limits)
    document = found.document or b""
    fonts = sorted({name.decode("ascii", "replace") for name in _FONT.findall(document)})
    yield Frame({"kind": "document", "pages": found.pages, "fonts": fonts}, document)
    yield Frame({"kind": "text"}, found.text.encode("utf-8", "replace"))
    with pypdfium2.PdfDocument(document) as pdf:
        sent = 0
        for number in range(1, len(pdf) + 1):
            if sent >= most:
                break
            for part, of, picture in _tiles(pdf[number - 1]):
                sent += 1
                media_type, content = _encoded(picture)
                yield Frame(
                    {"kind": "picture", "page": number, "part": part, "parts": of, "media_type": media_type},
                    content,
                )


def _tiles(page: pypdfium2.PdfPage) -> Iterator[tuple[int, int, Image.Image]]:
    width, height = (max(side, 1.0) for side in page.get_size())
    scale = _SIDE / max(width, height)
    if scale < _SCALE:
        # A long sheet: as large as on a screen, in pieces.
        scale = min(_SCALE, _SIDE / width)
    whole = page.render(scale=max(scale, 0.05)).to_pil().convert("RGB")
    parts = 1 if max(whole.size) <= _SIDE else min(-(-whole.height // _TILE), _TILES)
    for part in range(parts):
        box = (
            whole
            if parts == 1
            else whole.crop((0, part * _TILE, whole.width, min((part + 1) * _TILE, whole.height)))
        )
        yield part + 1, parts, box


def _encoded(picture: Image.Image) -> tuple[str, bytes]:
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=False)
    if len(out.getvalue()) <= _TILE_BYTES:
        return "image/png", out.getvalue()
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=85)
    return "image/jpeg", out.getvalue()
