"""Tables side by side: rows that belong together at one height, with the cells that differ marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from comparator.domain.counted import counted
from comparator.outputs.differences.alignment import aligned
from comparator.outputs.differences.model import (
    Both,
    ChangedPart,
    DrawnRow,
    FileComparison,
    in_parts,
    percent_of,
    room,
)
from comparator.outputs.differences.text import word_marks
from comparator.outputs.preview.document import NotShown, reveal, shown
from comparator.outputs.preview.tables import stored
from comparator.outputs.tables.store import StoredTable, with_formulas

_MOST_CELLS = 1_500_000
"""Of a table with more cells its lines are compared: the cells of two such tables take half a gigabyte."""
_MOST_COLUMNS = 2_000
"""More columns than these nobody reads side by side, and laying them out takes a browser minutes."""
_LIKE = 0.3
_KEYS = 12
"""Among so many columns a key is looked for."""
_LONG = 30
_FORMULA = re.compile(r"(?:^|[\s\[])=")
Row = tuple[str, ...]
Matched = tuple[int | None, int | None]
"""Which row or column of A stands beside which of B; None for none."""


class TableRows(NamedTuple):
    """A table: the names of its columns, and its rows, as wide as it is, with the number of the first in the file."""

    name: str
    heading: Row
    rows: Sequence[Row]
    first: int


class Tables(NamedTuple):
    """Which columns and which rows belong together, and the name of the column by which they were found."""

    columns: tuple[Matched, ...]
    rows: tuple[Matched, ...]
    key: str | None


def sheets(name: str, media_type: str, data: bytes) -> list[TableRows]:
    """The tables. Raises OutputRefused where they cannot be compared by cells."""
    table = StoredTable(stored(name, data) if media_type == "text/plain" else data)
    if sum(sheet.rows * sheet.width for sheet in table.sheets) > _MOST_CELLS:
        raise NotShown(f"More than {_MOST_CELLS:,} cells: too many to be compared by cell.")
    tables = []
    for sheet in table.sheets:
        if sheet.width > _MOST_COLUMNS:
            raise NotShown(f"Has {sheet.width:,} columns, more than {_MOST_COLUMNS:,}.")
        rows = [(*row, *[""] * (sheet.width - len(row))) for row in with_formulas(table.rows(sheet))]
        top = int(sheet.headed)
        heading = tuple(map(reveal, rows[0])) if top and rows else ("",) * sheet.width
        tables.append(TableRows(sheet.name, heading, rows[top:], top + 1))
    return tables


def compare_sheets(a: Sequence[TableRows], b: Sequence[TableRows]) -> FileComparison:
    """Two tables, or the sheets of two workbooks by their names."""
    notes: list[str] = []
    parts: list[ChangedPart] = []
    common = total = changes = 0
    for own, other in _sheets(a, b):
        tables = matched_tables(own, other)
        rows, alike = _drawn(own, other, tables, changes)
        parts += in_parts(
            rows, opening=_heading(own, other, tables), closing="</tbody></table></div>", before=changes
        )
        changes += sum(bool(row.change) for row in rows)
        common += 2 * alike
        total += sum(len(sheet.rows) * max(len(sheet.heading), 1) for sheet in (own, other))
        lonely = [(other.heading[m], "B") for n, m in tables.columns if n is None and m is not None]
        lonely += [(own.heading[n], "A") for n, m in tables.columns if m is None and n is not None]
        notes += [f"Column “{name}” is only in {side}." for name, side in lonely[:20]]
    percent = percent_of(min(common, total), total, differs=changes > 0 or bool(notes))
    return FileComparison(changes, percent, "cells", tuple(notes), tuple(parts))


def matched_tables(a: TableRows, b: TableRows) -> Tables:
    """Rows of A beside rows of B: by a key column where there is one, else by what they hold and where they stand."""
    columns = tuple(_columns(a.heading, b.heading))
    both = [(n, m) for n, m in columns if n is not None and m is not None]
    for n, m in both[:_KEYS]:
        keys = [[row[at].strip() for row in side.rows] for at, side in ((n, a), (m, b))]
        if a.heading[n] and _are_keys(*keys):
            return Tables(columns, tuple(_by_key(*keys)), a.heading[n])
    # A column of one side changes no row.
    left, right = (
        [tuple(row[n] for n, _ in both) for row in a.rows],
        [tuple(row[m] for _, m in both) for row in b.rows],
    )
    rows = [
        pair
        for block in aligned(left, right)
        for pair in zip_longest(range(block.a, block.a_end), range(block.b, block.b_end))
    ]
    return Tables(columns, tuple(rows), None)


def _sheets(a: Sequence[TableRows], b: Sequence[TableRows]) -> Iterator[tuple[TableRows, TableRows]]:
    """Sheets of the same name; the others in their order, and what is left over beside nothing."""
    names, by_name = {sheet.name for sheet in a}, {sheet.name: sheet for sheet in b}
    left = [sheet for sheet in b if sheet.name not in names]
    for sheet in a:
        other = by_name.get(sheet.name) or (left.pop(0) if left else TableRows(sheet.name, (), (), 1))
        yield sheet, other
    for sheet in left:
        yield TableRows(sheet.name, (), (), 1), sheet


def _columns(a: Row, b: Row) -> Iterator[Matched]:
    """The columns of both by their names; by place where names are missing, doubled or hardly shared."""
    names, others = ([name.strip() for name in side] for side in (a, b))
    shared = set(names) & set(others)
    unique = all(all(side) and len(set(side)) == len(side) for side in (names, others))
    if not unique or 2 * len(shared) < min(len(names), len(others)):
        yield from zip_longest(range(len(a)), range(len(b)))
        return
    places = {name: m for m, name in enumerate(others)}
    for block in aligned(names, others):
        yield from ((n, places.get(names[n])) for n in range(block.a, block.a_end))
        yield from ((None, m) for m in range(block.b, block.b_end) if others[m] not in shared)


def _are_keys(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether the values are all there, each once a side, and partly shared; formulas name other rows."""
    for values in (a, b):
        if (
            len(values) < 2
            or not all(values)
            or len(set(values)) < len(values)
            or any(map(_FORMULA.search, values))
        ):
            return False
    return len(set(a).intersection(b)) >= max(2, _LIKE * min(len(a), len(b)))


