"""Workbooks: formulas that reach beyond the file become their values, and only the first range of a sheet is shown."""

from __future__ import annotations

import re

from lxml import etree

from comparator.outputs.pictures.office.clean.found import OfficeFindings

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


def _column(place: str) -> int:
    """The number of a cell's column, from 1; 0 where it is not told."""
    match = _CELL.match(place)
    number = 0
    for letter in match[1] if match else "":
        number = number * 26 + ord(letter) - 64
    return number
