"""PDF: filled values drawn onto the pages, the pages taken over into a new document, and their text."""

from __future__ import annotations

import io

import pypdfium2
import pypdfium2.raw as pypdfium2_raw

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.child.extraction import Copy, Extraction, ReadLimits, Unreadable
from comparator.outputs.extract.pdf.rebuild import stripped

_PASSWORD = 4
_UNSUPPORTED_SECURITY = 5
_MOST_PIECES = 20_000


def read(data: bytes, limits: ReadLimits) -> Extraction:
    """The PDF rebuilt, and its text with a line for each page."""
    try:
        with pypdfium2.PdfDocument(data) as source:
            return _read(source, limits)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in (_PASSWORD, _UNSUPPORTED_SECURITY):
            raise Unreadable("The PDF is encrypted. Give it without a password to have it read.") from error
        raise Unreadable("The PDF is damaged and cannot be read.") from error


def _read(source: pypdfium2.PdfDocument, limits: ReadLimits) -> Extraction:
    count = len(source)
    taken = min(count, limits.pages)
    if count == 0:
        raise Unreadable("The PDF has no pages.")
    form = source.get_formtype() != pypdfium2_raw.FORMTYPE_NONE
    if form:
        source.init_forms()
    for index in range(taken):
        page = source[index]
        # The helper of this name refuses documents without a form, but their notes and stamps are drawn as well.
        pypdfium2_raw.FPDFPage_Flatten(page, pypdfium2_raw.FLAT_NORMALDISPLAY)
        page.close()
    rebuilt = pypdfium2.PdfDocument.new()
    rebuilt.import_pages(source, pages=list(range(taken)))
    output = io.BytesIO()
    rebuilt.save(output)
    rebuilt.close()
    document = stripped(output.getvalue())
    text, wordless = _text_of(document, by_place=form)
    notes = []
    if count > taken:
        text += f"\n[… {count - taken:,} pages left out here …]\n"
        notes.append(NoteKind.FIRST_PAGES_READ.text(total=count, read=taken))
    if wordless:
        pages = ", ".join(str(number) for number in wordless[:20]) + (
            " and more" if len(wordless) > 20 else ""
        )
        notes.append(f"No words can be read on page {pages}: a scan, a drawing or an empty page.")
    return Extraction(
        text=text,
        document=document,
        pages=taken,
        copy=Copy("application/pdf", document),
        wordless=bool(wordless) or b"/Subtype /Image" in document,
        notes=tuple(notes),
    )


def _text_of(document: bytes, *, by_place: bool) -> tuple[str, tuple[int, ...]]:
    """The text of all pages, and the numbers of those without any."""
    parts: list[str] = []
    wordless: list[int] = []
    with pypdfium2.PdfDocument(document) as rebuilt:
        for index in range(len(rebuilt)):
            page = rebuilt[index]
            textpage = page.get_textpage()
            words = _words_by_place(textpage) if by_place else textpage.get_text_bounded()
            words = words.replace("\r\n", "\n").replace("\x02", "-").replace("\ufffe", "-").replace("\0", "")
            textpage.close()
            page.close()
            if not words.strip():
                wordless.append(index + 1)
            parts.append(f"[page {index + 1}]\n{words.strip()}\n")
    return "\n".join(parts), tuple(wordless)


def _words_by_place(textpage: pypdfium2.PdfTextPage) -> str:
    """Line by line from the top: in a form, values were drawn after all labels, but belong beside them."""
    pieces = []
    for index in range(min(textpage.count_rects(), _MOST_PIECES)):
        left, bottom, right, top = textpage.get_rect(index)
        words = textpage.get_text_bounded(left, bottom, right, top).strip()
        pieces.append(((bottom + top) / 2, left, max(top - bottom, 1.0), words))
    pieces.sort(key=lambda piece: -piece[0])
    lines: list[list[tuple[float, float, float, str]]] = []
    for piece in pieces:
        if lines and abs(lines[-1][0][0] - piece[0]) < 0.5 * max(lines[-1][0][2], piece[2]):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return "\n".join("  ".join(piece[3] for piece in sorted(line, key=lambda p: p[1])) for line in lines)
