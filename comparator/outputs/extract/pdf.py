"""PDF: pictures of its pages with their words over them, and its text. The file itself is not handed on."""

from __future__ import annotations

import math
from collections.abc import Callable

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.isolated.messages import Copy, Extraction, Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.pages import NoPages, PictureBook, Run, middle, opened, picture_of, runs_of

_SCALE, _SMALL_SCALE = 2.0, 4 / 3
"""Pixels a point in documents of a few and of many pages."""
_FEW_PAGES = 60
_MOST_PIXELS = 25_000_000
Paint = Callable[[Image.Image, list[Run]], list[Run]]
"""Changes the words on the picture of a page; the words that stand there then. Raises Unreadable."""


def read(data: bytes, limits: Limits, *, paint: Paint | None = None) -> Extraction:
    """The pages as a PDF of pictures, and their text with a line for each page. Raises Unreadable."""
    try:
        with opened(data) as pdf:
            return _read(pdf, limits, paint)
    except (NoPages, pypdfium2.PdfiumError) as error:
        sentence = str(error) if isinstance(error, NoPages) else "The PDF is damaged and cannot be read."
        raise Unreadable(sentence) from error


def _read(pdf: pypdfium2.PdfDocument, limits: Limits, paint: Paint | None) -> Extraction:
    count = len(pdf)
    taken = min(count, limits.pages)
    form = pdf.get_formtype() != pdfium.FORMTYPE_NONE
    if form:
        pdf.init_forms()
    book, texts, wordless, pictured = PictureBook(), [], [], False
    for number in range(1, taken + 1):
        page = pdf[number - 1]
        # Values, notes and stamps become part of the page, as it is shown and printed.
        pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
        page.close()
        page = pdf[number - 1]
        scale = _scale_of(page, _SCALE if taken <= _FEW_PAGES else _SMALL_SCALE)
        image, runs = picture_of(page, scale=scale), runs_of(page, scale=scale)
        if paint is not None:
            runs = paint(image, runs)
        in_order = "".join(f"{run.words}\n" if run.ends_line else f"{run.words} " for run in runs)
        words = _by_place(runs) if form else in_order.strip()
        pictured |= any(True for _ in page.get_objects([pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=5))
        page.close()
        book.add(image, runs, scale=scale)
        wordless += [] if words else [number]
        texts.append(f"[page {number}]\n{words}\n")
    document = book.saved()
    notes: tuple[str, ...] = ()
    text = "\n".join(texts)
    if count > taken:
        text += f"\n[… {count - taken:,} pages left out here …]\n"
        notes += (NoteKind.FIRST_PAGES_READ.text(total=count, read=taken),)
    if wordless:
        pages = ", ".join(map(str, wordless[:20])) + (" and more" if len(wordless) > 20 else "")
        notes += (f"No words can be read on page {pages}: a scan, a drawing or an empty page.",)
    return Extraction(
        text=text,
        document=document,
        pages=taken,
        copy=Copy("application/pdf", document),
        wordless=bool(wordless) or pictured,
        notes=notes,
    )


def _scale_of(page: pypdfium2.PdfPage, usual: float) -> float:
    width, height = page.get_size()
    if width < 1 or height < 1:
        raise Unreadable("A page of the PDF has no size.")
    return min(usual, math.sqrt(_MOST_PIXELS / (width * height)))


def _by_place(runs: list[Run]) -> str:
    """Line by line from the top: in a form, values were drawn after all labels, but belong beside them."""
    placed = sorted(
        (middle(run.letters)[1], run.letters[0].left, middle(run.letters)[3], run.words) for run in runs
    )
    lines: list[list[tuple[float, float, float, str]]] = []
    for piece in placed:
        if lines and abs(lines[-1][0][0] - piece[0]) < 0.5 * max(lines[-1][0][2], piece[2]):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return "\n".join("  ".join(piece[3] for piece in sorted(line, key=lambda p: p[1])) for line in lines)
