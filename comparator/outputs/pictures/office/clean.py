"""Office packages before they are printed: without what leads out of them, and without fields that would tell.

Names are painted over in the finished pages. Here only what the converter itself would add is taken out: the author,
the file's name, the day, other files, macros.
"""

import io
import posixpath
import re
import zipfile
from collections.abc import Collection, Mapping

from lxml import etree

from comparator.outputs.extract.archive import check_package
from comparator.outputs.families import LAID_OUT, family_of
from comparator.outputs.isolated.messages import Cleaned, Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.tables.store import column_letters, place_of

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MOST_ROWS, MOST_COLUMNS = 300, 50
CUT = f"Of large sheets the first {MOST_ROWS} rows and {MOST_COLUMNS} columns are shown as pages; the text has all."
_NOT_CALCULATED = (
    "(not calculated): formulas that depend on the day, on chance or on other files, and of which the file holds no "
    "value, are empty in the pages."
)
_DROPPED = re.compile(
    r"^docProps/|^custom(?:XML|UI)/|/(?:embeddings|activeX|ctrlProps|printerSettings|externalLinks|webextensions|"
    r"queryTables|customProperty|revisions|userCustomization|model)/|/(?:vba\w+\.(?:bin|xml)|attachedToolbars\.bin|"
    r"connections\.xml|webExtensions?\.xml|taskpanes\.xml)$|^_xmlsignatures/|\.(?:vml|bin|exe|dll|ocx|js|vbs|html?|mht)$",
    re.IGNORECASE,
)
_XML = (".xml", ".rels")
_PARSER = etree.XMLParser(
    resolve_entities=False,
    no_network=True,
    load_dtd=False,
    huge_tree=True,
    remove_comments=True,
    remove_pis=True,
)
_LINKING_DRAWING = re.compile(
    rb"<!|<script|<image|<use|href\s*=\s*[\"'](?!#|data:)|url\(\s*[\"']?(?!#)", re.IGNORECASE
)
_DATE = (1980, 1, 1, 0, 0, 0)
_SHOWN = ("image", "oleObject", "video", "audio", "media", "chart", "subDocument", "frame")
_GONE = (
    f"{W}dataBinding", f"{W}attachedTemplate", f"{W}mailMerge", f"{W}altChunk", "{*}OLEObject", f"{P}control",
    f"{S}oleObject", f"{S}control",
)  # fmt: skip
_LIVE = frozenset({"PAGE", "NUMPAGES", "SECTIONPAGES", "FORMCHECKBOX", "FORMTEXT", "FORMDROPDOWN"})
"""Fields that stay; all others are the words that the document holds of them."""
_INSTEAD = {
    "AUTHOR": "Author",
    "LASTSAVEDBY": "Author",
    "USERNAME": "Author",
    "USERINITIALS": "A",
    "USERADDRESS": "Address",
    "FILENAME": "document",
    "TEMPLATE": "template",
    "DOCVARIABLE": "",
    "COMMENTS": "",
}
_PERSONAL = re.compile(
    r'(?:DOCPROPERTY|INFO)\s+"?(?:author|manager|company|last|template|name)', re.IGNORECASE
)
_REACHING = re.compile(
    r"WEBSERVICE|FILTERXML|DDE\s*\(|RTD\s*\(|CELL\s*\(\s*[\"']?filename|INFO\s*\(|\[\d+\]|\[[^\]]*\.xl|https?:|file:|\\\\|"
    r"\b(?:TODAY|NOW|RAND|RANDBETWEEN)\s*\(|\|'",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"HYPERLINK\s*\(\s*(\"(?:[^\"]|\"\")*\"|[^\",;()]+)(?:[,;](.+))?\)", re.IGNORECASE | re.DOTALL
)
"""A link in a cell: where it leads, and the words that are shown of it, if it has others."""
_LITERAL = re.compile(r'"((?:[^"]|"")*)"')
_TELLING = re.compile(r"CELL\s*\(\s*[\"']?filename|INFO\s*\(", re.IGNORECASE)
_USUAL_WIDTH = 8.43
"""Characters in a column of the usual width."""
_STAYS = {("wrapText", "1"), ("wrapText", "true"), ("shrinkToFit", "1"), ("horizontal", "fill")}
"""How text is kept in its cell."""


