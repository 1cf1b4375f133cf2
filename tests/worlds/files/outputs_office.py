"""Small Office files for tests, made by hand or by the libraries that people use."""

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import openpyxl
import pyarrow
import pyarrow.parquet
from openpyxl.comments import Comment
from pptx import Presentation
from pptx.util import Inches

from tests.worlds.files.outputs import zipped

WORDS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Default Extension="jpg" ContentType="image/jpeg"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def drawing(blip: str, *, about: str = 'name="p"', named: str = 'id="0" name="p"') -> str:
    """A paragraph with a picture; `about` and `named` are attributes of the drawing and of its picture."""
    schemas = "http://schemas.openxmlformats.org/drawingml/2006"
    return (
        f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{schemas}/wordprocessingDrawing">'
        f'<wp:extent cx="2000000" cy="2000000"/><wp:docPr id="1" {about}/><a:graphic xmlns:a="{schemas}/main">'
        f'<a:graphicData uri="{schemas}/picture"><pic:pic xmlns:pic="{schemas}/picture"><pic:nvPicPr>'
        f"<pic:cNvPr {named}/><pic:cNvPicPr/></pic:nvPicPr>"
        f"<pic:blipFill><a:blip {blip}/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>"
        '<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"/>'
        "</pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )


def field(instruction: str, shown: str = "old") -> str:
    """A paragraph with a field of several runs, which shows `shown`."""
    return (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> {instruction} </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>{shown}</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    )


def changed(
    package: bytes, changes: Mapping[str, tuple[str, str]], extra: Mapping[str, str] | None = None
) -> bytes:
    """A package with a replacement in some of its parts, and with further parts."""
    with zipfile.ZipFile(io.BytesIO(package)) as source:
        members: dict[str, bytes | str] = {name: source.read(name) for name in source.namelist()}
    for name, (old, new) in changes.items():
        before = members[name]
        after = (before.decode() if isinstance(before, bytes) else before).replace(old, new, 1)
        assert after != before
        members[name] = after
    return zipped({**members, **(extra or {})})


def docx(
    *paragraphs: str,
    image: bytes | None = None,
    extra: dict[str, bytes | str] | None = None,
    prologue: str = "",
) -> bytes:
    """A DOCX; a paragraph that starts with `<` is taken as it is, one with `# ` becomes a heading."""
    body = "".join(_paragraph(text) for text in paragraphs)
    if image:
        body += drawing('r:embed="rId9"', about='name="p" descr="a chart"')
    members: dict[str, bytes | str] = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId1" '
        f'Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<?xml version="1.0"?>{prologue}<w:document {WORDS} {_R}>'
        f"<w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId9" '
        f'Type="{_RELATIONS}/image" Target="media/image1.jpg"/></Relationships>',
    }
    if image:
        members["word/media/image1.jpg"] = image
    return zipped({**members, **(extra or {})})


def xlsx(rows: list[list[Any]], *, comment: tuple[str, str] | None = None, creator: str = "") -> bytes:
    """A workbook of one sheet; `comment` is author and text of a comment on A1."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Data"
    for row in rows:
        sheet.append(row)
    if comment:
        sheet["A1"].comment = Comment(comment[1], comment[0])
    if creator:
        book.properties.creator = book.properties.lastModifiedBy = book.properties.title = creator
    return saved(book)


def pptx(title: str, *lines: str, notes: str = "", image: bytes | None = None, creator: str = "") -> bytes:
    """A presentation of one slide."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = title
    slide.placeholders[1].text = "\n".join(lines)
    if notes:
        slide.notes_slide.notes_text_frame.text = notes
    if image:
        slide.shapes.add_picture(io.BytesIO(image), Inches(1), Inches(1))
    deck.core_properties.author = deck.core_properties.last_modified_by = creator
    deck.core_properties.comments = deck.core_properties.keywords = creator
    return saved(deck)


def parquet(rows: list[dict[str, Any]]) -> bytes:
    """A Parquet table of these rows."""
    output = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), output)
    return output.getvalue()


def saved(book: Any) -> bytes:
    """What a library's `save` writes."""
    output = io.BytesIO()
    book.save(output)
    return output.getvalue()


def _paragraph(text: str) -> str:
    if text.startswith("<"):
        return text
    style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' if text.startswith("# ") else ""
    return f"<w:p>{style}<w:r><w:t>{text.removeprefix('# ')}</w:t></w:r></w:p>"


Body = bytes | tuple[bytes, bytes]


def pdf(objects: Mapping[int, Body], *, trailer: bytes = b"") -> bytes:
    """A PDF of these objects; a pair is a dictionary's entries and a stream. Object 1 is the catalogue."""
    output = bytearray(b"%PDF-1.7\n")
    offsets: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(output)
        output += b"%d 0 obj\n" % number
        if isinstance(body, tuple):
            entries, stream = body
            output += b"<<" + entries + b" /Length %d>>\nstream\n" % len(stream) + stream + b"\nendstream"
        else:
            output += body
        output += b"\nendobj\n"
    start = len(output)
    size = max(objects) + 1
    output += b"xref\n0 %d\n" % size
    for number in range(size):
        used = number in offsets
        output += b"%010d %05d %c \n" % (offsets.get(number, 0), 0 if used else 65535, b"n" if used else b"f")
    output += b"trailer\n<</Root 1 0 R /Size %d %s>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start)
    return bytes(output)


def flate(data: bytes) -> tuple[bytes, bytes]:
    """Entries and stream of packed bytes."""
    return b"/Filter /FlateDecode", zlib.compress(data)


def pages(
    *texts: str, size: tuple[int, int] = (300, 200), top: int = 100, step: int = 14, font: int = 12
) -> bytes:
    """A PDF with the lines of one text on each page, from `top` points above the bottom down."""
    objects: dict[int, Body] = {
        1: b"<</Type /Catalog /Pages 2 0 R>>",
        2: b"<</Type /Pages /Count %d /Kids [%s]>>"
        % (len(texts), b" ".join(b"%d 0 R" % (10 + 2 * index) for index in range(len(texts)))),
        3: b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>",
    }
    for index, text in enumerate(texts):
        number = 10 + 2 * index
        objects[number] = (
            b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Resources <</Font <</F 3 0 R>>>> /Contents %d 0 R>>"
            % (*size, number + 1)
        )
        lines = (b"(" + line.encode("latin-1") + b") Tj" for line in text.split("\n"))
        drawn = (b" 0 %d Td " % -step).join(lines)
        objects[number + 1] = flate(b"BT /F %d Tf 20 %d Td " % (font, top) + drawn + b" ET" if text else b"")
    return pdf(objects)


def paper(lines: Sequence[str]) -> bytes:
    """A PDF of A4 pages with twenty of these lines on each."""
    texts = ("\n".join(lines[at : at + 20]) for at in range(0, len(lines), 20))
    return pages(*texts, size=(595, 842), top=760, step=30)
