"""PDF page by page: a picture of each page with its words laid over it, so that they can be selected and found."""

from __future__ import annotations

import ctypes
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from comparator.outputs.pages import runs_of, words_of_pages
from comparator.outputs.preview.document import NotShown, Preview, Span, shown

PAGES = 40
"""Pages of the document that one page of the preview holds."""

_AT_ONCE = 1
"""How many pages come with their picture and words at once; the pane asks for those of the others afterwards."""

_MOST_RUNS = 4_000
_WIDTH = 1_100
_TALLEST = 3_000


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


@dataclass(frozen=True, slots=True)
class Sheets:
    """Some pages of a document, the number of the first (from 1), and how many there are."""

    first: int
    total: int
    sheets: tuple[PdfPage, ...]


def read_sheets(data: bytes, page: int) -> Sheets:
    """Sizes of the pages on page `page` of the preview, and the words of the first of them. Raises NotShown."""
    with _open(data) as pdf:
        span, total = _pages(len(pdf), page), len(pdf)
        sheets = (_sheet(pdf, n, worded=n < span.start + _AT_ONCE) for n in span)
        return Sheets(span.start + 1, total, tuple(sheets))


def read_words(data: bytes, page: int) -> bytes:
    """The pages of page `page` of the preview that came without words: JSON of numbers and layers. Raises NotShown."""
    with _open(data) as pdf:
        span = _pages(len(pdf), page)
        layers = [(n + 1, _layer(_sheet(pdf, n, worded=True))) for n in span[_AT_ONCE:]]
        return json.dumps(layers).encode("utf-8", "replace")


def all_sheets(data: bytes) -> list[PdfPage]:
    """Sizes and words of all pages. Raises NotShown."""
    with _open(data) as pdf:
        return [_sheet(pdf, n, worded=True) for n in range(len(pdf))]


def render_pdf(sheets: Sheets) -> Preview:
    """The pages as frames of the right shape; pictures beyond the first are loaded by the pane as they come near."""
    out = []
    for number, sheet in enumerate(sheets.sheets, sheets.first):
        now = number < sheets.first + _AT_ONCE
        layer = (
            f'<div class="layer">{_layer(sheet)}</div>'
            if now
            else f'<div class="layer" data-words="{number}"></div>'
        )
        out.append(
            f'<p class="pageno" data-skip>{number} of {sheets.total}</p>'
            f'<div class="sheet" style="aspect-ratio:{sheet.width:.1f}/{sheet.height:.1f}">'
            f'<img alt="Page {number}" {"src" if now else "data-src"}="page/{number}.png">{layer}</div>'
        )
    pages = max(1, -(-sheets.total // PAGES))
    span = Span("page", sheets.first, sheets.first + max(len(sheets.sheets), 1) - 1, sheets.total)
    return Preview("".join(out), page=(sheets.first - 1) // PAGES + 1, pages=pages, span=span)


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


def page_picture(data: bytes, number: int) -> bytes:
    """A PNG picture of the page with this number (from 1), about 1100 pixels wide. Raises NotShown."""
    with _open(data) as pdf:
        if not 1 <= number <= len(pdf):
            raise NotShown(f"The document has {len(pdf)} pages.")
        return _picture(pdf[number - 1])


def find_page(data: bytes, text: str) -> int | None:
    """The page of the preview on which `text` stands, white space and case apart; None where it stands nowhere."""
    wanted = _plain(text)
    pages = (index for index, words in enumerate(words_of_pages(data)) if wanted and wanted in _plain(words))
    return next((index // PAGES + 1 for index in pages), None)


def _pages(total: int, page: int) -> range:
    """The pages of the document, counted from 0, on page `page` of the preview."""
    first = (min(max(page, 1), max(1, -(-total // PAGES))) - 1) * PAGES
    return range(first, min(first + PAGES, total))


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


def _sheet(pdf: pdfium.PdfDocument, index: int, *, worded: bool) -> PdfPage:
    # Its size alone does not need the page to be read.
    width, height = pdf.get_page_size(index)
    width, height = max(width, 1.0), max(height, 1.0)
    return PdfPage(width, height, tuple(_runs(pdf[index], width, height)) if worded else ())


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


def _picture(page: pdfium.PdfPage) -> bytes:
    width, height = page.get_size()
    scale = min(_WIDTH / max(width, 1), _TALLEST / max(height, 1))
    image = page.render(scale=scale).to_pil()
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()
