"""Workbooks: formulas that reach beyond the file become their values, and only the first range of a sheet is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from comparator.outputs.pictures.office.clean.found import OfficeFindings
from comparator.outputs.tables.store import column_letters, column_number

S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
MOST_ROWS = 300
MOST_COLUMNS = 50
_REACHING = re.compile(
    r"WEBSERVICE|FILTERXML|DDE\s*\(|RTD\s*\(|CELL\s*\(\s*[\"']?filename|INFO\s*\(|\[\d+\]|\[[^\]]*\.xl|https?:|file:|\\\\|"
    r"\b(?:TODAY|NOW|RAND|RANDBETWEEN)\s*\(|\|'",
    re.IGNORECASE,
)
_TELLING = re.compile(r"CELL\s*\(\s*[\"']?filename|INFO\s*\(", re.IGNORECASE)
_HEADER_CODES = re.compile(r"&[FZDTG]")
_NOT_CALCULATED = (
    "(not calculated): formulas that depend on the day, on chance or on other files, and of which the file holds no "
    "value, are empty in the pages."
)
_CELL = re.compile(r"^([A-Z]{1,3})(\d{1,7})")
_USUAL_WIDTH = 8.43
"""Characters in a column of the usual width."""
_STAYS = {("wrapText", "1"), ("wrapText", "true"), ("shrinkToFit", "1"), ("horizontal", "fill")}
"""How text is kept in its cell."""
_EDGES = ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")


def reaches_out(formula: str) -> bool:
    """Whether a formula asks for something beyond its workbook."""
    return bool(_REACHING.search(formula))


def clean(name: str, root: etree._Element, found: OfficeFindings) -> None:
    """Clean one part of a workbook, in place."""
    for formula in [*root.iter(f"{S}f")]:
        if reaches_out(formula.text or ""):
            cell = formula.getparent()
            cell.remove(formula)
            if not cell.findtext(f"{S}v"):
                found.notes.append(_NOT_CALCULATED)
            if _TELLING.search(formula.text or ""):
                for value in cell.findall(f"{S}v"):
                    value.text = ""
    for other in root.iter(f"{S}formula", f"{S}formula1", f"{S}formula2", f"{S}definedName"):
        if reaches_out(other.text or ""):
            other.text = "0"
    for edge in (each for tag in _EDGES for each in root.iter(f"{S}{tag}")):
        edge.text = _HEADER_CODES.sub("", edge.text or "")
    if name.startswith("xl/worksheets/"):
        _first_range(root, found)


def _first_range(root: etree._Element, found: OfficeFindings) -> None:
    data = root.find(f"{S}sheetData")
    if data is None:
        return
    cut = False
    for position, row in enumerate(list(data), 1):
        number = int(row.get("r") or position)
        if number > MOST_ROWS:
            cut = cut or len(row) > 0
            data.remove(row)
            continue
        for place, cell in enumerate(list(row), 1):
            if _column(cell.get("r", "")) > MOST_COLUMNS or place > MOST_COLUMNS:
                cut = True
                row.remove(cell)
    if not cut:
        return
    found.notes.append(
        f"Of large sheets the first {MOST_ROWS} rows and {MOST_COLUMNS} columns are shown as pages; the rest is in the "
        "text."
    )
    for merged in [*root.iter(f"{S}mergeCell")]:
        last = _CELL.match(merged.get("ref", "").rpartition(":")[2])
        if last is None or int(last[2]) > MOST_ROWS or _column(last[0]) > MOST_COLUMNS:
            merged.getparent().remove(merged)


def widen(root: etree._Element, trees: Mapping[str, etree._Element]) -> None:
    """Let the sheet's page reach as far as the text of a last cell runs over empty neighbours."""
    data = root.find(f"{S}sheetData")
    strings, styles = trees.get("xl/sharedStrings.xml"), trees.get("xl/styles.xml")
    texts = [] if strings is None else ["".join(item.itertext(f"{S}t")) for item in strings.iter(f"{S}si")]
    formats = [] if styles is None else styles.findall(f"{S}cellXfs/{S}xf")
    stays = {
        str(n)
        for n, each in enumerate(formats)
        if _STAYS & {*(each.find(f"{S}alignment") or each).attrib.items()}
    }
    merged = {_CELL.match(each.get("ref", "")) for each in root.iter(f"{S}mergeCell")}
    within = {place[0] for place in merged if place}
    widths = {
        number: float(each.get("width", _USUAL_WIDTH))
        for each in root.iter(f"{S}col")
        for number in range(int(each.get("min", 1)), min(int(each.get("max", 1)), MOST_COLUMNS) + 1)
    }
    used = reach = 0
    for row in data if data is not None else ():
        cells = [cell for cell in row if len(cell)]
        for cell in cells[-1:]:
            column = last = _column(cell.get("r", ""))
            used = max(used, column)
            if (
                cell.get("s", "0") in stays
                or cell.get("r") in within
                or cell.get("t") not in ("s", "inlineStr", "str")
            ):
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


def _column(place: str) -> int:
    """The number of a cell's column, from 1; 0 where it is not told."""
    match = _CELL.match(place)
    return column_number(match[1]) if match else 0
