"""Pages of a PDF as PDFium draws them: pictures, and the words with their places on the picture."""

import contextlib
import ctypes
import io
import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from pikepdf import Dictionary, Name
from PIL import Image

from comparator.domain.errors import OutputRefused
from comparator.outputs.extract.images import encoded, in_few_colours

_PASSWORD, _UNSUPPORTED_SECURITY = 4, 5
_SPOKEN = "/ActualText"
_NOT_DRAWN = {"/Width", "/Length1", "/Length2", "/Length3", "/FunctionType", "/N"}
"""Entries that only streams without words have: pictures, fonts, functions and colours."""
_LONGEST = 200_000
"""Letters of one page that are read."""
_HYPHENS = (0x02, 0xFFFE)
"""What PDFium gives for a hyphen at which a line ends."""
_FINE = 10_000
"""Steps to a page's side in which places on it are told."""
_GAP = 1.0
"""Line heights between two words that stand in different columns."""
_UNICODE = "".join(
    f"{count} beginbfrange\n"
    + "".join(f"<{high:02X}00> <{high:02X}FF> <{high:02X}00>\n" for high in range(first, first + count))
    + "endbfrange\n"
    for first, count in ((0, 100), (100, 100), (200, 56))
)


class NoPages(OutputRefused):
    """A PDF cannot be opened; the message is a plain sentence."""


class Letter(NamedTuple):
    """One letter: the box of what is drawn of it, and the middle and size of its place in the line; in pixels."""

    left: float
    top: float
    right: float
    bottom: float
    x: float
    y: float
    height: float
    width: float


@dataclass(slots=True)
class Run:
    """Words of one line that stand together; `angle` is how far they are turned, clockwise in radians."""

    words: str = ""
    letters: list[Letter] = field(default_factory=list)
    angle: float = 0.0
    ends_line: bool = False


def opened(data: bytes) -> pypdfium2.PdfDocument:
    """A PDF, of which only words that are drawn are read. Raises NoPages."""
    with contextlib.suppress(pikepdf.PdfError, pikepdf.PasswordError):
        data = _drop_spoken_words(data)
    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in (_PASSWORD, _UNSUPPORTED_SECURITY):
            raise NoPages("The PDF is encrypted. Give it without a password to have it read.") from error
        raise NoPages("The PDF is damaged and cannot be read.") from error
    if len(pdf) == 0:
        raise NoPages("The PDF has no pages.")
    return pdf


def _drop_spoken_words(data: bytes) -> bytes:
    """The PDF without what a screen reader would say in place of words that are drawn, which PDFium would read."""
    changed = False
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for part in pdf.objects:
            if isinstance(part, Dictionary | pikepdf.Stream) and _SPOKEN in part:
                del part[_SPOKEN]
                changed = True
            if (
                isinstance(part, pikepdf.Stream)
                and part.get("/Type") != Name.Metadata
                and not part.keys() & _NOT_DRAWN
            ):
                instructions = part.read_bytes()
                if _SPOKEN.encode() in instructions:
                    part.write(instructions.replace(_SPOKEN.encode(), b"/Unspoken"))
                    changed = True
        if not changed:
            return data
        out = io.BytesIO()
        pdf.save(out)
        return out.getvalue()


def picture_of(page: pypdfium2.PdfPage, *, scale: float) -> Image.Image:
    """What a page looks like, at `scale` pixels a point."""
    image: Image.Image = page.render(scale=scale, rev_byteorder=True).to_pil()
    return image.convert("RGB")


def runs_of(page: pypdfium2.PdfPage, *, scale: float) -> list[Run]:
    """The words of a page with their places on its picture, in the order in which they are drawn."""
    textpage = page.get_textpage()
    place = _placing(page, scale)
    runs: list[Run] = []
    gap = line_ended = True
    box, loose = [ctypes.c_double() for _ in range(4)], pdfium.FS_RECTF()
    for index in range(min(textpage.count_chars(), _LONGEST)):
        code = pdfium.FPDFText_GetUnicode(textpage, index)
        letter = "-" if code in _HYPHENS else chr(code)
        if letter.isspace() or not code:
            gap |= bool(code)
            line_ended |= letter == "\n"
            continue
        left, right, bottom, top = box
        pdfium.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
        pdfium.FPDFText_GetLooseCharBox(textpage, index, loose)
        xs, ys = zip(place(left.value, bottom.value), place(right.value, top.value), strict=True)
        (x1, y1), (x2, y2) = place(loose.left, loose.bottom), place(loose.right, loose.top)
        angle = pdfium.FPDFText_GetCharAngle(textpage, index)
        height = abs(y2 - y1) if abs(math.cos(angle)) > 0.7 else abs(x2 - x1)
        glyph = Letter(min(xs), min(ys), max(xs), max(ys), (x1 + x2) / 2, (y1 + y2) / 2, height, abs(x2 - x1))
        last = runs[-1] if runs else None
        if last is None or line_ended or (gap and _are_apart(last.letters[-1], glyph)):
            if last is not None:
                last.ends_line = line_ended
            runs.append(last := Run(angle=angle))
        elif gap:
            last.words += " "
            last.letters.append(last.letters[-1]._replace(left=last.letters[-1].right))
        last.words += letter
        last.letters.append(glyph)
        gap = line_ended = code in _HYPHENS
    textpage.close()
    return runs


def _are_apart(before: Letter, after: Letter) -> bool:
    between = max(after.left - before.right, before.left - after.right, after.top - before.bottom)
    return between > _GAP * max(before.height, 1.0)


