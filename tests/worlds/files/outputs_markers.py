"""Files of every family with a marker in each place that can carry a name, and a probe that finds markers anywhere."""

import base64
import gzip
import html
import io
import json
import re
import struct
import tarfile
import urllib.parse
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress

import openpyxl
import pyarrow
import pyarrow.parquet
from openpyxl.drawing.image import Image as SheetImage
from openpyxl.worksheet.worksheet import Worksheet
from PIL import Image, ImageCms, PngImagePlugin

from tests.worlds.files.outputs_office import Body, docx, flate, pdf, pptx, saved, xlsx

MARK = "Zqxmark"
"""Starts every marker; what follows names the place."""

_MARKER = re.compile(rb"Zqxmark([A-Z][A-Za-z0-9]*)", re.IGNORECASE)
_RUN = re.compile(rb"[A-Za-z0-9+/_-]{16,}={0,2}")
_DEEPEST = 5


def mark(place: str) -> str:
    """The marker of one place."""
    return f"{MARK}{place}"


def found_in(data: bytes) -> set[str]:
    """The places whose markers are anywhere in the bytes, however they are packed."""
    return {match.decode() for layer in layers(data) for match in _MARKER.findall(layer)}


def layers(data: bytes) -> Iterator[bytes]:
    """The bytes, and everything that unpacking and decoding them gives."""
    yield from _layers(data, 0, set())


def _layers(data: bytes, depth: int, seen: set[int]) -> Iterator[bytes]:
    if hash(data) in seen or depth > _DEEPEST or len(data) < len(MARK):
        return
    seen.add(hash(data))
    yield data
    yield data.replace(b"\0", b"")  # UTF-16
    for inner in (*_inflated(data), *_decoded(data), *_members(data)):
        yield from _layers(inner, depth + 1, seen)


def _inflated(data: bytes) -> Iterator[bytes]:
    for begins, window in ((rb"\x78[\x01\x5e\x9c\xda]", 15), (rb"\x1f\x8b\x08", 31)):
        for match in re.finditer(begins, data):
            with suppress(zlib.error):
                yield zlib.decompressobj(window).decompress(data[match.start() :], 4_000_000)


def _decoded(data: bytes) -> Iterator[bytes]:
    for match in _RUN.finditer(data):
        run = match[0].replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
        yield base64.b64decode(run + b"=" * (-len(run) % 4), validate=False) if len(run) % 4 != 1 else b""
    for match in re.finditer(rb"<([0-9A-Fa-f\s]{16,})>", data):
        digits = re.sub(rb"\s", b"", match[1])
        yield bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
    if b"%" in data:
        yield urllib.parse.unquote_to_bytes(data)
    if b"&" in data:
        yield html.unescape(data.decode("utf-8", "replace")).encode()
    if b"\\u" in data:
        yield re.sub(rb"\\u00([0-9a-f]{2})", lambda match: bytes.fromhex(match[1].decode()), data)


def _members(data: bytes) -> Iterator[bytes]:
    if b"PK\x03\x04" not in data:
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                yield archive.read(info)
    except (zipfile.BadZipFile, RuntimeError, ValueError, zlib.error, NotImplementedError):
        return


# ---- pictures --------------------------------------------------------------------------------------------------------


