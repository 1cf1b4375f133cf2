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


class TableRows(NamedTuple):
    """A table: the names of its columns, and its rows with the numbers that they have in the file."""

    name: str
    heading: tuple[str, ...]
    rows: Sequence[Row]
    first: int


class ComparedColumn(NamedTuple):
    """A column of both tables; None where one has no such column."""

    name: str
    a: int | None
    b: int | None


class RowPair(NamedTuple):
    """Which row of A stands beside which of B; None for no row."""

    a: int | None
    b: int | None


class Tables(NamedTuple):
    """Which columns and which rows belong together, and the name of the column by which they were found."""

    columns: tuple[ComparedColumn, ...]
    rows: tuple[RowPair, ...]
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
        rows = [tuple(row) for row in with_formulas(table.rows(sheet))]
        top = int(sheet.headed)
        names = tuple(reveal(name) for row in rows[:top] for name in row)
        names += ("",) * (sheet.width - len(names))
        tables.append(TableRows(sheet.name, names, rows[top:], top + 1))
    return tables


def compare_sheets(a: Sequence[TableRows], b: Sequence[TableRows]) -> FileComparison:
    """Two tables, or the sheets of two workbooks by their names."""
    notes: list[str] = []
    parts: list[ChangedPart] = []
    common = total = changes = 0
    for own, other in _sheets(a, b):
        tables = matched_tables(own, other)
        rows, alike = _drawn(own, other, tables, changes)
        changes += sum(bool(row.change) for row in rows)
        heading = _heading(own, other, tables)
        parts += in_parts(
            rows, opening=heading, closing="</tbody></table></div>", before=parts[-1].last if parts else 0
        )
        common += 2 * alike
        total += sum(len(sheet.rows) * max(len(sheet.heading), 1) for sheet in (own, other))
        lonely = [column for column in tables.columns if column.a is None or column.b is None]
        notes += [
            f"Column “{column.name}” is only in {'A' if column.b is None else 'B'}." for column in lonely[:20]
        ]
    percent = percent_of(min(common, total), total, differs=changes > 0 or bool(notes))
    return FileComparison(changes, percent, "cells", tuple(notes), tuple(parts))


def matched_tables(a: TableRows, b: TableRows) -> Tables:
    """Rows of A beside rows of B: by a key column where there is one, else by what they hold and where they stand."""
    columns = _columns(a.heading, b.heading)
    key = next(filter(None, (_keys(column, a.rows, b.rows) for column in columns[:_KEYS])), None)
    if key is not None:
        return Tables(columns, tuple(_by_key(key.a, key.b)), key.name)
    left, right = _values(a.rows, b.rows, columns)
    rows: list[RowPair] = []
    for block in aligned(left, right):
        pairs = zip_longest(range(block.a, block.a_end), range(block.b, block.b_end))
        rows += [RowPair(n, m) for n, m in pairs]
    return Tables(columns, tuple(rows), None)


def _sheets(a: Sequence[TableRows], b: Sequence[TableRows]) -> Iterator[tuple[TableRows, TableRows]]:
    """Sheets of the same name; the others in their order, and what is left over beside nothing."""
    names, by_name = {sheet.name for sheet in a}, {sheet.name: sheet for sheet in b}
    left = [sheet for sheet in b if sheet.name not in names]
    for sheet in a:
        nothing = TableRows(sheet.name, (), (), 1)
        yield sheet, by_name.get(sheet.name) or (left.pop(0) if left else nothing)
    for sheet in left:
        yield TableRows(sheet.name, (), (), 1), sheet


def _columns(a: Sequence[str], b: Sequence[str]) -> tuple[ComparedColumn, ...]:
    """The columns of both by their names; by place where names are missing, doubled or hardly shared."""
    names, others = ([name.strip() for name in side] for side in (a, b))
    shared = set(names) & set(others)
    unique = all(all(side) and len(set(side)) == len(side) for side in (names, others))
    if not unique or 2 * len(shared) < min(len(names), len(others)):
        places = zip_longest(range(len(a)), range(len(b)))
        return tuple(ComparedColumn(b[m] if n is None else a[n], n, m) for n, m in places)
    out: list[ComparedColumn] = []
    places_of = {name: m for m, name in enumerate(others)}
    for block in aligned(names, others):
        out += [ComparedColumn(a[n], n, places_of.get(names[n])) for n in range(block.a, block.a_end)]
        out += [ComparedColumn(b[m], None, m) for m in range(block.b, block.b_end) if others[m] not in shared]
    return tuple(out)


