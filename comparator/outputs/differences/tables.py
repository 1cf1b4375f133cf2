"""Tables side by side: rows that belong together at one height, with the cells that differ marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from comparator.domain.counted import counted
from comparator.outputs.differences.model import (
    Both,
    ChangedPart,
    DrawnRow,
    FileComparison,
    in_parts,
    percent_of,
    room,
)
from comparator.outputs.differences.text import aligned, word_marks
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
    for both in _sheets(a, b):
        tables, before, drawn = matched_tables(*both), changes, []
        for places in tables.rows:
            pairs = [
                [
                    None if place is None or column is None else sheet.rows[place][column]
                    for sheet, place, column in zip(both, places, columns, strict=True)
                ]
                for columns in tables.columns
            ]
            differs = None in places or any(None not in pair and pair[0] != pair[1] for pair in pairs)
            changes += differs
            common += 2 * sum(one is not None and one == two for one, two in pairs)
            mark, cells = f' data-change="{changes}"' if differs else "", [_cells(*pair) for pair in pairs]
            sides = (
                f"<tr{mark}><th>{'' if place is None else place + sheet.first}</th>{''.join(c[n] for c in cells)}</tr>"
                for n, (sheet, place) in enumerate(zip(both, places, strict=True))
            )
            drawn.append(DrawnRow(changes if differs else 0, Both(*sides)))
        closing = "</tbody></table></div>"
        parts += in_parts(drawn, opening=_heading(both, tables), closing=closing, before=before)
        total += sum(len(sheet.rows) * max(len(sheet.heading), 1) for sheet in both)
        lonely = [
            f"Column “{both[n].heading[columns[n] or 0]}” is only in {'AB'[n]}."
            for n in (1, 0)
            for columns in tables.columns
            if columns[1 - n] is None
        ]
        notes += lonely[:20]
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
    yield from ((n, places.get(name)) for n, name in enumerate(names))
    yield from ((None, m) for m, name in enumerate(others) if name not in shared)


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


def _heading(both: tuple[TableRows, TableRows], tables: Tables) -> Both:
    names = " and ".join(dict.fromkeys(sheet.name for sheet in both if sheet.name))
    title = f"<h2>{shown(names)}</h2>" if names else ""
    how = f"by “{tables.key}”" if tables.key else "by content and position"
    counts = f"{counted(len(both[0].rows), 'row')} in A, {len(both[1].rows):,} in B."
    about = f'{title}<p class="facts" data-skip>{counts} Rows are matched {shown(how)}.</p>'
    sides = []
    for side, tag in enumerate(("del", "ins")):
        cells = []
        for columns in tables.columns:
            here, there = columns[side], columns[1 - side]
            own = side if here is not None else 1 - side
            name = shown(both[own].heading[columns[own] or 0]) or "&nbsp;"
            if here is None:
                cells.append(f'<th class="gap"><div>{room(name)}</div></th>')
            else:
                cells.append(f"<th>{name if there is not None else f'<{tag}>{name}</{tag}>'}</th>")
        sides.append(
            f'{about}<div class="cells"><table class="data differ"><thead><tr><th></th>{"".join(cells)}</tr></thead>'
            "<tbody>"
        )
    return Both(*sides)


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