def clean_package(data: bytes, limits: Limits) -> Cleaned:
    """The package without what tells or leads out of it. Raises Unreadable."""
    names = check_package(data, limits)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        kind = family_of("", data)
        if kind not in LAID_OUT:
            raise Unreadable("It is not a document of a known kind.")
        document = Cleaned(kind.value)
        parts = {
            name: package.read(name)
            for name in sorted(names)
            if not name.endswith("/") and not _DROPPED.search(name)
        }
    trees = {
        name: etree.fromstring(part, _PARSER) for name, part in parts.items() if name.lower().endswith(_XML)
    }
    for name, tree in trees.items():
        _clean(name, tree, parts.keys(), document)
    document.pages = _pages_of(trees)
    document.notes = list(dict.fromkeys(document.notes))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        for name, body in parts.items():
            if name in trees:
                body = etree.tostring(trees[name], xml_declaration=True, encoding="UTF-8", standalone=True)
            elif name.lower().endswith(".svg") and _LINKING_DRAWING.search(body):
                body = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
            package.writestr(zipfile.ZipInfo(name, _DATE), body, zipfile.ZIP_DEFLATED)
    document.data = out.getvalue()
    return document


def _pages_of(trees: Mapping[str, etree._Element]) -> list[str]:
    """The names of slides or sheets, in order, with those that are hidden marked."""
    pages: list[str] = []
    for name, title in (("ppt/presentation.xml", "slide"), ("xl/workbook.xml", "sheet")):
        if name not in trees:
            continue
        folder, leaf = posixpath.split(name)
        relations = trees.get(f"{folder}/_rels/{leaf}.rels", ())
        targets = {
            relation.get("Id", ""): _target(folder, relation.get("Target", "")) for relation in relations
        }
        for entry in trees[name].iter(f"{P}sldId", f"{S}sheet"):
            hidden = entry.get("state", "visible") != "visible"
            slide = trees.get(targets.get(entry.get(f"{R}id", ""), ""))
            if title == "slide" and slide is not None:
                hidden = slide.get("show") in ("0", "false")
            elif slide is not None:
                _widen(slide, trees)
            pages.append(f"{title} {len(pages) + 1}" + (" (hidden)" if hidden else ""))
    return pages