def profile(place: str) -> bytes:
    """A colour profile with a marker in its description."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    return bytes(data + mark(place).encode())


def exif(place: str) -> bytes:
    """EXIF data with a marker as artist, software and description."""
    data = Image.Exif()
    for tag in (0x010E, 0x0131, 0x013B, 0x8298):
        data[tag] = mark(place)
    return data.tobytes()


def jpeg(place: str) -> bytes:
    """A JPEG with markers in EXIF, XMP, IPTC, profile, comment and after its end."""
    output = io.BytesIO()
    Image.effect_noise((48, 32), 60).convert("RGB").save(
        output,
        "JPEG",
        exif=exif(f"{place}Exif"),
        icc_profile=profile(f"{place}Icc"),
        comment=mark(f"{place}Comment").encode(),
    )
    data = output.getvalue()
    xmp = _segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x>" + mark(f"{place}Xmp").encode() + b"</x>")
    iptc = _segment(0xED, b"Photoshop 3.0\x008BIM" + mark(f"{place}Iptc").encode())
    return data[:2] + xmp + iptc + data[2:] + mark(f"{place}Trailer").encode()


def png(place: str) -> bytes:
    """A PNG with markers in its text chunks, EXIF, profile and after its end."""
    info = PngImagePlugin.PngInfo()
    info.add_text("Author", mark(f"{place}Text"))
    info.add_text("Comment", mark(f"{place}Packed"), zip=True)
    info.add_itxt("XML:com.adobe.xmp", f"<x>{mark(f'{place}Xmp')}</x>", zip=True)
    output = io.BytesIO()
    Image.new("RGBA", (40, 30), (10, 200, 30, 128)).save(
        output, "PNG", pnginfo=info, exif=exif(f"{place}Exif"), icc_profile=profile(f"{place}Icc")
    )
    return output.getvalue() + mark(f"{place}Trailer").encode()


def other_pictures() -> dict[str, bytes]:
    """WebP, GIF and TIFF with markers."""
    image = Image.new("RGB", (40, 30), (10, 20, 30))
    webp, gif, tiff = io.BytesIO(), io.BytesIO(), io.BytesIO()
    image.save(webp, "WEBP", exif=exif("WebpExif"), xmp=mark("WebpXmp").encode())
    image.save(gif, "GIF", comment=mark("GifComment").encode())
    image.save(tiff, "TIFF", description=mark("TiffDescription"), software=mark("TiffSoftware"))
    return {"w.webp": webp.getvalue(), "g.gif": gif.getvalue(), "t.tiff": tiff.getvalue()}


def _segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


# ---- documents -------------------------------------------------------------------------------------------------------


def form_pdf(
    hidden: Callable[[str], str] = lambda place: mark(f"Pdf{place}"),
    shown: Callable[[str], str] = lambda place: f"Visible {place}",
) -> bytes:
    """A filled form: `hidden` is what stands in each place that draws nothing, `shown` what is drawn as words."""

    def at(text: str) -> bytes:
        text = re.sub(r"@(\w+)", lambda place: hidden(place[1]), text)
        return re.sub(r"=(\w+)", lambda place: shown(place[1]), text).encode()

    whole = shown("header")
    content = (
        "% @Comment\n/Span <</ActualText (@ActualText) /Alt (@Alt)>> BDC BT /F 12 Tf 20 160 Td (=words) Tj ET EMC "
        f"BT /F 12 Tf 20 140 Td [({whole[:4]}) 0 ({whole[4:]})] TJ ET "
        "BT /F 12 Tf 3 Tr 20 120 Td (=invisible) Tj ET BT /F 12 Tf 0 Tr 1 1 1 rg 20 100 Td (=white) Tj ET "
        "BT /F 12 Tf 0 g 20 5000 Td (=outside) Tj ET /OC /Layer BDC q 60 0 0 40 20 20 cm /Im Do Q q /Fm Do Q EMC"
    )
    packed = flate(b"")[0]
    objects: dict[int, Body] = {
        1: at(
            "<</Type /Catalog /Pages 2 0 R /Metadata 8 0 R /AcroForm <</Fields [6 0 R 17 0 R] /DA (/F 10 Tf)>> "
            "/Names <</EmbeddedFiles <</Names [(@AttachmentName) 9 0 R]>> /Dests <</Names [(@Dest) [3 0 R /Fit]]>>>> "
            "/Outlines 18 0 R /OCProperties <</OCGs [12 0 R] /D <</Order [12 0 R]>>>> /Lang (@Lang) "
            "/PageLabels <</Nums [0 <</P (@Label)>>]>> "
            "/StructTreeRoot <</Type /StructTreeRoot /K <</S /P /T (@StructTitle)>>>> "
            "/PieceInfo <</App <</Private (@CatalogPieceInfo)>>>>>>"
        ),
        2: b"<</Type /Pages /Count 1 /Kids [3 0 R]>>",
        3: at(
            "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Annots [6 0 R 7 0 R 17 0 R 19 0 R 21 0 R] "
            "/Contents 4 0 R /Resources <</Font <</F 5 0 R>> /XObject <</Im 11 0 R /Fm 14 0 R>> "
            "/Properties <</Layer 12 0 R>> /ColorSpace <</Cs [/ICCBased 13 0 R]>>>> /Metadata 8 0 R "
            "/LastModified (D:2026 @Modified) /PieceInfo <</App <</LastModified (x) /Private (@PagePieceInfo)>>>>>>"
        ),
        4: flate(at(content)),
        5: b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>",
        6: at(
            "<</Type /Annot /Subtype /Widget /FT /Tx /T (@FieldName) /TU (@FieldTip) /V (=value) "
            "/Rect [20 120 280 140] /F 4 /P 3 0 R /DA (/F 10 Tf) /AP <</N 15 0 R>>>>"
        ),
        7: at(
            "<</Type /Annot /Subtype /Text /T (@NoteAuthor) /Contents (@NoteText) /NM (@NoteName) "
            "/Rect [250 10 270 30]>>"
        ),
        8: flate(at("<x:xmpmeta>@Xmp</x:xmpmeta>")),
        9: at("<</Type /Filespec /F (@AttachmentFile) /EF <</F 10 0 R>> /Desc (@AttachmentText)>>"),
        10: flate(at("@Attachment")),
        11: (
            at(
                "/Type /XObject /Subtype /Image /Width 48 /Height 32 /ColorSpace [/ICCBased 13 0 R] "
                "/BitsPerComponent 8 /Filter /DCTDecode /Metadata 8 0 R /Name (@ImageName)"
            ),
            jpeg("PdfImage"),
        ),
        12: at("<</Type /OCG /Name (@Layer)>>"),
        13: (b"/N 3 /Alternate /DeviceRGB " + packed, zlib.compress(profile("PdfIcc"))),
        14: (
            at(
                "/Type /XObject /Subtype /Form /BBox [0 0 10 10] /Metadata 8 0 R /PieceInfo <</A (@FormPieceInfo)>> "
            )
            + packed,
            zlib.compress(at("% @FormComment\n0 0 5 5 re f")),
        ),
        15: (
            b"/Type /XObject /Subtype /Form /BBox [0 0 260 20] /Resources <</Font <</F 5 0 R>>>>",
            at("BT /F 10 Tf 2 5 Td (=value) Tj ET"),
        ),
        16: at("<</Author (@Author) /Title (@Title) /Producer (@Producer) /Custom <")
        + at("@Custom").hex().encode()
        + b">>>",
        17: at(
            "<</Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (@ChoiceName) /V (=chosen) "
            "/Opt [(=chosen) (=choice)] /Rect [20 90 280 110] /F 4 /P 3 0 R /DA (/F 10 Tf)>>"
        ),
        18: b"<</Type /Outlines /First 20 0 R /Last 20 0 R /Count 1>>",
        19: at("<</Type /Annot /Subtype /Link /Rect [0 0 9 9] /A <</S /URI /URI (file:///@Link)>>>>"),
        20: at("<</Title (@Outline) /Parent 18 0 R /Dest [3 0 R /Fit]>>"),
        21: at("<</Type /Annot /Subtype /FreeText /Contents (=free) /DA (/F 10 Tf) /Rect [20 40 280 60]>>"),
    }
    return pdf(objects, trailer=at("/Info 16 0 R /ID [(@Id) (x)]"))


def marked_docx() -> bytes:
    """A DOCX with markers in its properties, comments, tracked changes and picture."""
    core = f"<cp><creator>{mark('DocxCreator')}</creator><title>{mark('DocxTitle')}</title></cp>"
    words = "<w:r><w:t>Visible insertion</w:t></w:r>"
    change = f'<w:p><w:ins w:id="1" w:author="{mark("DocxChange")}">{words}</w:ins></w:p>'
    return docx(
        "# Visible heading",
        change,
        image=jpeg("DocxImage"),
        extra={
            "docProps/core.xml": core,
            "docProps/app.xml": f"<Properties><Company>{mark('DocxCompany')}</Company></Properties>",
            "docProps/custom.xml": f"<Properties>{mark('DocxCustom')}</Properties>",
            "customXml/item1.xml": f"<a>{mark('DocxCustomXml')}</a>",
            "word/comments.xml": f"<c>{mark('DocxComment')}</c>",
        },
    )


def marked_xlsx() -> bytes:
    """A workbook with markers in its properties, a comment's author, and a picture."""
    data = xlsx(
        [["Visible", 1]], comment=(mark("XlsxAuthor"), "visible comment"), creator=mark("XlsxCreator")
    )
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert isinstance(book.active, Worksheet)
    book.active.add_image(SheetImage(io.BytesIO(jpeg("XlsxImage"))), "C3")
    return saved(book)


