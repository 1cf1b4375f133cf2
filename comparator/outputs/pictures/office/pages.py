"""Finished PDFs of Office files as pictures without names."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import pikepdf
from PIL import Image

from comparator.outputs.isolated.results import PageImage, Pages, ReadLimits
from comparator.outputs.pages import encoded, opened, picture_of
from comparator.outputs.view.blinding.pdf_words import painted

_SIDE = 1_568
"""Pixels of the longer side of a page's picture; a judge's own limit."""
_SCALE = 96 / 72
_TILE = 1_500
_TILES = 6
"""Pictures that one long page, which is a sheet, is cut into at most."""


def finished(data: bytes, limits: ReadLimits, rules: Mapping[str, Any], names: list[str], most: int) -> Pages:
    """A finished PDF as pictures without the words that the rules replace. Raises Unreadable.

    `names` are those of its first pages; of at most `most` pages there are pictures by themselves.
    """
    pages = painted(data, rules, limits)
    document = pages.document or b""
    images: list[PageImage] = []
    with opened(document) as pdf:
        for number in range(1, len(pdf) + 1):
            if len(images) >= most:
                break
            width, height = (max(side, 1.0) for side in pdf[number - 1].get_size())
            scale = _SIDE / max(width, height)
            if scale < _SCALE:
                # A long sheet: as large as on a screen, in pieces.
                scale = min(_SCALE, _SIDE / width)
            tiles = _tiles(picture_of(pdf[number - 1], scale=max(scale, 0.05)))
            name = names[number - 1] if number <= len(names) else f"page {number}"
            for part, tile in enumerate(tiles, 1):
                caption = f"{name}, part {part} of {len(tiles)} from the top" if len(tiles) > 1 else name
                images.append(PageImage(number, caption, *encoded(tile)))
    return Pages(document, pages.pages, tuple(images), fonts=_fonts_in(data))


def _fonts_in(data: bytes) -> tuple[str, ...]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        named = (part.get("/BaseFont") for part in pdf.objects if isinstance(part, pikepdf.Dictionary))
        return tuple(sorted({str(name).lstrip("/").rpartition("+")[2] for name in named if name is not None}))


def _tiles(page: Image.Image) -> list[Image.Image]:
    if max(page.size) <= _SIDE:
        return [page]
    tops = range(0, page.height, _TILE)[:_TILES]
    return [page.crop((0, top, page.width, min(top + _TILE, page.height))) for top in tops]
