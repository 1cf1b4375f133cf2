"""Small files with the same bytes each time: a PDF of text pages, and a workbook with hidden sheets."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Dictionary, Name, String

_LONG_AGO = (2020, 1, 1, 0, 0, 0)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def pdf(pages: Sequence[Sequence[str]], *, title: str = "", white: Sequence[int] = ()) -> bytes:
    """A PDF of these lines of ASCII text, page by page; pages whose number stands in `white` print white on white."""
    with pikepdf.new() as made:
        font = made.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
        for number, lines in enumerate(pages):
            page = made.add_blank_page(page_size=(595, 842))
            page.Resources = Dictionary(Font=Dictionary(F1=font))
            start = f"BT {1 if number in white else 0} g /F1 12 Tf 16 TL 72 760 Td".encode()
            shown = (String(line).unparse() + b" Tj T*" for line in lines)
            page.Contents = made.make_stream(b" ".join((start, *shown, b"ET")))
        made.docinfo.Title = String(title)
        out = io.BytesIO()
        # Not compressed: the bytes would depend on the version of zlib.
        made.save(out, compress_streams=False, deterministic_id=True)
    return out.getvalue()


def workbook(
    sheets: Mapping[str, Sequence[Sequence[str | int]]],
    *,
    hidden: Mapping[str, str] | None = None,
    title: str = "",
) -> bytes:
    """A workbook of these sheets; `hidden` gives the state of those that are, `hidden` or `veryHidden`."""
    names = list(sheets)
    states = {name: f' state="{state}"' for name, state in (hidden or {}).items()}
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{at}"{states.get(name, "")} r:id="rId{at}"/>'
        for at, name in enumerate(names, start=1)
    )
    related = "".join(
        f'<Relationship Id="rId{at}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{at}.xml"/>'
        for at in range(1, len(names) + 1)
    )
    types = "".join(
        f'<Override PartName="/xl/worksheets/sheet{at}.xml" ContentType="{_SHEET}.worksheet+xml"/>'
        for at in range(1, len(names) + 1)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{_SHEET}.sheet.main+xml"/><Override PartName="/docProps/core.xml" '
        f'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" '
        f'Type="{_PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
        "docProps/core.xml": f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title>'
        "</cp:coreProperties>",
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{related}</Relationships>',
    }
    for at, name in enumerate(names, start=1):
        rows = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in sheets[name])
        parts[f"xl/worksheets/sheet{at}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>'
        )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, text in parts.items():
            head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            archive.writestr(zipfile.ZipInfo(path, _LONG_AGO), head + text)
    return out.getvalue()


def _cell(value: str | int) -> str:
    if isinstance(value, int):
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