def _placing(page: pypdfium2.PdfPage, scale: float) -> Callable[[float, float], tuple[float, float]]:
    """Tells where a place on the page lies on its picture, whichever way the page is turned or cut."""
    width, height = page.get_size()
    column, row = ctypes.c_int(), ctypes.c_int()

    def device(x: float, y: float) -> tuple[float, float]:
        pdfium.FPDF_PageToDevice(page, 0, 0, _FINE, _FINE, 0, x, y, column, row)
        return column.value / _FINE * width * scale, row.value / _FINE * height * scale

    return device


class PictureBook:
    """A PDF of pictures with their words over them, which can be marked and searched but are not drawn."""

    def __init__(self) -> None:
        self._pdf = pikepdf.new()
        words = Name("/Words")
        descriptor = Dictionary(
            Type=Name.FontDescriptor, FontName=words, Flags=4, FontBBox=[0, -200, 500, 800], Ascent=800,
            Descent=-200, CapHeight=800, ItalicAngle=0, StemV=80,
        )  # fmt: skip
        letters = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=words, CIDToGIDMap=Name.Identity, DW=500,
            CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
            FontDescriptor=descriptor,
        )  # fmt: skip
        unicode = (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Words def /CMapType 2 def\n"
            f"1 begincodespacerange <0000> <FFFF> endcodespacerange\n{_UNICODE}endcmap end end"
        )
        self._font = self._pdf.make_indirect(
            Dictionary(
                Type=Name.Font,
                Subtype=Name.Type0,
                BaseFont=words,
                Encoding=Name("/Identity-H"),
                ToUnicode=self._pdf.make_stream(unicode.encode()),
                DescendantFonts=[letters],
            )
        )

    def add(self, image: Image.Image, runs: Sequence[Run], *, scale: float) -> None:
        """A page with this picture, of `scale` pixels a point."""
        width, height = image.width / scale, image.height / scale
        page = self._pdf.add_blank_page(page_size=(width, height))
        page.Resources = Dictionary(Font=Dictionary(F=self._font), XObject=Dictionary(P=self._image(image)))
        drawn = [f"q {width:.2f} 0 0 {height:.2f} 0 0 cm /P Do Q BT 3 Tr"]
        drawn += [_words_in_place(run, scale, height) for run in runs if run.words.strip()]
        page.Contents = self._pdf.make_stream("\n".join([*drawn, "ET"]).encode())

    def saved(self) -> bytes:
        """The bytes of the document."""
        return _saved(self._pdf)

    def _image(self, image: Image.Image) -> pikepdf.Object:
        few = in_few_colours(image)
        stream = self._pdf.make_stream(zlib.compress(few.tobytes(), 3) if few else encoded(image).data)
        stream.stream_dict = Dictionary(
            Type=Name.XObject, Subtype=Name.Image, Width=image.width, Height=image.height, BitsPerComponent=8,
            ColorSpace=Name.DeviceGray if few and few.mode == "L" else Name.DeviceRGB,
            Filter=Name.FlateDecode if few else Name.DCTDecode,
        )  # fmt: skip
        return stream


@contextlib.contextmanager
def own_document(data: bytes) -> Iterator[pypdfium2.PdfDocument]:
    """A document of ours: pictures of pages with their words. Raises NoPages."""
    try:
        with pypdfium2.PdfDocument(data) as pdf:
            yield pdf
    except pypdfium2.PdfiumError as error:
        raise NoPages("This PDF cannot be opened: it is damaged or encrypted.") from error


def words_of_pages(document: bytes) -> list[str]:
    """The words of each page of a document of ours. Raises NoPages."""
    with own_document(document) as pdf:
        texts = [page.get_textpage().get_text_bounded() for page in pdf]
    return [
        text.replace("\r\n", "\n").replace("\x02", "-").replace("\ufffe", "-").replace("\0", "").strip()
        for text in texts
    ]


def first_pages(document: bytes, most: int) -> bytes:
    """The first pages of a document of ours."""
    with pikepdf.open(io.BytesIO(document)) as pdf:
        del pdf.pages[most:]
        pdf.remove_unreferenced_resources()
        return _saved(pdf)


def _saved(pdf: pikepdf.Pdf) -> bytes:
    """The bytes of a document: the same for the same pages."""
    out = io.BytesIO()
    pdf.save(
        out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable, compress_streams=True
    )
    return out.getvalue()


def _words_in_place(run: Run, scale: float, height: float) -> str:
    """The instructions that set words over the place where they are seen."""
    codes = run.words.encode("utf-16-be", "replace")
    x, y, length, size = (value / scale for value in middle(run.letters))
    size = max(size, 1.0)
    cos, sin = math.cos(run.angle), -math.sin(run.angle)
    across = length / (len(codes) / 4 * size) * 100
    left = x - length / 2 * cos + 0.3 * size * sin
    bottom = height - y - length / 2 * sin - 0.3 * size * cos
    return (
        f"/F {size:.2f} Tf {across:.2f} Tz {cos:.4f} {sin:.4f} {-sin:.4f} {cos:.4f} {left:.2f} {bottom:.2f} Tm "
        f"<{codes.hex()}> Tj"
    )


def middle(letters: Sequence[Letter]) -> tuple[float, float, float, float]:
    """Where letters stand: the middle of them (across, down), their length along the line and their height."""
    first, last = letters[0], letters[-1]
    left = min(letter.x - letter.width / 2 for letter in letters)
    right = max(letter.x + letter.width / 2 for letter in letters)
    height = max(letter.height for letter in letters)
    if abs(last.y - first.y) < height / 2:
        return (left + right) / 2, first.y, max(right - left, 1.0), height
    y = (min(letter.top for letter in letters) + max(letter.bottom for letter in letters)) / 2
    return (left + right) / 2, y, math.dist((first.x, first.y), (last.x, last.y)) + height / 2, height
