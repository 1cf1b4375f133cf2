"""The reading child's side of examining a copy: words of documents, pictures at a width, and which lines differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from PIL import Image

from comparator.domain.pair.view import Family
from comparator.outputs.differences.compare import ComparedFile, words
from comparator.outputs.differences.text import aligned
from comparator.outputs.extract.images import on_white, opened
from comparator.outputs.isolated.messages import TakenPicture
from comparator.outputs.pages import encoded, own_document, picture_of, words_of_pages
from comparator.outputs.preview.document import NotShown

_SLIDE = re.compile(r"^## Slide (\d+)", re.MULTILINE)
_TALLEST = 4_000
LINES_OF_ONE = 25
"""Lines of either side that make one difference at most: one fits an answer, however long its lines are."""


def words_of(data: bytes, family: Family, media_type: str) -> list[str]:
    """The words of a document, in pages or slides where it has any. Raises NotShown."""
    if media_type == "application/pdf":
        return words_of_pages(data)
    text = words(ComparedFile("", family, media_type, data))
    return _slides(text) if family is Family.PPTX else [text]


def _slides(text: str) -> list[str]:
    """The text of each slide; words on a slide that look like the heading of another one begin none."""
    starts, number = [], 1
    for match in _SLIDE.finditer(text):
        if int(match[1][:9]) == number:
            starts.append(match.start())
            number += 1
    ends = [*starts[1:], len(text)]
    return [text[start:end].strip() for start, end in zip(starts, ends, strict=True)] or [text]


def picture(data: bytes, media_type: str, page: int, width: int) -> TakenPicture:
    """A page of a PDF, or a picture, at a width in pixels. Raises OutputRefused."""
    pages = 1
    if media_type == "application/pdf":
        with own_document(data) as pdf:
            pages = len(pdf)
            if not 1 <= page <= pages:
                raise NotShown(f"The document has {pages:,} pages.")
            wide, high = pdf[page - 1].get_size()
            image = picture_of(pdf[page - 1], scale=min(width / max(wide, 1), _TALLEST / max(high, 1)))
    else:
        image = opened(data)
        # A JPEG that is much larger is read at a half, a quarter or an eighth of its size.
        image.thumbnail((width, _TALLEST), Image.Resampling.LANCZOS)
        image = on_white(image)
    return TakenPicture(encoded(image, every_grey=True), image.width, image.height, pages)


def changed(a: bytes, b: bytes) -> bytes:
    """Which lines differ, one difference a row of four numbers of 32 bits; long ones in pieces."""
    left, right = a.split(b"\n"), b.split(b"\n")
    rows: list[tuple[int, int, int, int]] = []
    for same, *ends in aligned(left, right):
        if not same:
            rows += _pieces(*ends)
    return np.array(rows, dtype=np.int32).tobytes()


def _pieces(a: int, a_end: int, b: int, b_end: int) -> Iterator[tuple[int, int, int, int]]:
    for _ in range(0, max(a_end - a, b_end - b), LINES_OF_ONE):
        last, other = min(a + LINES_OF_ONE, a_end), min(b + LINES_OF_ONE, b_end)
        yield a, last, b, other
        a, b = last, other
