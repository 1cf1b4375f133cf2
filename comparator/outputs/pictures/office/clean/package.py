"""An Office package part by part: what is kept, what is rewritten, and the package written anew."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from comparator.domain.blinding.redaction import TextForm
from comparator.outputs.child.extraction import ReadLimits, Unreadable
from comparator.outputs.extract.office.ooxml import check
from comparator.outputs.pictures.office.clean import odf, ooxml
from comparator.outputs.pictures.office.clean.found import OfficeFindings
from comparator.outputs.pictures.office.clean.words import WordRewriter
from comparator.outputs.view.blinding.redacting import Redactor

_XML = (".xml", ".rels", ".vml")
_LINKING_DRAWING = re.compile(
    rb"<!|<script|<image|<use|href\s*=\s*[\"'](?!#|data:)|url\(\s*[\"']?(?!#)", re.IGNORECASE
)
_DATE = (1980, 1, 1, 0, 0, 0)
_KINDS = (("word/document.xml", "docx"), ("ppt/presentation.xml", "pptx"), ("xl/workbook.xml", "xlsx"))
_ODF_KINDS = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
}


@dataclass(slots=True)
class Cleaned:
    """A package that can be shown; `pages` names what becomes a page each where that is known: slides or sheets."""

    data: bytes
    kind: str
    fonts: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def cleaned(data: bytes, limits: ReadLimits, redactor: Redactor) -> Cleaned:
    """The package without what tells or leads out of it. Raises Unreadable."""
    names = check(data, limits)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        kind = _kind_of(package, names)
        rules = odf if kind.startswith("od") else ooxml
        cells = kind in ("xlsx", "ods")
        found, words = OfficeFindings(), WordRewriter(redactor, TextForm.CELL if cells else TextForm.PROSE)
        kept = {name for name in names if not name.endswith("/") and rules.keeps(name)}
        parts = {name: package.read(name) for name in sorted(kept)}
    trees = {
        name: tree
        for name, part in parts.items()
        if name.lower().endswith(_XML) and (tree := _parsed(name, part)) is not None
    }
    rules.prepare(trees, found)
    for name, tree in trees.items():
        rules.clean(name, tree, kept, words, found)
    if found.linked:
        found.notes.append(f"{found.linked} linked objects lie outside of the file and are not shown.")
    written = _written(parts, trees, first="mimetype" if kind.startswith("od") else "[Content_Types].xml")
    fonts = tuple(sorted(found.fonts))[:200]
    return Cleaned(written, kind, fonts, tuple(found.pages), tuple(dict.fromkeys(found.notes)))


def _kind_of(package: zipfile.ZipFile, names: frozenset[str]) -> str:
    for part, kind in _KINDS:
        if part in names:
            return kind
    if "mimetype" in names and "content.xml" in names:
        stated = package.read("mimetype")[:200].decode("ascii", "replace").strip().removesuffix("-template")
        if stated in _ODF_KINDS:
            return _ODF_KINDS[stated]
    raise Unreadable("It is not a document of a known kind.")


def _parsed(name: str, part: bytes) -> etree._Element | None:
    vml = name.lower().endswith(".vml")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, recover=vml, remove_comments=True,
        remove_pis=True,
    )  # fmt: skip
    try:
        return etree.fromstring(part, parser)
    except etree.XMLSyntaxError as error:
        if vml:
            return None
        raise Unreadable("It is damaged and cannot be read.") from error


def _written(parts: dict[str, bytes], trees: dict[str, etree._Element], *, first: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        for name, body in _in_order(parts, trees, first):
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            package.writestr(info, body)
    return out.getvalue()


def _in_order(
    parts: dict[str, bytes], trees: dict[str, etree._Element], first: str
) -> Iterator[tuple[str, bytes]]:
    for name in sorted(parts, key=lambda name: (name != first, name)):
        if name in trees:
            yield name, etree.tostring(trees[name], xml_declaration=True, encoding="UTF-8", standalone=True)
        elif name.lower().endswith(".svg") and _LINKING_DRAWING.search(parts[name]):
            yield name, b'<svg xmlns="http://www.w3.org/2000/svg"/>'
        elif not name.lower().endswith(_XML):
            yield name, parts[name]