def marked_notebook() -> bytes:
    """A notebook with markers in all its metadata and in an output picture."""
    output = {
        "output_type": "display_data",
        "metadata": {"by": mark("NotebookOutput")},
        "data": {
            "image/png": base64.b64encode(png("NotebookImage")).decode(),
            "text/html": f"<!-- {mark('NotebookHtml')} --><b>visible table</b>",
            "application/vnd.tool+json": {"who": mark("NotebookBundle")},
        },
    }
    cell = {
        "cell_type": "code",
        "id": mark("NotebookId"),
        "metadata": {"tags": [mark("NotebookTag")]},
        "source": ["print('visible')"],
        "outputs": [output],
        "execution_count": 1,
    }
    metadata = {
        "authors": [{"name": mark("NotebookAuthor")}],
        "kernelspec": {"display_name": mark("NotebookKernel"), "name": "python3"},
        "language_info": {"name": "python", "version": mark("NotebookVersion")},
    }
    return json.dumps({"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def marked_svg(place: str = "Svg") -> str:
    """A drawing with markers in comment, metadata, editor attributes and an instruction."""
    return f"""<?xml version="1.0"?><!-- {mark(place + "Comment")} --><?tool {mark(place + "Instruction")}?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
 xmlns:dc="http://purl.org/dc/elements/1.1/" inkscape:export-filename="{mark(place + "Export")}" width="9" height="9">
<metadata><dc:creator>{mark(place + "Creator")}</dc:creator></metadata>
<inkscape:view label="{mark(place + "View")}"/><rect width="5" height="5" data-name="{mark(place + "Data")}"/>
<text>visible</text></svg>"""


def marked_html() -> str:
    """A page with markers in its head, comments, embedded pictures and drawings."""
    photo = base64.b64encode(jpeg("HtmlImage")).decode()
    drawing = base64.b64encode(marked_svg("HtmlSvg").encode()).decode()
    quoted = urllib.parse.quote(marked_svg("HtmlQuoted"))
    return f"""<!doctype html><!-- {mark("HtmlComment")} --><html data-generator="{mark("HtmlData")}"><head>
<meta name="author" content="{mark("HtmlAuthor")}"><meta name="generator" content="{mark("HtmlGenerator")}">
<meta property="article:author" content="{mark("HtmlProperty")}"><link rel="author" href="{mark("HtmlLink")}">
<script type="application/ld+json">{{"author": "{mark("HtmlLd")}"}}</script>
<!--[if mso]><xml>{mark("HtmlMso")}</xml><![endif]--><xml><o>{mark("HtmlXml")}</o></xml><?php {mark("HtmlPhp")} ?>
<style>i {{ background: url("data:image/svg+xml,{quoted}") }}</style></head>
<body><p>visible</p><img src="data:image/jpeg;base64,{photo}"><img src="data:image/svg+xml;base64,{drawing}">
<svg><metadata>{mark("HtmlInline")}</metadata><rect inkscape:label="{mark("HtmlLabel")}" /></svg></body></html>"""


def marked_archives() -> dict[str, bytes]:
    """A zip and a tar with markers in comments, owners and extra headers."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        info = zipfile.ZipInfo("inner.txt")
        info.comment = mark("ZipMember").encode()
        info.extra = struct.pack("<HH", 0x7075, len(mark("ZipExtra"))) + mark("ZipExtra").encode()
        archive.writestr(info, "hidden " + mark("ZipContent"))
        archive.comment = mark("ZipComment").encode()
    tarred = io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w", format=tarfile.PAX_FORMAT) as tar:
        entry = tarfile.TarInfo("inner.txt")
        entry.uname, entry.gname, entry.size = mark("TarUser"), mark("TarGroup"), 2
        entry.pax_headers = {"comment": mark("TarPax")}
        tar.addfile(entry, io.BytesIO(b"ab"))
    return {"inner.zip": packed.getvalue(), "inner.tar.gz": gzip.compress(tarred.getvalue())}


def marked_parquet() -> bytes:
    """A table with a marker in its metadata."""
    table = pyarrow.table({"visible": [1, 2]}).replace_schema_metadata({"creator": mark("ParquetCreator")})
    output = io.BytesIO()
    pyarrow.parquet.write_table(table, output)
    return output.getvalue()


def packages() -> dict[str, bytes]:
    """Documents of other office programs and books, with markers in their information."""
    out = {}
    for name, members in {
        "letter.odt": {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": "<office:document-content><text:p>visible</text:p></office:document-content>",
            "meta.xml": f"<m><dc:creator>{mark('OdtCreator')}</dc:creator></m>",
            "settings.xml": f"<printer>{mark('OdtPrinter')}</printer>",
        },
        "book.epub": {
            "mimetype": "application/epub+zip",
            "OEBPS/content.opf": f"<package><dc:creator>{mark('EpubCreator')}</dc:creator></package>",
            "OEBPS/a.xhtml": "<p>visible</p>",
        },
    }.items():
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.comment = mark("PackageComment").encode()
            for member, text in members.items():
                archive.writestr(member, text)
        out[name] = packed.getvalue()
    return out


def rtf() -> bytes:
    """Rich Text with markers in its information, generator, revisions and comments."""
    m = {
        name: mark(f"Rtf{name}")
        for name in ("Author", "Operator", "Company", "Generator", "Revision", "Note")
    }
    return (
        rf"{{\rtf1\ansi{{\info{{\author {m['Author']}}}{{\operator {m['Operator']}}}{{\*\company {m['Company']}}}}}"
        rf"{{\*\generator {m['Generator']};}}{{\*\revtbl{{Unknown;}}{{{m['Revision']};}}}}"
        rf"visible \{{words\}}{{\*\atnauthor {m['Note']}}}}}"
    ).encode()


def bytes_of_old_kinds() -> dict[str, bytes]:
    """Files that are shown in bytes, since nothing more of them is understood or they are damaged."""
    value = mark("OldAuthor").encode()
    section = struct.pack("<III", 8 + 16 + len(value), 1, 4) + struct.pack("<III", 16, 30, len(value)) + value
    head = b"\xfe\xff\0\0" + b"\0" * 20 + struct.pack("<I", 1)
    properties = head + bytes.fromhex("e0859ff2f94f6810ab9108002b27b3d9") + struct.pack("<I", 48) + section
    text = mark("TiffArtist").encode() + b"\0"
    tiff = b"II*\0" + struct.pack("<IH", 8, 2) + struct.pack("<HHII", 315, 2, len(text), 38)
    tiff += struct.pack("<HHII", 256, 3, 1, 900_000) + struct.pack("<I", 0) + text
    resources = b"8BIM\x04\x24" + mark("PsdXmp").encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("word/document.xml", "<w:document>visible</w:document>")
        archive.writestr("docProps/core.xml", f"<c>{mark('DamagedCreator')}</c>")
    webp = other_pictures()["w.webp"]
    return {
        "old.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + properties + b"visible" * 100,
        "broken.tiff": tiff,
        "layers.psd": b"".join(
            (b"8BPS\0\1", bytes(20), struct.pack(">II", 0, len(resources)), resources, b"visible")
        ),
        "broken.webp": webp.replace(b"VP8 ", b"VP8x"),
        "broken.docx": packed.getvalue()[: packed.getvalue().rfind(b"PK\x01\x02")],
        "broken.pdf": b"%PDF-1.7\n1 0 obj <</Author (" + mark("BrokenPdf").encode() + b") /Type /Catalog>>\n"
        b'<?xpacket begin="x"?>' + mark("BrokenXmp").encode() + b"<?xpacket end='w'?>",
        "any.dat": f"\0\1\2\3<x:xmpmeta><dc:creator>{mark('AnyXmp')}</dc:creator></x:xmpmeta>".encode(),
    }


def texts_with_fields() -> dict[str, bytes]:
    """Text files in whose own fields their authors are named."""
    yaml, listed, toml, tex, pdf, npm, py, xml, org, rst = (
        mark(f"Field{name}")
        for name in ("Yaml", "List", "Toml", "Tex", "Pdf", "Npm", "Py", "Xml", "Org", "Rst")
    )
    texts = {
        "post.md": f"---\ntitle: Visible\nauthor: {yaml}\nauthors:\n  - name: {listed}\n    email: {listed}@x\n---\n"
        "visible words",
        "post.qmd": f"+++\ntitle = 'Visible'\nauthor = ['{toml}']\n+++\nvisible words",
        "paper.tex": f"\\documentclass{{article}}\\hypersetup{{pdfauthor={{{pdf}}}}}\\author{{{tex} \\and {{X}} "
        f"\\thanks{{{tex}}}}}\\begin{{document}}visible words",
        "package.json": f'{{"name": "visible", "author": "{npm} <a@x>", "contributors": [{{"name": "{npm}"}}]}}',
        "pyproject.toml": f'[project]\nname = "visible"\nauthors = [{{name = "{toml}", email = "{toml}@x"}}]\n',
        "tool.py": f'__author__ = "{py}"\nprint("visible")\n',
        "book.opf": f"<package><dc:creator id='a'>{xml}</dc:creator><p>visible</p></package>",
        "notes.org": f"#+TITLE: Visible\n#+AUTHOR: {org}\nvisible",
        "notes.rst": f"Visible\n=======\n:Author: {rst}\n\nvisible",
        "CITATION.cff": f"title: Visible\nauthors:\n- family-names: {yaml}\n  given-names: {yaml}\n",
    }
    return {name: text.encode() for name, text in texts.items()} | {
        "wide.md": f"---\ntitle: Visible\nauthor: {yaml}\n---\nvisible words".encode("utf-16")
    }


def every_family() -> dict[str, bytes]:
    """A folder with a marked file of every family."""
    photo = base64.b64encode(jpeg("MarkdownImage")).decode()
    return {
        "form.pdf": form_pdf(),
        "photo.jpg": jpeg("Jpeg"),
        "chart.png": png("Png"),
        **other_pictures(),
        "report.docx": marked_docx(),
        "table.xlsx": marked_xlsx(),
        "deck.pptx": pptx(
            "Visible", "line", notes="note", image=jpeg("PptxImage"), creator=mark("PptxCreator")
        ),
        "book.ipynb": marked_notebook(),
        "drawing.svg": marked_svg().encode(),
        "page.html": marked_html().encode(),
        "text.md": f"visible ![x](data:image/jpeg;base64,{photo}) and data:application/pdf;base64,".encode()
        + base64.b64encode(mark("MarkdownFile").encode() * 3),
        **texts_with_fields(),
        **marked_archives(),
        **packages(),
        **bytes_of_old_kinds(),
        "letter.rtf": rtf(),
        "data.parquet": marked_parquet(),
        "sound.ogg": b"OggS\0\2" + bytes(21) + b"\1\x08OpusTags" + mark("OggTag").encode() + b"\0" * 40,
        "film.webm": b"\x1aE\xdf\xa3\x84\x42\x82\x81w\x7b\xa9\xa0" + mark("WebmTitle").encode() + b"\0" * 40,
        "sound.mp3": b"ID3\x03\0\0\0\0\0\x20" + mark("AudioTag").encode() + b"\0" * 40,
        "blob.bin": b"\0\1\2" + mark("BinaryContent").encode() + b"\0\xff" * 20,
    }
