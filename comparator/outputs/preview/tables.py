"""A page of a stored table: its sheets, types and formulas, in the order of the file or of any column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import pyarrow.compute as pc

from comparator.domain.counted import counted
from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import NotShown, Preview, Span, shown
from comparator.outputs.tables.delimited import Delimited
from comparator.outputs.tables.store import (
    MEDIA_TYPE,
    MOST_SHEETS,
    Sheet,
    StoredTable,
    column_letters,
    column_number,
    store_delimited,
)

ROWS = 400
"""Rows of one page."""

_MOST_COLUMNS = 200
_MOST_LETTERS = 4_000_000
_ASKED = re.compile(r"(\d{1,4}),(asc|desc)")
_NUMBER = re.compile(r"[-+]?(\d{1,3}([ ,'\u00a0]\d{3})+|\d+)?([.,]\d+)?([eE][-+]?\d+)?\s?%?")
_DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?([T ]\d\d?:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)
_TRUTH = frozenset({"true", "false", "yes", "no"})
Keep = Callable[[str, Callable[[], bytes]], bytes]
"""Gives what is kept under a name, or makes and keeps it."""


@dataclass(frozen=True, slots=True)
class RowOrder:
    """By which column rows are ordered, counted from 0."""

    column: int
    down: bool

    @classmethod
    def asked(cls, text: str) -> RowOrder | None:
        """From `3,desc`, columns counted from 1; None for anything else."""
        match = _ASKED.fullmatch(text)
        return cls(int(match[1]) - 1, match[2] == "desc") if match and int(match[1]) else None

    def __str__(self) -> str:
        return f"{self.column + 1},{'desc' if self.down else 'asc'}"


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What is asked of a table: a sheet and a part (from 1), an order, or the row that is to be on the part."""

    page: int = 1
    sheet: int = 1
    order: RowOrder | None = None
    row: int | None = None


def is_table(family: Family, media_type: str) -> bool:
    """Whether a copy is shown as a table in pages of rows."""
    return media_type == MEDIA_TYPE or (media_type == "text/plain" and family is Family.CSV)


