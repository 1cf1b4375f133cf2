"""What of ODT, ODP and ODS is kept, and how each part is cleaned."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from comparator.outputs.pictures.office.clean.found import OfficeFindings
from comparator.outputs.pictures.office.clean.sheets import MOST_COLUMNS, MOST_ROWS, reaches_out
from comparator.outputs.pictures.office.clean.words import WordRewriter

_NS = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE = f"{{{_NS}office:1.0}}", f"{{{_NS}text:1.0}}", f"{{{_NS}table:1.0}}"
DRAW, SCRIPT, PRESENTATION = f"{{{_NS}drawing:1.0}}", f"{{{_NS}script:1.0}}", f"{{{_NS}presentation:1.0}}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_DC = "{http://purl.org/dc/elements/1.1/}"
_SVG = f"{{{_NS}svg-compatible:1.0}}"
_DROPPED = re.compile(
    r"^(?:Basic|Scripts|Configurations2|Thumbnails|Dialogs)/|^meta\.xml$|signatures\.xml$|\.rdf$|layout-cache$"
)
_GONE = (
    f"{OFFICE}scripts",
    f"{OFFICE}event-listeners",
    f"{OFFICE}dde-source",
    f"{SCRIPT}event-listener",
    f"{TEXT}dde-connection-decls",
    f"{TEXT}section-source",
    f"{TABLE}cell-range-source",
    f"{TABLE}table-source",
    f"{TABLE}dde-links",
    f"{DRAW}plugin",
    f"{DRAW}applet",
    f"{DRAW}floating-frame",
    f"{DRAW}object-ole",
    f"{TEXT}alphabetical-index-auto-mark-file",
)
_PERSONAL = {
    "author-name": "Author",
    "author-initials": "A",
    "creator": "Author",
    "initial-creator": "Author",
    "printed-by": "Author",
    "editing-cycles": "",
    "editing-duration": "",
    "file-name": "document",
    "template-name": "template",
    "sheet-name": None,
    "date": None,
    "time": None,
    "creation-date": None,
    "creation-time": None,
    "modification-date": None,
    "modification-time": None,
    "print-date": None,
    "print-time": None,
    "user-defined": None,
    "dde-connection": None,
    "description": None,
    "title": None,
    "subject": None,
    "keywords": None,
    "execute-macro": None,
}
"""Fields, by what stands instead; None where the words that the document holds stay."""
_PARAGRAPHS = frozenset({f"{TEXT}p", f"{TEXT}h"})
_BREAKS = frozenset({f"{TEXT}tab", f"{TEXT}line-break", f"{TEXT}s"})


def keeps(name: str) -> bool:
    """Whether the part is needed to show the document."""
    return not _DROPPED.search(name)


def prepare(trees: Mapping[str, etree._Element], found: OfficeFindings) -> None:
    """What concerns several parts: the names of slides and sheets."""
    content = trees.get("content.xml")
    if content is None:
        return
    hidden = {
        style.get(f"{{{_NS}style:1.0}}name", "")
        for part in trees.values()
        for style in part.iter(f"{{{_NS}style:1.0}}style")
        for properties in style
        if properties.get(f"{PRESENTATION}visibility") == "hidden"
        or properties.get(f"{TABLE}display") == "false"
    }
    pages = [*content.iterfind(f"{OFFICE}body/{OFFICE}presentation/{DRAW}page")]
    tables = [*content.iterfind(f"{OFFICE}body/{OFFICE}spreadsheet/{TABLE}table")]
    for title, style, each in (
        *(("slide", f"{DRAW}style-name", page) for page in pages),
        *(("sheet", f"{TABLE}style-name", table) for table in tables),
    ):
        number = len(found.pages) + 1
        found.pages.append(f"{title} {number}" + (" (hidden)" if each.get(style) in hidden else ""))


def clean(
    name: str, root: etree._Element, kept: set[str], words: WordRewriter, found: OfficeFindings
) -> None:
    """One part, in place."""
    if name == "META-INF/manifest.xml":
        path = f"{{{_NS}manifest:1.0}}full-path"
        for entry in list(root):
            stated = entry.get(path, "")
            if stated != "/" and not stated.endswith("/") and stated not in kept:
                root.remove(entry)
        return
    for unwanted in [*root.iter(*_GONE)]:
        _take_out(unwanted)
    for field in [*root.iter(f"{TEXT}*")]:
        local = etree.QName(field).localname
        if local in _PERSONAL:
            if (word := _PERSONAL[local]) is not None:
                field.text = word
            field.tag = f"{TEXT}span"
            field.attrib.clear()
    people: dict[str, str] = {}
    for person in root.iter(f"{_DC}creator"):
        person.text = people.setdefault(person.text or "", f"Author {len(people) + 1}")
    for node in [*root.iter(f"{_DC}date", "{*}creator-initials", "{*}sender-initials")]:
        _take_out(node)
    for element in root.iter(etree.Element):
        _unlink(element, kept, found)
    for cell in root.iter(f"{TABLE}table-cell"):
        if reaches_out(cell.get(f"{TABLE}formula", "")):
            del cell.attrib[f"{TABLE}formula"]
    for table in root.iter(f"{TABLE}table"):
        if table.getparent().tag == f"{OFFICE}spreadsheet":
            _first_range(table, found)
    for face in root.iter(f"{{{_NS}style:1.0}}font-face"):
        found.fonts |= {face.get(f"{_SVG}font-family", "").strip("'\"")} - {""}
    words.rewrite(root, paragraphs=_PARAGRAPHS, breaks=_BREAKS)


def _unlink(element: etree._Element, kept: set[str], found: OfficeFindings) -> None:
    target = element.get(_HREF)
    if target is None or target.startswith("#"):
        return
    inside = target.removeprefix("./")
    if inside in kept or any(name.startswith(f"{inside}/") for name in kept):
        return
    if element.tag in (f"{TEXT}a", f"{DRAW}a"):
        element.set(_HREF, "https://example.invalid/")
        return
    found.linked += element.tag.startswith(DRAW)
    del element.attrib[_HREF]


def _first_range(table: etree._Element, found: OfficeFindings) -> None:
    rows, cut = 0, False
    repeated = f"{TABLE}number-rows-repeated"
    for row in [*table.iter(f"{TABLE}table-row")]:
        before, rows = rows, rows + int(row.get(repeated, "1"))
        if before >= MOST_ROWS:
            cut = cut or any(len(cell) for cell in row)
            _take_out(row)
            continue
        if rows > MOST_ROWS:
            row.set(repeated, str(MOST_ROWS - before))
        columns = 0
        for cell in list(row):
            columns += int(cell.get(f"{TABLE}number-columns-repeated", "1"))
            if columns > MOST_COLUMNS:
                cut = cut or len(cell) > 0
                row.remove(cell)
    if cut:
        found.notes.append(
            f"Of large sheets the first {MOST_ROWS} rows and {MOST_COLUMNS} columns are shown as pages; the rest is in "
            "the text."
        )


def _take_out(element: etree._Element) -> None:
    """Remove the element and keep what stands behind it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)
