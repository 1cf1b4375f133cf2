"""PDF page by page: a picture of each page with its words laid over it, so that they can be selected and found."""

from __future__ import annotations

import re

import pypdfium2 as pdfium
from PIL import ImageFont

from comparator.outputs.pages import own_document, runs_of, words_of_pages
from comparator.outputs.preview.document import Preview, Span, shown

PAGES = 20
"""Pages of the document that one page of the preview holds."""
_MOST_RUNS = 4_000
_LETTERS = ImageFont.load_default(1_000)
"""Letters about as wide as those that the browser has."""


def page_sizes(data: bytes) -> list[tuple[float, float]]:
    """Widths and heights of all pages, in points. Raises NoPages."""
    with own_document(data) as pdf:
        return [_size(pdf, number) for number in range(len(pdf))]


def render_pdf(data: bytes, page: int) -> Preview:
    """The pages as frames of the right shape with their words; pictures beyond the first are loaded as they come near.

    Raises NoPages.
    """
    with own_document(data) as pdf:
        total = len(pdf)
        pages = max(1, -(-total // PAGES))
        page = min(max(page, 1), pages)
        first, last = (page - 1) * PAGES + 1, min(page * PAGES, total)
        body = "".join(_sheet(pdf, number, total, number == first) for number in range(first, last + 1))
    return Preview(body, page=page, pages=pages, span=Span("page", first, max(last, first), total))


def find_page(data: bytes, text: str) -> int | None:
    """The page of the preview on which `text` stands, white space and case apart; None where it stands nowhere."""
    wanted = _plain(text)
    pages = (index for index, words in enumerate(words_of_pages(data)) if wanted and wanted in _plain(words))
    return next((index // PAGES + 1 for index in pages), None)


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


def _size(pdf: pdfium.PdfDocument, index: int) -> tuple[float, float]:
    width, height = pdf.get_page_size(index)
    return max(width, 1.0), max(height, 1.0)


def _sheet(pdf: pdfium.PdfDocument, number: int, total: int, is_first: bool) -> str:
    """A page with its words laid over it, each run about in the size at which it fills its place."""
    width, height = _size(pdf, number - 1)
    spans = []
    for run in runs_of(pdf[number - 1], scale=1)[:_MOST_RUNS]:
        if not (words := " ".join(run.words.split())):
            continue
        left, top = min(each.left for each in run.letters), min(each.top for each in run.letters)
        wide, high = (
            max(each.right for each in run.letters) - left,
            max(each.bottom for each in run.letters) - top,
        )
        size = min(max(wide / max(_LETTERS.getlength(words) / 1_000, 0.1), 0.4 * high), 1.6 * high)
        spans.append(
            f'<span style="left:{left / width:.2%};top:{top / height:.2%};width:{wide / width:.2%};'
            f'height:{high / height:.2%};--size:{100 * size / width:.3f}cqw">{shown(words)}</span>\n'
        )
    return (
        f'<p class="pageno" data-skip>{number} of {total}</p>'
        f'<div class="sheet" style="aspect-ratio:{width:.1f}/{height:.1f}">'
        f'<img alt="Page {number}" {"src" if is_first else "data-src"}="page/{number}.png">'
        f'<div class="layer">{"".join(spans)}</div></div>'
    )
