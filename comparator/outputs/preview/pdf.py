"""PDF page by page: a picture of each page with its words laid over it, so that they can be selected and found."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from comparator.outputs.pages import runs_of, words_of_pages
from comparator.outputs.preview.document import NotShown, Preview, Span, shown

PAGES = 20
"""Pages of the document that one page of the preview holds."""
_MOST_RUNS = 4_000


@dataclass(frozen=True, slots=True)
class TextRun:
    """Some words and where they stand, in hundredths of the page's width and height."""

    left: float
    top: float
    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True)
class PdfPage:
    """One page: its size in points, and its words."""

    width: float
    height: float
    runs: tuple[TextRun, ...]


def all_sheets(data: bytes) -> list[PdfPage]:
    """Sizes and words of all pages. Raises NotShown."""
    with _open(data) as pdf:
        return [_sheet(pdf, n) for n in range(len(pdf))]


def render_pdf(data: bytes, page: int) -> Preview:
    """The pages as frames of the right shape with their words; pictures beyond the first are loaded as they come near.

    Raises NotShown.
    """
    with _open(data) as pdf:
        total = len(pdf)
        pages = max(1, -(-total // PAGES))
        page = min(max(page, 1), pages)
        first, last = (page - 1) * PAGES + 1, min(page * PAGES, total)
        sheets = [_sheet(pdf, n - 1) for n in range(first, last + 1)]
    body = "".join(
        f'<p class="pageno" data-skip>{number} of {total}</p>'
        f'<div class="sheet" style="aspect-ratio:{sheet.width:.1f}/{sheet.height:.1f}">'
        f'<img alt="Page {number}" {"src" if number == first else "data-src"}="page/{number}.png">'
        f'<div class="layer">{_layer(sheet)}</div></div>'
        for number, sheet in enumerate(sheets, first)
    )
    return Preview(body, page=page, pages=pages, span=Span("page", first, max(last, first), total))


def laid(run: TextRun, sheet: PdfPage) -> str:
    """Where the words of a run lie on the page, as CSS.

    Their size is that at which Helvetica's letters are as wide, so that a mark on a word stands on it; the pane
    corrects it for the letters that the browser has.
    """
    high = run.height * sheet.height / sheet.width
    widths = _helvetica()
    wide = sum(widths.get(letter, 1_000 if letter > "\u2e80" else 556) for letter in run.text) / 1_000
    size = min(max(run.width / max(wide, 0.1), 0.4 * high), 1.6 * high)
    return (
        f"left:{run.left:.2f}%;top:{run.top:.2f}%;width:{run.width:.2f}%;height:{run.height:.2f}%;"
        f"--size:{size:.3f}cqw"
    )


@cache
def _helvetica() -> Mapping[str, float]:
    """How wide its letters are, in thousandths of their size."""
    pdf, width = pdfium.PdfDocument.new(), ctypes.c_float()
    font = raw.FPDFText_LoadStandardFont(pdf.raw, b"Helvetica")
    try:
        widths = {}
        for code in (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2027)):
            if raw.FPDFFont_GetGlyphWidth(font, code, 1_000.0, ctypes.byref(width)) and width.value:
                widths[chr(code)] = width.value
        return widths
    finally:
        raw.FPDFFont_Close(font)
        pdf.close()


def find_page(data: bytes, text: str) -> int | None:
    """The page of the preview on which `text` stands, white space and case apart; None where it stands nowhere."""
    wanted = _plain(text)
    pages = (index for index, words in enumerate(words_of_pages(data)) if wanted and wanted in _plain(words))
    return next((index // PAGES + 1 for index in pages), None)


def _layer(sheet: PdfPage) -> str:
    return "".join(f'<span style="{laid(run, sheet)}">{shown(run.text)}</span>\n' for run in sheet.runs)


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


def _open(data: bytes) -> pdfium.PdfDocument:
    try:
        pdf = pdfium.PdfDocument(data)
        # Without this the values of form fields are not drawn.
        pdf.init_forms()
        return pdf
    except pdfium.PdfiumError as error:
        raise NotShown("This PDF cannot be opened: it is damaged or encrypted.") from error


def _sheet(pdf: pdfium.PdfDocument, index: int) -> PdfPage:
    width, height = (max(side, 1.0) for side in pdf.get_page_size(index))
    return PdfPage(width, height, tuple(_runs(pdf[index], width, height)))


def _runs(page: pdfium.PdfPage, width: float, height: float) -> Iterator[TextRun]:
    for run in runs_of(page, scale=1)[:_MOST_RUNS]:
        if words := " ".join(run.words.split()):
            left, top = min(each.left for each in run.letters), min(each.top for each in run.letters)
            right, bottom = max(each.right for each in run.letters), max(each.bottom for each in run.letters)
            yield TextRun(
                left / width * 100,
                top / height * 100,
                (right - left) / width * 100,
                (bottom - top) / height * 100,
                words,
            )
