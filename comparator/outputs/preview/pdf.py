"""PDF page by page: a picture of each page with its words laid over it, so that they can be selected and found."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

import pypdfium2 as pdfium

from comparator.outputs.preview.document import NotShown, Preview, Span, shown

PAGES = 40
"""Pages of the document that one page of the preview holds."""

_AT_ONCE = 2
_MOST_RUNS = 4_000
_WIDTH = 1_100
_TALLEST = 3_000


@dataclass(frozen=True, slots=True)
class Run:
    """Some words and where they stand, in hundredths of the page's width and height."""

    left: float
    top: float
    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: its size in points, and its words."""

    width: float
    height: float
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Sheets:
    """Some pages of a document, the number of the first (from 1), and how many there are."""

    first: int
    total: int
    sheets: tuple[Sheet, ...]


def read_sheets(data: bytes, page: int) -> Sheets:
    """Sizes and words of the pages on page `page` of the preview. Raises NotShown."""
    pdf = _open(data)
    try:
        total = len(pdf)
        pages = max(1, -(-total // PAGES))
        first = (min(max(page, 1), pages) - 1) * PAGES
        return Sheets(
            first + 1, total, tuple(_sheet(pdf[n]) for n in range(first, min(first + PAGES, total)))
        )
    finally:
        pdf.close()


def render_pdf(sheets: Sheets) -> Preview:
    """The pages as frames of the right shape; pictures beyond the first are loaded by the pane as they come near."""
    out = []
    for number, sheet in enumerate(sheets.sheets, sheets.first):
        source = "src" if number < sheets.first + _AT_ONCE else "data-src"
        words = "".join(
            f'<span style="left:{run.left:.2f}%;top:{run.top:.2f}%;width:{run.width:.2f}%;height:{run.height:.2f}%;'
            f'font-size:{run.height * sheet.height / sheet.width * 0.84:.3f}cqw">{shown(run.text)}</span>\n'
            for run in sheet.runs
        )
        out.append(
            f'<p class="pageno" data-skip>{number} of {sheets.total}</p>'
            f'<div class="sheet" style="aspect-ratio:{sheet.width:.1f}/{sheet.height:.1f}">'
            f'<img alt="Page {number}" {source}="page/{number}.png"><div class="layer">{words}</div></div>'
        )
    pages = max(1, -(-sheets.total // PAGES))
    span = Span("page", sheets.first, sheets.first + max(len(sheets.sheets), 1) - 1, sheets.total)
    return Preview("".join(out), page=(sheets.first - 1) // PAGES + 1, pages=pages, span=span)


def page_picture(data: bytes, number: int) -> bytes:
    """A PNG picture of the page with this number (from 1), about 1100 pixels wide. Raises NotShown."""
    pdf = _open(data)
    try:
        if not 1 <= number <= len(pdf):
            raise NotShown(f"The document has {len(pdf)} pages.")
        return _picture(pdf[number - 1])
    finally:
        pdf.close()


def find_page(data: bytes, text: str) -> int | None:
    """The page of the preview on which `text` stands, white space apart; None where it stands nowhere."""
    wanted = _plain(text)
    pdf = _open(data)
    try:
        for index in range(len(pdf)):
            textpage = pdf[index].get_textpage()
            if wanted and wanted in _plain(textpage.get_text_bounded()):
                return index // PAGES + 1
    finally:
        pdf.close()
    return None


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _open(data: bytes) -> pdfium.PdfDocument:
    try:
        pdf = pdfium.PdfDocument(data)
        # Without this the values of form fields are not drawn.
        pdf.init_forms()
        return pdf
    except pdfium.PdfiumError as error:
        raise NotShown("This PDF cannot be opened: it is damaged or encrypted.") from error


def _sheet(page: pdfium.PdfPage) -> Sheet:
    width, height = page.get_size()
    width, height = max(width, 1.0), max(height, 1.0)
    textpage = page.get_textpage()
    runs = []
    for index in range(min(textpage.count_rects(), _MOST_RUNS)):
        left, bottom, right, top = textpage.get_rect(index)
        text = textpage.get_text_bounded(left, bottom, right, top).strip()
        if text:
            runs.append(
                Run(
                    left / width * 100,
                    (height - top) / height * 100,
                    (right - left) / width * 100,
                    (top - bottom) / height * 100,
                    " ".join(text.split()),
                )
            )
    return Sheet(width, height, tuple(runs))


def _picture(page: pdfium.PdfPage) -> bytes:
    width, height = page.get_size()
    scale = min(_WIDTH / max(width, 1), _TALLEST / max(height, 1))
    image = page.render(scale=scale).to_pil()
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=3)
    return out.getvalue()