def _target(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/")


def _clean(name: str, root: etree._Element, kept: Collection[str], document: Cleaned) -> None:
    """One part, in place."""
    if name.endswith(".rels"):
        _relations(posixpath.dirname(posixpath.dirname(name)), root, kept, document)
        return
    if name == "[Content_Types].xml":
        for override in root.findall("{*}Override"):
            if override.get("PartName", "").lstrip("/") not in kept:
                root.remove(override)
        return
    for unwanted in [*root.iter(*_GONE)]:
        if (parent := unwanted.getparent()) is not None:
            parent.remove(unwanted)
    if name.startswith("word/"):
        _fields(root)
    if name.startswith("xl/"):
        _sheet(root, document)
    for dated in [*root.iter(f"{A}fld")]:
        # A field of date and time would show that of the conversion; its words stay.
        if dated.get("type", "").startswith("datetime"):
            dated.tag = f"{A}r"
            dated.attrib.clear()
            for properties in dated.findall(f"{A}pPr"):
                dated.remove(properties)


def _relations(folder: str, root: etree._Element, kept: Collection[str], document: Cleaned) -> None:
    for relation in list(root):
        kind = relation.get("Type", "").rpartition("/")[2]
        external = relation.get("TargetMode", "").lower() == "external"
        if kind == "hyperlink":
            if external:
                relation.set("Target", "https://example.invalid/")
        elif external or _target(folder, relation.get("Target", "")) not in kept:
            if external and kind in _SHOWN:
                document.notes.append("Linked objects lie outside of the file and are not shown.")
            root.remove(relation)


def _fields(root: etree._Element) -> None:
    """Fields of Word become words: in one element, or as marks around an instruction and a result."""
    for simple in [*root.iter(f"{W}fldSimple")]:
        if _settled(simple.get(f"{W}instr", ""), [*simple.iter(f"{W}t")]):
            simple.set(f"{W}instr", " QUOTE ")
    fields: list[list[etree._Element]] = []
    """Of each open field what belongs to it, with those within it."""
    for element in [*root.iter(f"{W}fldChar", f"{W}instrText", f"{W}t")]:
        kind = element.get(f"{W}fldCharType")
        if kind == "begin":
            fields.append([])
        for field in fields:
            field.append(element)
        if kind == "end" and fields:
            _end(fields.pop())
    for field in fields:
        _end(field)


def _end(field: list[etree._Element]) -> None:
    instruction = "".join(mark.text or "" for mark in field if mark.tag == f"{W}instrText")
    if _settled(instruction, [mark for mark in field if mark.tag == f"{W}t"]):
        for mark in field:
            if mark.tag != f"{W}t" and (parent := mark.getparent()) is not None:
                parent.remove(mark)


def _settled(instruction: str, result: list[etree._Element]) -> bool:
    """Whether the field is words from now on: those that the document holds of it, or what stands in their place."""
    name = next(iter(instruction.split()), "").upper().strip("\\")
    if name in _LIVE:
        return False
    word = "Author" if _PERSONAL.match(instruction.strip()) else _INSTEAD.get(name)
    for number, text in enumerate(result if word is not None else ()):
        text.text = "" if number else word
    return True


def _sheet(root: etree._Element, document: Cleaned) -> None:
    """Formulas that reach beyond the file become their values; only the first range of a sheet stays."""
    for formula in [*root.iter(f"{S}f")]:
        if link := _LINK.fullmatch((formula.text or "").strip()):
            formula.text = (link[2] or link[1]).strip()
        if words := _LITERAL.fullmatch(formula.text or ""):
            cell = formula.getparent()
            cell[:] = []
            cell.set("t", "str")
            etree.SubElement(cell, f"{S}v").text = words[1].replace('""', '"')
            continue
        if _REACHING.search(formula.text or ""):
            cell = formula.getparent()
            cell.remove(formula)
            if not cell.findtext(f"{S}v"):
                document.notes.append(_NOT_CALCULATED)
            for value in cell.findall(f"{S}v") if _TELLING.search(formula.text or "") else ():
                value.text = ""
    for other in root.iter(f"{S}formula", f"{S}formula1", f"{S}formula2", f"{S}definedName"):
        if _REACHING.search(other.text or ""):
            other.text = "0"
    for edge in root.iter(
        *(f"{S}{which}{end}" for which in ("odd", "even", "first") for end in ("Header", "Footer"))
    ):
        edge.text = re.sub("&[FZDTG]", "", edge.text or "")
    cut = False
    for position, row in enumerate(list(root.iterfind(f"{S}sheetData/{S}row")), 1):
        if int(row.get("r") or position) > MOST_ROWS:
            cut |= len(row) > 0
            row.getparent().remove(row)
            continue
        for place, cell in enumerate(list(row), 1):
            if max(place_of(cell.get("r", ""))[1], place) > MOST_COLUMNS:
                cut = True
                row.remove(cell)
    if cut:
        document.notes.append(CUT)
        for merged in [*root.iter(f"{S}mergeCell")]:
            row, column = place_of(merged.get("ref", "").rpartition(":")[2])
            if not 0 < row <= MOST_ROWS or column > MOST_COLUMNS:
                merged.getparent().remove(merged)


def _widen(root: etree._Element, trees: Mapping[str, etree._Element]) -> None:
    """Let the sheet's page reach as far as the text of a last cell runs over empty neighbours."""
    data = root.find(f"{S}sheetData")
    strings, styles = trees.get("xl/sharedStrings.xml"), trees.get("xl/styles.xml")
    texts = [] if strings is None else ["".join(item.itertext(f"{S}t")) for item in strings.iter(f"{S}si")]
    formats = [] if styles is None else styles.findall(f"{S}cellXfs/{S}xf")
    stays = {
        str(n)
        for n, cell_format in enumerate(formats)
        if _STAYS & {stated for own in cell_format.iterfind(f"{S}alignment") for stated in own.items()}
    }
    widths = {
        number: float(column.get("width", _USUAL_WIDTH))
        for column in root.iter(f"{S}col")
        for number in range(int(column.get("min", 1)), min(int(column.get("max", 1)), MOST_COLUMNS) + 1)
    }
    used = reach = 0
    for row in data if data is not None else ():
        cells = [cell for cell in row if len(cell)]
        for cell in cells[-1:]:
            column = last = place_of(cell.get("r", ""))[1]
            used = max(used, column)
            if cell.get("s", "0") in stays or cell.get("t") not in ("s", "inlineStr", "str"):
                continue
            value = "".join(cell.itertext(f"{S}t", f"{S}v"))
            if cell.get("t") == "s":
                value = texts[int(value)] if value.isdigit() and int(value) < len(texts) else ""
            left = len(value) - widths.get(column, _USUAL_WIDTH)
            while left > 0 and last < MOST_COLUMNS:
                last += 1
                left -= widths.get(last, _USUAL_WIDTH)
            reach = max(reach, last)
    if data is not None and reach > used:
        far = etree.SubElement(
            data[0], f"{S}c", r=f"{column_letters(reach)}{data[0].get('r', '1')}", t="inlineStr"
        )
        etree.SubElement(etree.SubElement(far, f"{S}is"), f"{S}t").text = "\u00a0"
