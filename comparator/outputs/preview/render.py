"""The one way in: from a blinded copy to its preview, by its family, and to the place of a quote in it."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal, NamedTuple

import pypdfium2 as pdfium
from PIL import ImageFont

from comparator.domain.errors import OutputRefused
from comparator.domain.pair.chat import chat_in_json
from comparator.domain.pair.view import Family
from comparator.outputs.extract.images import PLAYED, open_image
from comparator.outputs.member_names import in_words
from comparator.outputs.pages import own_document, runs_of, words_of_pages
from comparator.outputs.preview.document import NotShown, Preview, Span, as_html, message
from comparator.outputs.preview.markdown import is_chat, render_chat, render_markdown, render_notebook
from comparator.outputs.preview.page import render_extracted
from comparator.outputs.preview.sanitise import beside, path_of
from comparator.outputs.preview.tables import ROWS, PageRequest, is_table, render_rows, store_table
from comparator.outputs.preview.text import CODE_WINDOW, page_of, render_code, render_json, render_text
from comparator.outputs.tables.store import MEDIA_TYPE, StoredTable

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


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


def _size(pdf: pdfium.PdfDocument, index: int) -> tuple[float, float]:
    width, height = pdf.get_page_size(index)
    return max(width, 1.0), max(height, 1.0)


def shape_of(width: float, height: float) -> str:
    """The style of a page of this size in points, which is not drawn larger than it is on paper.

    >>> shape_of(90, 45)
    'aspect-ratio:90.0/45.0;max-width:calc(120px * var(--comparator-zoom, 1))'
    """
    widest = min(width / 0.75, 900)
    return f"aspect-ratio:{width:.1f}/{height:.1f};max-width:calc({widest:.0f}px * var(--comparator-zoom, 1))"


def _sheet(pdf: pdfium.PdfDocument, number: int, total: int, is_first: bool) -> str:
    """A page with its words laid over it, each run about in the size at which it fills its place."""
    width, height = _size(pdf, number - 1)
    spans = []
    for run in runs_of(pdf[number - 1], scale=1)[:_MOST_RUNS]:
        if not (words := " ".join(run.words.split())):
            continue
        left, top = min(letter.left for letter in run.letters), min(letter.top for letter in run.letters)
        wide, high = (
            max(letter.right for letter in run.letters) - left,
            max(letter.bottom for letter in run.letters) - top,
        )
        size = min(max(wide / max(_LETTERS.getlength(words) / 1_000, 0.1), 0.4 * high), 1.6 * high)
        spans.append(
            f'<span style="left:{left / width:.2%};top:{top / height:.2%};width:{wide / width:.2%};'
            f'height:{high / height:.2%};--size:{100 * size / width:.3f}cqw">{as_html(words)}</span>\n'
        )
    return (
        f'<p class="pageno" data-skip>{number} of {total}</p>'
        f'<div class="sheet" style="{shape_of(width, height)}">'
        f'<img alt="Page {number}" {"src" if is_first else "data-src"}="page/{number}.png">'
        f'<div class="layer">{"".join(spans)}</div></div>'
    )


def render_image(data: bytes) -> Preview:
    """A PNG, JPEG, GIF or WebP picture. Raises OutputRefused for what is none, or is too large to be drawn."""
    # Only the head is read here; the browser draws the picture.
    image = open_image(data)
    width, height = image.size
    facts = f"{image.format}, {width:,} × {height:,} pixels, {in_words(len(data))}"
    return Preview(
        f'<p class="facts" data-skip>{facts}. Click to enlarge.</p><div class="picture"><div class="zoom">'
        '<input type="checkbox" id="zoom" aria-label="Actual size"><label for="zoom">'
        f'<img alt="The output" src="image" width="{width}" height="{height}"></label></div></div>'
    )


PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"})
NO_SOURCE = "This file has no source text."
_MOST = 8_000_000
"""Characters of one preview, without the pictures that the file itself brings."""

_PICTURE_DATA = re.compile(r"data:[a-z]+/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]+", re.IGNORECASE)
_LANGUAGES = {
    Family.HTML: "html",
    Family.DOCX: "html",
    Family.PPTX: "html",
    Family.SVG: "xml",
    Family.XML: "xml",
    Family.JSON: "json",
    Family.NOTEBOOK: "markdown",
    Family.YAML: "yaml",
    Family.TOML: "toml",
    Family.MARKDOWN: "markdown",
}


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What lies beside a file in the same output."""

    name: str = ""
    """The file's own path."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """From the path of a picture, as `beside` has it, to the address under which we serve it."""

    def resolve(self, address: str) -> str | None:
        """Where what an address in the file names is served; None for what does not lie beside it."""
        return self.pictures.get(beside(self.name, path_of(address)))


def render(
    name: str,
    *,
    family: Family,
    media_type: str,
    data: bytes,
    page: int = 1,
    neighbours: Neighbours | None = None,
) -> Preview:
    """The rendered view of a blinded copy; where there is none, its source with a note that says why.

    The document addresses its own parts relative to itself: `image`, `page/3.png`.
    """
    if not data:
        return Preview(message("This file is empty."))
    if is_text(media_type) and not data.strip():
        return Preview(message("This file holds nothing but blank space."))
    try:
        return _cut_to_size(_render_family(name, family, media_type, data, page, neighbours or Neighbours()))
    except OutputRefused as reason:
        return instead(name, str(reason), media_type=media_type, data=data, page=page)


def instead(name: str, reason: str, *, media_type: str, data: bytes, page: int = 1) -> Preview:
    """What is shown where a file cannot be rendered: the reason, and its text where it has one."""
    if not is_text(media_type) or not data:
        return Preview(message(reason))
    fallback = render_code(name, data, page=page, language="text")
    return fallback._replace(notes=(reason, *fallback.notes))


def source(name: str, *, family: Family, media_type: str, data: bytes, page: int = 1) -> Preview:
    """The blinded copy as it is, as numbered lines."""
    if not data:
        return Preview(message("This file is empty."))
    if not is_text(media_type):
        return Preview(message(NO_SOURCE))
    language = None if family is Family.CODE else _LANGUAGES.get(family, "text")
    return render_code(name, data, page=page, language=language)


def is_played(media_type: str) -> bool:
    """Whether a blinded copy of this type has a player."""
    return media_type == PLAYED


def player(size: int) -> Preview:
    """A player for a WAV file of `size` bytes; it asks for the bytes as it needs them, at `play`."""
    facts = f"WAV, {in_words(size)}. If this browser does not play it, download it."
    return Preview(
        f'<p class="facts" data-skip>{facts}</p><div class="player">'
        '<audio controls preload="metadata" src="play" aria-label="The output"></audio></div>'
    )


def is_text(media_type: str) -> bool:
    """Whether a blinded copy of this type is shown as numbered lines in the source view."""
    return media_type.startswith("text/") or media_type == "image/svg+xml"


def _cut_to_size(preview: Preview) -> Preview:
    if len(preview.body) > _MOST:
        pictures = sum(match.end() - match.start() for match in _PICTURE_DATA.finditer(preview.body))
        if len(preview.body) - pictures > _MOST:
            raise NotShown(f"Not rendered: its preview would be larger than {in_words(_MOST)}.")
    return preview


def _render_family(
    name: str, family: Family, media_type: str, data: bytes, page: int, neighbours: Neighbours
) -> Preview:
    match media_type:
        case "application/pdf":
            return render_pdf(data, page)
        case "image/svg+xml":
            return render_code(name, data, page=page, language="xml")
        case _ if media_type in PICTURES:
            return render_image(data)
        case "text/html" if family is Family.HTML:
            return render_code(name, data, page=page, language="html")
        case "text/html":
            return render_extracted(data, resolve=neighbours.resolve, css=family.value)
        case _ if is_table(family, media_type):
            table = store_table(name, family, data) if media_type == "text/plain" else data
            return render_rows(table, PageRequest(page), family=family)
    if not is_text(media_type):
        raise NotShown(NO_SOURCE)
    match family:
        case Family.MARKDOWN if is_chat(name):
            return render_chat(data, resolve=neighbours.resolve, page=page)
        case Family.MARKDOWN:
            return render_markdown(data, resolve=neighbours.resolve, page=page)
        case Family.NOTEBOOK:
            return render_notebook(data, resolve=neighbours.resolve, page=page)
        case Family.CODE:
            return render_code(name, data, page=page)
        case Family.XML | Family.SVG | Family.HTML:
            return render_code(name, data, page=page, language="xml")
        case Family.JSON if (chat := chat_in_json(data.decode("utf-8", "replace"))) is not None:
            return render_chat(chat.text.encode(), resolve=neighbours.resolve, page=page)
        case Family.JSON:
            return render_json(name, data, page=page)
        case Family.YAML | Family.TOML:
            return render_code(name, data, page=page, language=family.value)
        case _:
            return render_text(data, page=page)


_MOST_WORDS = 80
_UNREAD = re.compile(r"[\W_]+")
_LEAST = 3
"""Letters and digits that a line of a quote needs to be looked for by itself."""


class QuotePlace(NamedTuple):
    """Which of the two views shows the quote, and on which of its pages."""

    mode: Literal["view", "source"]
    page: int
    sheet: int | None = None
    """The sheet of a workbook, counted from 1."""


def locate(text: str, *, family: Family, media_type: str, data: bytes) -> QuotePlace | None:
    """Where `text` stands in a blinded copy, white space apart; None where it is not found.

    Text is found in the source view, whose pages follow its bytes; the words of a PDF and of a table in the view.
    """
    if media_type == "application/pdf":
        wanted = _plain(text)
        pages = (at for at, words in enumerate(words_of_pages(data)) if wanted and wanted in _plain(words))
        return next((QuotePlace("view", at // PAGES + 1) for at in pages), None)
    if media_type == MEDIA_TYPE:
        return _find_rows(text, StoredTable(data), numbered=family is Family.XLSX)
    if not is_text(media_type):
        return None
    words = text.split()[:_MOST_WORDS]
    if not words:
        return None
    match = re.search(rb"\s+".join(re.escape(word.encode("utf-8", "replace")) for word in words), data)
    return None if match is None else QuotePlace("source", page_of(data, match.start(), size=CODE_WINDOW))


def _find_rows(text: str, table: StoredTable, *, numbered: bool) -> QuotePlace | None:
    """The sheet and page whose rows hold the quote. Only letters and digits count: cells stand between bars in it.

    Where `numbered`, a row's number may stand before it, and its names are a row.
    """
    # The whole quote first; then the longest of its lines, for a quote that names its sheet or leaves rows out.
    lines = sorted({_letters(line) for line in text.splitlines()}, key=len, reverse=True)
    quotes = [quote for quote in dict.fromkeys((_letters(text), *lines[:3])) if len(quote) >= _LEAST]
    sheets = []
    for sheet in table.sheets:
        rows = table.rows(sheet, int(sheet.headed and not numbered))
        sheets.append([_letters(" ".join(row)) for row in rows["cells"].to_pylist()])
    for quote in quotes:
        for number, words in enumerate(sheets, 1):
            for own in ([f"{n}{row}" for n, row in enumerate(words, 1)], words) if numbered else (words,):
                at = "".join(own).find(quote)
                if at >= 0:
                    ends = list(accumulate(map(len, own)))
                    return QuotePlace("view", bisect_right(ends, at) // ROWS + 1, number)
    return None


def _letters(text: str) -> str:
    return _UNREAD.sub("", text).lower()