def _by_key(a: Sequence[str], b: Sequence[str]) -> Iterator[Matched]:
    """In the order of A; a row of B alone stands behind the row that it stands behind in B."""
    known, places = set(a), {key: m for m, key in enumerate(b)}

    def alone(m: int) -> Iterator[Matched]:
        while m < len(b) and b[m] not in known:
            yield None, m
            m += 1

    yield from alone(0)
    for n, key in enumerate(a):
        place = places.get(key)
        yield n, place
        if place is not None:
            yield from alone(place + 1)


def _heading(a: TableRows, b: TableRows, tables: Tables) -> Both:
    names = " and ".join(dict.fromkeys(name for name in (a.name, b.name) if name))
    title = f"<h2>{shown(names)}</h2>" if names else ""
    how = f"by “{tables.key}”" if tables.key else "by content and position"
    counts = f"{counted(len(a.rows), 'row')} in A, {len(b.rows):,} in B."
    about = f'{title}<p class="facts" data-skip>{counts} Rows are matched {shown(how)}.</p>'
    sides = []
    for own, tag, at in ((a, "del", 0), (b, "ins", 1)):
        cells = []
        for column in tables.columns:
            n, m = column if at == 0 else (column[1], column[0])
            other = (b if at == 0 else a).heading
            if n is None:
                cells.append(f'<th class="gap"><div>{room(shown(other[m or 0]) or "&nbsp;")}</div></th>')
            else:
                name = shown(own.heading[n]) or "&nbsp;"
                cells.append(f"<th>{name if m is not None else f'<{tag}>{name}</{tag}>'}</th>")
        sides.append(
            f'{about}<div class="cells"><table class="data differ"><thead><tr><th></th>{"".join(cells)}</tr></thead>'
            "<tbody>"
        )
    return Both(*sides)


def _drawn(a: TableRows, b: TableRows, tables: Tables, changes: int) -> tuple[list[DrawnRow], int]:
    """The rows, with changes numbered from the one after `changes`, and how many cells are the same on both sides."""
    rows: list[DrawnRow] = []
    alike = 0
    for n, m in tables.rows:
        row, other = None if n is None else a.rows[n], None if m is None else b.rows[m]
        pairs = [
            (None if row is None or i is None else row[i], None if other is None or j is None else other[j])
            for i, j in tables.columns
        ]
        differs = row is None or other is None
        differs = differs or any(None not in pair and pair[0] != pair[1] for pair in pairs)
        alike += sum(own is not None and own == second for own, second in pairs)
        changes += differs
        mark = f' data-change="{changes}"' if differs else ""
        cells = [_cells(*pair) for pair in pairs]
        numbers = ["" if place is None else place + sheet.first for place, sheet in ((n, a), (m, b))]
        lines = (
            f"<tr{mark}><th>{number}</th>{''.join(side)}</tr>"
            for number, side in zip(numbers, zip(*cells, strict=True) if cells else ((), ()), strict=True)
        )
        rows.append(DrawnRow(changes if differs else 0, Both(*lines)))
    return rows, alike


def _cells(own: str | None, other: str | None) -> Both:
    if own == other:
        cell = f"<td>{shown(own or '')}</td>"
        return Both(cell, cell)
    if own is not None and other is not None and min(len(own), len(other)) > _LONG:
        one, two = word_marks(own, other)
    else:
        one, two = f"<del>{shown(own)}</del>" if own else "", f"<ins>{shown(other)}</ins>" if other else ""
    return Both(_cell(own, one, two), _cell(other, two, one))


def _cell(own: str | None, here: str, other: str) -> str:
    if own is None:
        return f'<td class="gap"><div>{room(other)}</div></td>'
    return f'<td class="other"><div><span>{here or "<i>empty</i>"}</span>{room(other)}</div></td>'
