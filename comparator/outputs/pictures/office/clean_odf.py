"""Parts of ODT, ODP and ODS without what leads out of the file, and without fields that would tell."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from lxml import etree

KINDS = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
}
_NS = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE, DRAW, STYLE = (
    f"{{{_NS}{name}:1.0}}" for name in ("office", "text", "table", "drawing", "style")
)
_HREF = "{http://www.w3.org/1999/xlink}href"
_GONE = (
    "{*}scripts", "{*}event-listeners", "{*}dde-source", "{*}event-listener", "{*}dde-connection-decls",
    "{*}section-source", "{*}cell-range-source", "{*}table-source", "{*}dde-links", "{*}plugin", "{*}applet",
    "{*}floating-frame", "{*}object-ole", "{*}alphabetical-index-auto-mark-file",
)  # fmt: skip
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
}
"""What stands in place of fields."""
_WORDS_STAY = frozenset({
    "sheet-name", "date", "time", "creation-date", "creation-time", "modification-date", "modification-time",
    "print-date", "print-time", "user-defined", "dde-connection", "description", "title", "subject", "keywords",
    "execute-macro",
})  # fmt: skip


def pages_of(trees: Mapping[str, etree._Element]) -> list[str]:
    """The names of slides or sheets, in order, with those that are hidden marked."""
    content = trees.get("content.xml")
    if content is None:
        return []
    hidden = {
        style.get(f"{STYLE}name", "")
        for part in trees.values()
        for style in part.iter(f"{STYLE}style")
        for properties in style
        if properties.get(f"{{{_NS}presentation:1.0}}visibility") == "hidden"
        or properties.get(f"{TABLE}display") == "false"
    }
    pages = [*content.iterfind(f"{OFFICE}body/{OFFICE}presentation/{DRAW}page")]
    pages += content.iterfind(f"{OFFICE}body/{OFFICE}spreadsheet/{TABLE}table")
    names = []
    for number, page in enumerate(pages, 1):
        title, owner = ("slide", DRAW) if page.tag == f"{DRAW}page" else ("sheet", TABLE)
        names.append(f"{title} {number}" + (" (hidden)" if page.get(f"{owner}style-name") in hidden else ""))
    return names


def clean(name: str, root: etree._Element, kept: Collection[str], *, reaching: re.Pattern[str]) -> int:
    """One part, in place; how many pictures and the like lay outside of the file."""
    if name == "META-INF/manifest.xml":
        for entry in list(root):
            stated = entry.get(f"{{{_NS}manifest:1.0}}full-path", "")
            if stated != "/" and not stated.endswith("/") and stated not in kept:
                root.remove(entry)
        return 0
    for unwanted in [*root.iter(*_GONE)]:
        _take_out(unwanted)
    for field in [*root.iter(f"{TEXT}*")]:
        local = etree.QName(field).localname
        if local in _PERSONAL or local in _WORDS_STAY:
            field.text = _PERSONAL.get(local, field.text)
            field.tag = f"{TEXT}span"
            field.attrib.clear()
    for cell in root.iter(f"{TABLE}table-cell"):
        if reaching.search(cell.get(f"{TABLE}formula", "")):
            del cell.attrib[f"{TABLE}formula"]
    return sum(_unlinked(element, kept) for element in root.iter(etree.Element))


def fonts_of(root: etree._Element) -> set[str]:
    """The names of the fonts that a part declares."""
    named = f"{{{_NS}svg-compatible:1.0}}font-family"
    return {face.get(named, "").strip("'\"") for face in root.iter(f"{STYLE}font-face")} - {""}


def cut(root: etree._Element, *, rows: int, columns: int) -> bool:
    """Keep the first range of each sheet; whether anything lay outside of it."""
    lost = False
    for table in root.iter(f"{TABLE}table"):
        if table.getparent().tag != f"{OFFICE}spreadsheet":
            continue
        seen, repeated = 0, f"{TABLE}number-rows-repeated"
        for row in [*table.iter(f"{TABLE}table-row")]:
            before, seen = seen, seen + int(row.get(repeated, "1"))
            if before >= rows:
                lost |= any(len(cell) for cell in row)
                _take_out(row)
                continue
            if seen > rows:
                row.set(repeated, str(rows - before))
            across = 0
            for cell in list(row):
                across += int(cell.get(f"{TABLE}number-columns-repeated", "1"))
                if across > columns:
                    lost |= len(cell) > 0
                    row.remove(cell)
    return lost


def _unlinked(element: etree._Element, kept: Collection[str]) -> bool:
    """Take out where a link leads, unless it leads to a part; whether that would have been drawn."""
    target = element.get(_HREF)
    if target is None or target.startswith("#"):
        return False
    inside = target.removeprefix("./")
    if inside in kept or any(name.startswith(f"{inside}/") for name in kept):
        return False
    if element.tag in (f"{TEXT}a", f"{DRAW}a"):
        element.set(_HREF, "https://example.invalid/")
        return False
    del element.attrib[_HREF]
    return bool(element.tag.startswith(DRAW))


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
