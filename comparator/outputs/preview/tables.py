"""A page of a stored table: its sheets, types and formulas, in the order of the file or of any column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

import pyarrow.compute as pc

from comparator.domain.counted import counted
from comparator.domain.pair.view import Family
from comparator.outputs.preview.document import NotShown, Preview, Span, as_html
from comparator.outputs.tables.delimited import Delimited
from comparator.outputs.tables.store import (
    MEDIA_TYPE,
    MOST_SHEETS,
    Sheet,
    StoredTable,
    column_letters,
    store_delimited,
    store_objects,
)

ROWS = 400
"""Rows of one page."""

_MOST_COLUMNS = 200
_MOST_LETTERS = 4_000_000
_ASKED = re.compile(r"(\d{1,4}),(asc|desc)")
_NUMBER = re.compile(r"[-+]?(?=[.,]?\d)(\d{1,3}([ ,'\u00a0]\d{3})+|\d+)?([.,]\d+)?([eE][-+]?\d+)?\s?%?")
Keep = Callable[[str, Callable[[], bytes]], bytes]
"""Gives what is kept under a name, or makes and keeps it."""


class RowOrder(NamedTuple):
    """By which column rows are ordered, counted from 0."""

    column: int
    down: bool

    @classmethod
    def parse(cls, text: str) -> RowOrder | None:
        """From `3,desc`, columns counted from 1; None for anything else."""
        match = _ASKED.fullmatch(text)
        return cls(int(match[1]) - 1, match[2] == "desc") if match and int(match[1]) else None

    def __str__(self) -> str:
        return f"{self.column + 1},{'desc' if self.down else 'asc'}"


class PageRequest(NamedTuple):
    """What is asked of a table: a sheet and a part (from 1), and an order."""

    page: int = 1
    sheet: int = 1
    order: RowOrder | None = None


def is_table(family: Family, media_type: str) -> bool:
    """Whether a copy is shown as a table in pages of rows."""
    return media_type == MEDIA_TYPE or (media_type == "text/plain" and family is Family.CSV)


def store_table(name: str, family: Family, data: bytes) -> bytes:
    """The table that delimited text or JSON in UTF-8 holds, as it is kept. Raises OutputRefused where it holds none."""
    if family is Family.JSON:
        return store_objects(data)
    if b"\x00" in data:
        raise NotShown("Holds NUL characters, so it is not a table; shown as text.")
    return store_delimited(Delimited(data, name=name))


def render_rows(data: bytes, place: PageRequest, *, family: Family) -> Preview:
    """One page of a table as it is kept, or as it was put in order. Raises OutputRefused."""
    table = StoredTable(data)
    sheet = table.sheet(place.sheet)
    is_book = family is Family.XLSX
    # The row of names of a sheet is a row of it; of other tables it is the heading.
    top = int(not is_book and sheet.headed and sheet.rows > 0)
    if family is Family.CSV and not sheet.rows:
        raise NotShown("An empty table.")
    total = sheet.rows - top
    pages = max(1, -(-total // ROWS))
    page = min(max(place.page, 1), pages)
    first = top + (page - 1) * ROWS
    part = table.rows(sheet, first, first + ROWS)
    lengths = pc.list_value_length(part["cells"]).to_pylist()
    cells, formulas = (
        pc.list_slice(part[name], 0, _MOST_COLUMNS).to_pylist() for name in ("cells", "formulas")
    )
    letters = accumulate(sum(map(len, row)) for row in cells)
    rows: list[list[str]] = cells[: max(1, sum(size <= _MOST_LETTERS for size in letters))]
    # Rows of delimited text and of sheets are numbered as in the file.
    numbers = [
        (first + n if own is None else own) + int(family is not Family.PARQUET)
        for n, own in enumerate(part["number"].to_pylist())
    ]
    heading: list[str] = table.rows(sheet, 0, top)["cells"].to_pylist()[0] if top else []
    width = max([min(len(heading), _MOST_COLUMNS), *map(len, rows)])
    notes: tuple[str, ...] = ()
    if family is Family.CSV and (
        uneven := sum(
            1 for row, length in zip(rows, lengths, strict=False)
            if row and (length < len(heading) or any(row[len(heading) :]))
        )
    ):  # fmt: skip
        notes = (f"{counted(uneven, 'row')} with more or fewer cells than the heading.",)
    names = [column_letters(n + 1) for n in range(width)] if is_book else heading
    # The names of a sheet's columns, where they stand in its first row, say nothing of what is under them.
    own_names = rows[0] if is_book and sheet.headed and numbers[:1] == [1] else []
    under = rows[1:] if own_names else rows
    kinds = [_is_numeric(row[n] for row in under if n < len(row)) for n in range(width)]
    columns = len(heading) if top else sheet.width
    out = [
        _sheets(table.sheets, sheet) if is_book else "",
        _caption(_facts(sheet, total, columns), place.order),
    ]
    if any(formulas):
        out.append(
            '<p class="facts" data-skip><label><input type="checkbox" id="formulas" checked> Show formulas</label></p>'
        )
    if rows:
        out.append('<div class="cells"><table class="data"><thead><tr><th data-skip></th>')
        for n, is_numeric in enumerate(kinds):
            kind = sheet.types[n] if n < len(sheet.types) else "number" if is_numeric else "text"
            # By its name a column is found again in another table.
            name = own_names[n] if n < len(own_names) else ""
            out.append(_heading(names[n] if n < len(names) else "", kind, n, place.order, name=name))
        out.append("</tr></thead><tbody>")
        for number, row, own in zip(numbers, rows, formulas, strict=False):
            out.append(f"<tr><th{'' if is_book else ' data-skip'}>{number}</th>")
            for n, is_numeric in enumerate(kinds):
                formula = own[n] if own and n < len(own) else ""
                value = row[n] if n < len(row) else None
                out.append(_cell(value, is_numeric, formula, f"{column_letters(n + 1)}{number}"))
            out.append("</tr>")
        out.append("</tbody></table></div>")
    if max(lengths, default=0) > _MOST_COLUMNS:
        out.append(f'<p class="facts" data-skip>Only the first {_MOST_COLUMNS} columns are shown.</p>')
    span = None
    if pages > 1:
        begins = (page - 1) * ROWS + 1 + int(family is Family.CSV)
        span = Span("row", begins, begins + max(len(rows), 1) - 1, total + int(family is Family.CSV))
    return Preview("".join(out), notes, page, pages, span=span)


def _sheets(sheets: Sequence[Sheet], own: Sheet) -> str:
    links = "".join(
        f'<a data-go="sheet={number}"{" aria-current=true" if sheet is own else ""}>{as_html(sheet.name)}</a>'
        for number, sheet in enumerate(sheets[:MOST_SHEETS], 1)
    )
    return (
        f'<nav class="sheets" data-skip>{links}</nav>' if len(sheets) > 1 else ""
    ) + f"<h2>{as_html(own.name)}</h2>"


def _caption(facts: str, order: RowOrder | None) -> str:
    back = ""
    if order:
        way = "from the largest" if order.down else "from the smallest"
        facts += f"; sorted by column {order.column + 1}, {way}"
        back = ' <a data-go="sort=">In the order of the file</a>'
    return f'<p class="facts" data-skip>{as_html(facts)}{back}</p>'


def _facts(sheet: Sheet, rows: int, columns: int) -> str:
    facts = [f"{counted(rows, 'row')} × {counted(columns, 'column')}" if sheet.rows else "no cells"]
    if sheet.merged:
        facts.append(f"merged: {', '.join(sheet.merged[:8])}{' …' if len(sheet.merged) > 8 else ''}")
    if not sheet.types:
        facts += [fact.rstrip(".") for fact in sheet.facts][:12]
    if sheet.omitted:
        facts.append(f"{sheet.omitted:,} more rows not read")
    return "; ".join(facts)


def _heading(label: str, kind: str, column: int, order: RowOrder | None, *, name: str) -> str:
    order = order if order and order.column == column else None
    down = order is not None and not order.down
    state = "" if order is None else f' aria-sort="{"descending" if order.down else "ascending"}"'
    state += f' data-name="{as_html(name)}"' if name else ""
    sign = "\u2195" if order is None else "\u2193" if order.down else "\u2191"
    tooltip = f"Sort by this column, {'largest' if down else 'smallest'} first"
    return (
        f'<th{state}>{as_html(label)}<a class="sort" data-skip data-go="sort={RowOrder(column, down)}" '
        f'title="{tooltip}" aria-label="{tooltip}">'
        f'{sign}</a><span class="type" data-skip>{as_html(kind)}</span></th>'
    )


def _cell(value: str | None, is_numeric: bool, formula: str, place: str) -> str:
    css = ' class="e"' if value is None else ' class="n"' if is_numeric or _is_numeric([value]) else ""
    if formula and not value:
        # The words of the judge's text, so that they can be quoted.
        return f'<td{css}><span class="fx">{as_html(formula)} (not calculated)</span></td>'
    own = f'<span class="fx" data-skip data-cell="{place}">{as_html(formula)}</span>' if formula else ""
    return f"<td{css}>{as_html(value or '')}{own}</td>"


def _is_numeric(values: Iterable[str]) -> bool:
    """Whether some of the values are numbers and no other is anything but blank."""
    filled = [text for value in values if (text := value.strip())]
    return bool(filled) and all(text[-1] in "0123456789.%" and _NUMBER.fullmatch(text) for text in filled)
