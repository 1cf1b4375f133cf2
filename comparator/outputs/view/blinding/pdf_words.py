"""Words replaced inside the pages of a rebuilt PDF, in the reading child; refused where a page would not look the same.

A text object that holds a word to be replaced is taken out of the page and set anew, with the other words of it, in a
standard font of the same size, colour and place.
"""

from __future__ import annotations

import ctypes
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import ImageChops, ImageDraw

from comparator.outputs.child.extraction import ReadLimits, Unreadable
from comparator.outputs.child.frames import Frame, unpacked
from comparator.outputs.extract.pdf.forms import without_forms
from comparator.outputs.extract.pdf.read import read
from comparator.outputs.extract.pdf.rebuild import stripped
from comparator.outputs.view.blinding.names_in_bytes import words_in_bytes
from comparator.outputs.view.blinding.redacting import Redactor

_STYLES = {
    "Courier": ("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
    "Times": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    "Helvetica": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
}
_FIXED, _SERIF, _ITALIC, _FORCE_BOLD = 1, 2, 64, 1 << 18
_BOLD = 600
_NARROWEST = 0.5
"""How far words may be narrowed to fit where the others stood."""
_HIDDEN = 3
_AROUND = 3
"""Points around replaced words in which a page may look otherwise."""
_DIFFERS, _MOST_DIFFERENT = 48, 0.0005
_HYPHENS = {0x02: "-", 0xFFFE: "-", 0x00: ""}
_LONGEST = 200_000
_HEX = re.compile(rb"<([0-9A-Fa-f\s]{6,})>")


def answer(body: bytes) -> Iterator[Frame]:
    """The PDF without the words that a packed question's rules replace. Raises Unreadable where that cannot be done."""
    question, data = unpacked(body)
    redactor = Redactor.of(question["rules"])
    yield Frame({"kind": "document"}, replaced(data, redactor, ReadLimits.of(question["limits"])))
    yield Frame({"kind": "done"})


def replaced(data: bytes, redactor: Redactor, limits: ReadLimits) -> bytes:
    """A rebuilt PDF with its words rewritten. Raises Unreadable where a word stays or a page would look otherwise."""
    try:
        return _replaced(data, redactor, limits, given=data)
    except Unreadable:
        flat = without_forms(data)
        if flat is None:
            raise
        return _replaced(flat, redactor, limits, given=data)


def _replaced(data: bytes, redactor: Redactor, limits: ReadLimits, *, given: bytes) -> bytes:
    with pypdfium2.PdfDocument(given) as before, pypdfium2.PdfDocument(data) as pdf:
        boxes = [_rewritten(pdf, pdf[number], redactor) for number in range(len(pdf))]
        out = io.BytesIO()
        pdf.save(out)
        document = stripped(out.getvalue())
        with pypdfium2.PdfDocument(document) as after:
            for number, places in enumerate(boxes):
                if (places or data is not given) and not _looks_alike(before[number], after[number], places):
                    raise Unreadable("A page would look otherwise.")
    if _tells(document, redactor, limits):
        raise Unreadable("A word cannot be replaced in its pages.")
    return document


def _tells(document: bytes, redactor: Redactor, limits: ReadLimits) -> bool:
    """Whether a word that is to be replaced is left in the text of the pages, or in any of their streams."""
    text = read(document, limits).text
    # A replacement that is itself looked for stays wherever it stands.
    stays = redactor.changes(redactor.text(text))
    readings = (text, text.replace("-\n", ""), text.replace("\n", ""))
    if not stays and any(redactor.changes(each) for each in readings):
        return True
    return any(redactor.names_in(words) for words in _in_streams(document))


def _in_streams(document: bytes) -> Iterator[str]:
    """What words the unpacked streams of a PDF hold as bytes, also where they are written as hexadecimal numbers."""
    with pikepdf.open(io.BytesIO(document)) as pdf:
        for stream in (each for each in pdf.objects if isinstance(each, pikepdf.Stream)):
            try:
                unpacked_bytes = stream.read_bytes()
            except pikepdf.PdfError:
                unpacked_bytes = stream.read_raw_bytes()
            yield from words_in_bytes(unpacked_bytes)
            for match in _HEX.finditer(unpacked_bytes):
                digits = b"".join(match[1].split())
                yield from words_in_bytes(bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii")))


_Box = tuple[float, float, float, float]
_Drawn = Any  # A handle of PDFium's.


@dataclass(slots=True)
class _Piece:
    """Letters that stand next to each other and are drawn by one text object; `at` is None for a gap or line's end."""

    at: int | None
    letters: list[str] = field(default_factory=list)


def _rewritten(pdf: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, redactor: Redactor) -> list[_Box]:
    """Set anew what holds a word to be replaced; the boxes in which the page was changed, in its own units."""
    textpage = page.get_textpage()
    pieces = _pieces(textpage)
    before = ["".join(piece.letters) for piece in pieces]
    after = redactor.pieces(before)
    if before == after:
        return []
    whole: dict[int, list[str]] = {}
    concerned = set()
    for piece, old, new in zip(pieces, before, after, strict=True):
        if piece.at is not None:
            whole.setdefault(piece.at, []).append(new)
            concerned |= {piece.at} if old != new else set()
    textpage.close()
    places = {_address(page_object): index for index, page_object in enumerate(_objects(page))}
    if not concerned <= places.keys():
        raise Unreadable("A word stands in a part of a page that is drawn as a whole.")
    follow = _followed_by(
        list(whole), concerned, {each for each in whole if not "".join(whole[each]).strip()}
    )
    objects = {address: pdfium.FPDFPage_GetObject(page, places[address]) for address in concerned}
    boxes = [_bounds(each) for each in objects.values()]
    rooms = {
        address: max(_bounds(objects[each])[2] for each in (address, *follow[address]))
        for address in concerned
    }
    for address in sorted(concerned, key=lambda each: -places[each]):
        index = places[address]
        old_object = objects[address]
        new_object = _set_anew(pdf, old_object, "".join(whole[address]), until=rooms[address])
        pdfium.FPDFPage_RemoveObject(page, old_object)
        if new_object is not None:
            pdfium.FPDFPage_InsertObjectAtIndex(page, new_object, index)
            boxes.append(_bounds(new_object))
        pdfium.FPDFPageObj_Destroy(old_object)
    if not pdfium.FPDFPage_GenerateContent(page):
        raise Unreadable("A page cannot be rewritten.")
    return boxes


def _followed_by(order: list[int], concerned: set[int], empty: set[int]) -> dict[int, list[int]]:
    """For each text object, those right behind it of which nothing is left: their room is its own."""
    follow: dict[int, list[int]] = {}
    last = 0
    for address in order:
        if address not in concerned:
            last = 0
        elif address in empty and last:
            follow[last].append(address)
            follow[address] = []
        else:
            follow[last := address] = []
    return follow


def _pieces(textpage: pypdfium2.PdfTextPage) -> list[_Piece]:
    pieces: list[_Piece] = []
    count = textpage.count_chars()
    if count > _LONGEST:
        raise Unreadable("A page holds too many words.")
    for index in range(count):
        code = pdfium.FPDFText_GetUnicode(textpage, index)
        drawn = pdfium.FPDFText_GetTextObject(textpage, index)
        at = None if pdfium.FPDFText_IsGenerated(textpage, index) == 1 or not drawn else _address(drawn)
        if not pieces or pieces[-1].at != at:
            pieces.append(_Piece(at))
        letter = _HYPHENS.get(code, chr(code) if code < 0x110000 else "")
        pieces[-1].letters.append("\n" if letter == "\r" else letter)
    return pieces


def _objects(page: pypdfium2.PdfPage) -> Iterator[_Drawn]:
    return (pdfium.FPDFPage_GetObject(page, index) for index in range(pdfium.FPDFPage_CountObjects(page)))


def _address(page_object: _Drawn) -> int:
    return ctypes.cast(page_object, ctypes.c_void_p).value or 0


def _bounds(page_object: _Drawn) -> _Box:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(page_object, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def _set_anew(pdf: pypdfium2.PdfDocument, old: _Drawn, words: str, *, until: float) -> _Drawn | None:
    """A text object with these words that looks like the old one; None where none are left.

    `until` is how far to the right there is room for words that run from left to right.
    """
    if not words.strip():
        return None
    words = " ".join(words.split("\n"))
    try:
        words.encode("cp1252")
    except UnicodeEncodeError as error:
        raise Unreadable("Its words are in letters that no standard font has.") from error
    size, matrix = ctypes.c_float(), pdfium.FS_MATRIX()
    colour = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFTextObj_GetFontSize(old, size)
    pdfium.FPDFPageObj_GetMatrix(old, matrix)
    pdfium.FPDFPageObj_GetFillColor(old, *colour)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(old)
    new = pdfium.FPDFPageObj_NewTextObj(pdf, _font_like(old).encode(), size)
    encoded = (words + "\0").encode("utf-16-le")
    buffer = ctypes.create_string_buffer(encoded, len(encoded))
    if not new or not pdfium.FPDFText_SetText(new, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))):
        raise Unreadable("A word cannot be typeset again.")
    pdfium.FPDFPageObj_SetFillColor(new, *colour)
    if mode == _HIDDEN:
        pdfium.FPDFTextObj_SetTextRenderMode(new, mode)
    left, _, right, _ = _bounds(old)
    more = (until - left) / (right - left) if matrix.b == matrix.c == 0 and until > right > left else 1.0
    narrower = _fitting(old, new, more=more)
    matrix.a, matrix.b = matrix.a * narrower, matrix.b * narrower
    pdfium.FPDFPageObj_SetMatrix(new, matrix)
    return new


def _fitting(old: _Drawn, new: _Drawn, *, more: float) -> float:
    """How much narrower the new words are drawn to fit where the old ones stood, `more` times as wide. Raises
    Unreadable."""
    straight = pdfium.FS_MATRIX(1, 0, 0, 1, 0, 0)
    pdfium.FPDFPageObj_SetMatrix(old, straight)
    room, wanted = (box[2] - box[0] for box in (_bounds(old), _bounds(new)))
    room *= more
    if wanted <= 0 or room <= 0:
        return 1.0
    if room / wanted < _NARROWEST:
        raise Unreadable("A word has no room on its page.")
    return min(1.0, room / wanted)


def _font_like(text: _Drawn) -> str:
    font = pdfium.FPDFTextObj_GetFont(text)
    flags = pdfium.FPDFFont_GetFlags(font)
    name = ctypes.create_string_buffer(200)
    pdfium.FPDFFont_GetBaseFontName(font, name, len(name))
    called = name.value.decode("latin-1").casefold()
    bold = flags & _FORCE_BOLD or pdfium.FPDFFont_GetWeight(font) >= _BOLD or "bold" in called
    italic = flags & _ITALIC or "italic" in called or "oblique" in called
    serif = (flags & _SERIF or "times" in called or "serif" in called) and "sans" not in called
    family = (
        "Courier"
        if flags & _FIXED or "mono" in called or "courier" in called
        else "Times"
        if serif
        else "Helvetica"
    )
    return _STYLES[family][(1 if bold else 0) + (2 if italic else 0)]


def _looks_alike(before: pypdfium2.PdfPage, after: pypdfium2.PdfPage, boxes: list[_Box]) -> bool:
    """Whether two pages look the same outside of the boxes."""
    pictures = []
    for page in (before, after):
        picture = page.render(scale=1).to_pil().convert("L")
        draw = ImageDraw.Draw(picture)
        for left, bottom, right, top in boxes:
            corners = [_on_picture(before, x, y, picture.size) for x in (left, right) for y in (bottom, top)]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            draw.rectangle(
                (min(xs) - _AROUND, min(ys) - _AROUND, max(xs) + _AROUND, max(ys) + _AROUND), fill=0
            )
        pictures.append(picture)
    if pictures[0].size != pictures[1].size:
        return False
    changed = ImageChops.difference(*pictures).point([0] * _DIFFERS + [255] * (256 - _DIFFERS))
    share = changed.histogram()[255] / (changed.width * changed.height)
    return share <= _MOST_DIFFERENT


def _on_picture(page: pypdfium2.PdfPage, x: float, y: float, size: tuple[int, int]) -> tuple[int, int]:
    column, row = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, *size, 0, x, y, column, row)
    return column.value, row.value