def page_of_row(place: PageRequest, *, family: Family) -> PageRequest:
    """The place by its page alone: the one that holds the row where the rows stand as in the file."""
    if place.row is None or place.order is not None:
        return replace(place, row=None)
    # Rows of delimited text are numbered with the heading as the first.
    row = max(place.row - 1, 1) if family is Family.CSV else place.row
    return replace(place, page=(row - 1) // ROWS + 1, row=None)


def stored(name: str, data: bytes) -> bytes:
    """Delimited text in UTF-8 as it is kept. Raises NotShown."""
    if b"\x00" in data:
        raise NotShown("Holds NUL characters, so it is not a table; shown as text.")
    return store_delimited(Delimited(data, name=name))


def render_rows(data: bytes, place: PageRequest, *, family: Family) -> Preview:
    """One page of a table as it is kept, or as it was put in order. Raises OutputRefused."""
    table = StoredTable(data)
    sheet = table.sheet(place.sheet)
    # The row of names of a sheet is a row of it; of other tables it is the heading.
    top = int(family is not Family.XLSX and sheet.headed and sheet.rows > 0)
    if family is Family.CSV and not sheet.rows:
        raise NotShown("An empty table.")
    total = sheet.rows - top
    pages = max(1, -(-total // ROWS))
    page = min(max(place.page, 1), pages)
    first = top + (page - 1) * ROWS
    found = table.rows(sheet, first, first + ROWS)
    widths = pc.list_value_length(found["cells"]).to_pylist()
    rows = pc.list_slice(found["cells"], 0, _MOST_COLUMNS).to_pylist()
    letters = 0
    for count, row in enumerate(rows):
        letters += sum(map(len, row))
        if letters > _MOST_LETTERS and count:
            del rows[count:]
            break
    own = found["number"].to_pylist()[: len(rows)]
    places = [first + n if number is None else number for n, number in enumerate(own)]
    heading = table.rows(sheet, 0, top)["cells"]
    named = pc.sum(pc.list_value_length(heading)).as_py() or 0
    names = pc.list_slice(heading, 0, _MOST_COLUMNS).to_pylist()[0] if top else []
    part = _Part(sheet, rows, places, place.order, names, max(widths, default=0))
    formulas = _formulas(pc.list_slice(found["formulas"], 0, _MOST_COLUMNS).to_pylist()[: len(rows)], places)
    notes: tuple[str, ...] = ()
    match family:
        case Family.CSV:
            uneven = sum(
                1
                for row, width in zip(rows, widths, strict=False)
                if row and (width < named or any(row[named:]))
            )
            if uneven:
                notes = (f"{counted(uneven, 'row')} with more or fewer cells than the heading.",)
            facts = f"{counted(total, 'row')} × {counted(named, 'column')}, {'; '.join(sheet.facts)}"
            body = _caption(facts, part.order) + _table(part, [place + 1 for place in places])
        case Family.PARQUET:
            bare = sheet.model_copy(update={"facts": (), "rows": total})
            body = _caption(_facts(bare), part.order) + _table(part, places)
        case _:
            body = _workbook(table.sheets, part, formulas)
    span = None
    if pages > 1:
        begins = (page - 1) * ROWS + 1 + int(family is Family.CSV)
        span = Span("row", begins, begins + max(len(rows), 1) - 1, total + int(family is Family.CSV))
    return Preview(body, notes, page, pages, span=span)


class _Part(NamedTuple):
    """Rows of one page in their first columns, their places in the sheet (from 0), and the names above them."""

    sheet: Sheet
    rows: list[list[str]]
    places: list[int]
    order: RowOrder | None
    names: Sequence[str]
    width: int
    """Of the longest row."""


def _formulas(rows: Sequence[Sequence[str] | None], places: Sequence[int]) -> dict[str, str]:
    return {
        f"{column_letters(column)}{place + 1}": formula
        for place, row in zip(places, rows, strict=True)
        for column, formula in enumerate(row or (), 1)
        if formula
    }


def _workbook(sheets: Sequence[Sheet], part: _Part, formulas: Mapping[str, str]) -> str:
    out = []
    if len(sheets) > 1:
        links = "".join(
            f'<a data-go="sheet={number}"{" aria-current=true" if sheet is part.sheet else ""}>{shown(sheet.name)}</a>'
            for number, sheet in enumerate(sheets[:MOST_SHEETS], 1)
        )
        out.append(f'<nav class="sheets" data-skip>{links}</nav>')
    out.append(f"<section><h2>{shown(part.sheet.name)}</h2>{_caption(_facts(part.sheet), part.order)}")
    if formulas:
        out.append(
            '<p class="facts" data-skip><label><input type="checkbox" id="formulas" checked> Show formulas</label></p>'
        )
    width = max(map(len, part.rows), default=0)
    lettered = part._replace(names=[column_letters(number) for number in range(1, width + 1)])
    if part.rows:
        numbers = [place + 1 for place in part.places]
        out.append(_table(lettered, numbers, formulas))
    out.append("</section>")
    return "".join(out)


def _caption(facts: str, order: RowOrder | None) -> str:
    back = ""
    if order:
        way = "from the largest" if order.down else "from the smallest"
        facts += f"; sorted by column {order.column + 1}, {way}"
        back = ' <a data-go="sort=">In the order of the file</a>'
    return f'<p class="facts" data-skip>{shown(facts)}{back}</p>'


def _facts(sheet: Sheet) -> str:
    facts = [f"{counted(sheet.rows, 'row')} × {counted(sheet.width, 'column')}" if sheet.rows else "no cells"]
    if sheet.merged:
        facts.append(f"merged: {', '.join(sheet.merged[:8])}{' …' if len(sheet.merged) > 8 else ''}")
    facts += [fact.rstrip(".") for fact in sheet.facts][:12]
    if sheet.omitted:
        facts.append(f"{sheet.omitted:,} more rows not read")
    return "; ".join(facts)


def _table(part: _Part, numbers: Sequence[int], formulas: Mapping[str, str] | None = None) -> str:
    """One table. With `formulas` its names are the sheet's letters, and letters and numbers can be quoted."""
    rows, names, types = part.rows, part.names, part.sheet.types
    width = max(chain([len(names)], map(len, rows)))
    # The names of a sheet's columns, where they stand in its first row, say nothing of what is under them.
    named = formulas is not None and part.sheet.headed and part.places[:1] == [0]
    under = rows[1:] if named else rows
    kinds = [_kind(row[n] for row in under if n < len(row)) for n in range(width)]
    for place in formulas or ():
        n = column_number(place.rstrip("0123456789")) - 1
        if n < width and kinds[n] == "empty":
            kinds[n] = "formula"
    out = ['<div class="cells"><table class="data"><thead><tr><th data-skip></th>']
    for n in range(width):
        # By its name a column is found again in another table.
        name = rows[0][n] if named and n < len(rows[0]) else ""
        kind = types[n] if n < len(types) else kinds[n]
        out.append(_heading(names[n] if n < len(names) else "", kind, n, part.order, name=name))
    out.append("</tr></thead><tbody>")
    for number, row in zip(numbers, rows, strict=False):
        out.append(f"<tr><th{' data-skip' if formulas is None else ''}>{number}</th>")
        for n, kind in enumerate(kinds):
            place = f"{column_letters(n + 1)}{number}" if formulas else ""
            out.append(_cell(row[n] if n < len(row) else None, kind, (formulas or {}).get(place, ""), place))
        out.append("</tr>")
    out.append("</tbody></table></div>")
    if part.width > _MOST_COLUMNS:
        out.append(f'<p class="facts" data-skip>Only the first {_MOST_COLUMNS} columns are shown.</p>')
    return "".join(out)


def _heading(label: str, kind: str, column: int, order: RowOrder | None, *, name: str) -> str:
    order = order if order and order.column == column else None
    down = order is not None and not order.down
    state = "" if order is None else f' aria-sort="{"descending" if order.down else "ascending"}"'
    state += f' data-name="{shown(name)}"' if name else ""
    sign = "\u2195" if order is None else "\u2193" if order.down else "\u2191"
    tooltip = f"Sort by this column, {'largest' if down else 'smallest'} first"
    return (
        f'<th{state}>{shown(label)}<a class="sort" data-skip data-go="sort={RowOrder(column, down)}" '
        f'title="{tooltip}" aria-label="{tooltip}">'
        f'{sign}</a><span class="type" data-skip>{shown(kind)}</span></th>'
    )


def _cell(value: str | None, kind: str, formula: str, place: str) -> str:
    css = ' class="e"' if value is None else ' class="n"' if _is_number(value, kind) else ""
    opened = f"<td{css}>"
    if formula and not value:
        # The words of the judge's text, so that they can be quoted.
        return f'{opened}<span class="fx">{shown(formula)} (not calculated)</span></td>'
    text = shown(value or "")
    if formula:
        text += f'<span class="fx" data-skip data-cell="{place}">{shown(formula)}</span>'
    return f"{opened}{text}</td>"


def _is_number(value: str, kind: str) -> bool:
    return kind == "number" or (value[-1:].isdigit() and _kind(iter([value])) == "number")


def _kind(values: Iterator[str]) -> str:
    seen = set()
    for value in values:
        text = value.strip()
        if not text:
            continue
        if _NUMBER.fullmatch(text) and any(map(str.isdigit, text)):
            seen.add("number")
        elif _DATE.fullmatch(text):
            seen.add("date")
        elif text.lower() in _TRUTH:
            seen.add("true/false")
        else:
            return "text"
    if not seen:
        return "empty"
    return seen.pop() if len(seen) == 1 else "text"
