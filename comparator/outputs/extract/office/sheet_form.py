"""What a sheet has beyond its values: formulas, merged cells, formats, charts, comments without author."""

from __future__ import annotations

import html
import io
import re
import warnings
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import openpyxl

from comparator.outputs.child.extraction import ReadLimits

_MOST_BYTES = 12 * 1024 * 1024
"""openpyxl takes a second for a few megabytes of a sheet; of larger ones only the formulas are read."""

_MOST_SHEET = 200 * 1024 * 1024
_FORMULA = re.compile(rb'<c r="([A-Z]{1,3}\d{1,7})"[^>]*><f\b[^>]*>([^<]+)</f>')
_SHEET = re.compile(r'<sheet\b[^>]*?\bname="([^"]*)"[^>]*?\br:id="([^"]*)"')
_RELATION = re.compile(r"<Relationship\b([^>]*)>")
_ATTRIBUTE = re.compile(r'([A-Za-z]+)="([^"]*)"')
_GENERAL = ("General", "@")


@dataclass(frozen=True)
class Form:
    """Of one sheet: formulas by cell, merged ranges, and plain sentences."""

    formulas: dict[str, str] = field(default_factory=dict)
    merged: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


def forms_of(data: bytes, limits: ReadLimits) -> dict[str, Form] | None:
    """The form of each sheet by its name; None where the workbook is too large or openpyxl cannot read it."""
    if is_large(data):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(data), data_only=False, keep_links=False)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        OSError,
        SyntaxError,
        zipfile.BadZipFile,
    ):
        return None
    return {sheet.title: _form(sheet, limits) for sheet in book.worksheets}


def is_large(data: bytes) -> bool:
    """Whether a workbook is too large for its form to be read."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        sheets = [i.file_size for i in package.infolist() if i.filename.startswith("xl/worksheets/")]
    return sum(sheets) > _MOST_BYTES


def formulas_in(data: bytes) -> dict[str, dict[str, str]]:
    """The formulas of each sheet of a large workbook by its name; repeated ones are not told."""
    found: dict[str, dict[str, str]] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = set(package.namelist())
        targets = _targets(_text(package, "xl/_rels/workbook.xml.rels", names))
        for name, relation in _SHEET.findall(_text(package, "xl/workbook.xml", names)):
            part = "xl/" + targets.get(relation, "").removeprefix("/xl/")
            if part in names and package.getinfo(part).file_size <= _MOST_SHEET:
                xml = package.read(part)
                found[html.unescape(name)] = {
                    cell.decode(): "=" + html.unescape(formula.decode("utf-8", "replace"))
                    for cell, formula in _FORMULA.findall(xml)
                }
    return found


def _targets(xml: str) -> dict[str, str]:
    targets: dict[str, str] = {}
    for element in _RELATION.findall(xml):
        attributes = dict(_ATTRIBUTE.findall(element))
        targets[attributes.get("Id", "")] = attributes.get("Target", "")
    return targets


def _text(package: zipfile.ZipFile, name: str, names: set[str]) -> str:
    return package.read(name).decode("utf-8", "replace") if name in names else ""


def _form(sheet: Any, limits: ReadLimits) -> Form:
    formulas: dict[str, str] = {}
    formats: dict[str, Counter[str]] = {}
    comments: list[str] = []
    bold: set[int] = set()
    # The cells that are there: openpyxl's rows have all up to the last one, of which there may be billions.
    there = sorted(sheet._cells.items())  # noqa: SLF001
    for seen, (_, cell) in enumerate(there):
        if seen > limits.cells:
            break
        if cell.comment is not None:
            comments.append(f"Comment on {cell.coordinate}: {_comment(cell.comment)}")
        if cell.value is None:
            continue
        if cell.data_type == "f":
            formulas[cell.coordinate] = _formula(cell.value)
        if cell.number_format not in _GENERAL:
            formats.setdefault(cell.column_letter, Counter())[cell.number_format] += 1
        if cell.font is not None and cell.font.b:
            bold.add(cell.row)
    facts = []
    if formats:
        listed = ", ".join(f"{column}: {counts.most_common(1)[0][0]}" for column, counts in formats.items())
        facts.append(f"Number formats by column: {listed}.")
    if bold:
        facts.append(f"Bold cells in rows: {', '.join(str(row) for row in sorted(bold)[:50])}.")
    if sheet.freeze_panes:
        facts.append(f"Panes are frozen at {sheet.freeze_panes}.")
    # openpyxl has no public name for what is drawn on a sheet.
    charts, images = sheet._charts, sheet._images  # noqa: SLF001
    if charts:
        facts.append(f"Charts: {len(charts)}.")
    if images:
        facts.append(f"Pictures: {len(images)} (not shown).")
    if sheet.auto_filter is not None and sheet.auto_filter.ref:
        facts.append(f"Filter on {sheet.auto_filter.ref}.")
    merged = tuple(str(area) for area in list(sheet.merged_cells.ranges)[:1000])
    return Form(formulas=formulas, merged=tuple(sorted(merged)), facts=(*facts, *comments[:200]))


def _formula(value: Any) -> str:
    text = getattr(value, "text", None) or getattr(value, "ref", None) or value
    return str(text)


def _comment(comment: Any) -> str:
    text = str(comment.text or "")
    author = f"{comment.author}:"
    if comment.author and text.startswith(author):
        text = text[len(author) :]
    return " ".join(text.split())