class _Keys(NamedTuple):
    name: str
    a: list[str]
    b: list[str]


def _keys(column: ComparedColumn, a: Sequence[Row], b: Sequence[Row]) -> _Keys | None:
    """A named column whose values are all there, each once a side, and partly shared. Formulas, which name other rows,
    are no keys."""
    if column.a is None or column.b is None or not column.name or min(len(a), len(b)) < 2:
        return None
    own, other = [_at(row, column.a).strip() for row in a], [_at(row, column.b).strip() for row in b]
    for values in (own, other):
        if not all(values) or len(set(values)) < len(values) or any(map(_FORMULA.search, values)):
            return None
    enough = max(2, _LIKE * min(len(own), len(other)))
    return _Keys(column.name, own, other) if len(set(own).intersection(other)) >= enough else None


def _by_key(a: Sequence[str], b: Sequence[str]) -> Iterator[RowPair]:
    """In the order of A; a row of B alone stands behind the row that it stands behind in B."""
    known, places = set(a), {key: m for m, key in enumerate(b)}

    def alone(m: int) -> Iterator[RowPair]:
        while m < len(b) and b[m] not in known:
            yield RowPair(None, m)
            m += 1

    yield from alone(0)
    for n, key in enumerate(a):
        place = places.get(key)
        yield RowPair(n, place)
        if place is not None:
            yield from alone(place + 1)


def _values(
    a: Sequence[Row], b: Sequence[Row], columns: Sequence[ComparedColumn]
) -> tuple[list[Row], list[Row]]:
    """The rows in the columns that both have; a column of one side changes no row."""
    both = [(column.a, column.b) for column in columns if column.a is not None and column.b is not None]
    return (
        [tuple(_at(row, n) for n, _ in both) for row in a],
        [tuple(_at(row, m) for _, m in both) for row in b],
    )


def _heading(a: TableRows, b: TableRows, tables: Tables) -> Both:
    names = " and ".join(dict.fromkeys(name for name in (a.name, b.name) if name))
    title = f"<h2>{shown(names)}</h2>" if names else ""
    how = f"by “{tables.key}”" if tables.key else "by content and position"
    counts = f"{counted(len(a.rows), 'row')} in A, {len(b.rows):,} in B."
    left, right = [], []
    for column in tables.columns:
        name = shown(column.name) or "&nbsp;"
        gap = f'<th class="gap"><div>{room(name)}</div></th>'
        left.append(
            gap if column.a is None else f"<th>{name if column.b is not None else f'<del>{name}</del>'}</th>"
        )
        right.append(
            gap if column.b is None else f"<th>{name if column.a is not None else f'<ins>{name}</ins>'}</th>"
        )
    about = f'{title}<p class="facts" data-skip>{counts} Rows are matched {shown(how)}.</p>'
    start = f'{about}<div class="cells"><table class="data differ"><thead><tr><th></th>'
    return Both(*(f"{start}{''.join(cells)}</tr></thead><tbody>" for cells in (left, right)))


def _drawn(a: TableRows, b: TableRows, tables: Tables, changes: int) -> tuple[list[DrawnRow], int]:
    """The rows, with changes numbered from the one after `changes`, and how many cells are the same on both sides."""
    rows: list[DrawnRow] = []
    alike = 0
    for n, m in tables.rows:
        row, other = None if n is None else a.rows[n], None if m is None else b.rows[m]
        differs = row is None or other is None
        left, right = [], []
        for column in tables.columns:
            own = None if row is None or column.a is None else _at(row, column.a)
            second = None if other is None or column.b is None else _at(other, column.b)
            differs = differs or (own != second and column.a is not None and column.b is not None)
            alike += own is not None and own == second
            cell = _cells(own, second)
            left.append(cell.a)
            right.append(cell.b)
        changes += differs
        mark = f' data-change="{changes}"' if differs else ""
        numbers = ["" if place is None else place + sheet.first for place, sheet in ((n, a), (m, b))]
        lines = (
            f"<tr{mark}><th>{number}</th>{''.join(cells)}</tr>"
            for number, cells in zip(numbers, (left, right), strict=True)
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


def _at(row: Row, column: int) -> str:
    return row[column] if column < len(row) else ""
