"""Differences of two tables: by a key column where there is one, else by what rows have in common and where they
stand."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from comparator.outputs.differences.blocks import Block, BlockKind, aligned
from comparator.outputs.differences.stored import Row, StoredRows

_LIKE = 0.3
_LOOKED_AT = 12
"""Among so many columns a key is looked for."""
_SAMPLE = 200
_FORMULA = re.compile(r"(?:^|\s)=")


class ComparedColumn(NamedTuple):
    """A column of both tables; None where one has no such column."""

    name: str
    a: int | None
    b: int | None


@dataclass(frozen=True, slots=True)
class Tables:
    """Which columns and which rows belong together, and by which column they were found."""

    columns: tuple[ComparedColumn, ...]
    blocks: tuple[Block, ...]
    key: ComparedColumn | None


def table_blocks(
    heading: Sequence[str], other_heading: Sequence[str], a: Sequence[Row], b: Sequence[Row]
) -> Tables:
    """Rows of A beside rows of B, one block for each row that differs; headings are empty where there is none."""
    columns = matched_columns(heading, other_heading)
    key = key_column(columns, a, b)
    # Rows are the same where they are in every column that both have; a column of one side is a difference of its own.
    both = [column for column in columns if column.a is not None and column.b is not None]
    own, other = [column.a for column in both], [column.b for column in both]
    by_bytes = key is not None and own == other == list(range(len(columns)))
    left, right = _identities(a, own, by_bytes=by_bytes), _identities(b, other, by_bytes=by_bytes)
    if key is None:
        return Tables(columns, tuple(_in_order(left, right)), None)

    def same(n: int, m: int) -> bool:
        return by_bytes and _picked(a[n], own) == _picked(b[m], other)

    return Tables(columns, tuple(_keyed(key, left, right, same)), key.column)


class KeyColumn(NamedTuple):
    """A column by which rows are found, and its values, each once."""

    column: ComparedColumn
    a: Sequence[str]
    b: Sequence[str]


def _identities(rows: Sequence[Row], columns: Sequence[int | None], *, by_bytes: bool) -> Sequence[Hashable]:
    """What each row is in these columns; of stored rows a number, by their bytes where that will do."""
    if not isinstance(rows, StoredRows):
        return [_picked(row, columns) for row in rows]
    return rows.identities if by_bytes else array("q", (hash(_picked(row, columns)) for row in rows))


def matched_columns(a: Sequence[str], b: Sequence[str]) -> tuple[ComparedColumn, ...]:
    """The columns of both by their names; by place where names are missing, doubled or hardly shared."""
    names, others = ([name.strip() or f"\x00{n}" for n, name in enumerate(side)] for side in (a, b))
    shared = set(names) & set(others)
    unique = len(set(names)) == len(names) and len(set(others)) == len(others)
    if not unique or 2 * len(shared) < min(len(names), len(others)):
        width = max(len(a), len(b))
        return tuple(
            ComparedColumn(
                a[n] if n < len(a) else b[n],
                n if n < len(names) else None,
                n if n < len(others) else None,
            )
            for n in range(width)
        )
    out: list[ComparedColumn] = []
    places = {name: n for n, name in enumerate(others)}
    for block in aligned(names, others):
        out += [ComparedColumn(a[n], n, places.get(names[n])) for n in range(block.a, block.a_end)]
        out += [ComparedColumn(b[n], None, n) for n in range(block.b, block.b_end) if others[n] not in shared]
    return tuple(out)


def key_column(columns: Sequence[ComparedColumn], a: Sequence[Row], b: Sequence[Row]) -> KeyColumn | None:
    """The first column whose values are all there, once each on both sides, and partly shared; None for none."""
    if min(len(a), len(b)) < 2:
        return None
    for column in columns[:_LOOKED_AT]:
        if column.a is None or column.b is None or not column.name:
            continue
        own = _values(a, column.a)
        other = None if own is None else _values(b, column.b)
        if own is None or other is None:
            continue
        if len(set(own).intersection(other)) >= max(2, _LIKE * min(len(own), len(other))):
            return KeyColumn(column, own, other)
    return None


def _values(rows: Sequence[Row], column: int) -> Sequence[str] | None:
    """The values of a column; None where one is missing, stands there twice or is a formula, which names other rows."""
    first = _column(rows[:_SAMPLE], column)
    if not all(first) or len(set(first)) < len(first) or any(map(_FORMULA.search, first)):
        return None
    values = rows.column(column) if isinstance(rows, StoredRows) else _column(rows, column)
    return values if all(values) and len(set(values)) == len(values) else None


def _column(rows: Iterable[Row], column: int) -> list[str]:
    return [row[column].strip() if column < len(row) else "" for row in rows]


def _picked(row: Row, columns: Sequence[int | None]) -> Row:
    return tuple(row[n] if n is not None and n < len(row) else "" for n in columns)


def _keyed(
    key: KeyColumn, left: Sequence[Hashable], right: Sequence[Hashable], same: Callable[[int, int], bool]
) -> list[Block]:
    """In the order of A; a row of B alone stands behind the row that it stands behind in B.

    `left` and `right` say which rows are the same; of the others `same` looks again.
    """
    known, there = set(left), set(right)
    others = {key.b[m]: m for m, row in enumerate(right) if row not in known}
    changed = {key.a[n] for n, row in enumerate(left) if row not in there}
    alone = {m for value, m in others.items() if value not in changed}
    places: dict[Hashable, int] = {}
    out: list[Block] = []
    # Rows from `run` of A to here are those of B up to `m`.
    run = at = m = 0

    def end_run() -> None:
        if run < at:
            _append(out, Block(BlockKind.SAME, run, at, m - (at - run), m))

    def added() -> None:
        nonlocal m
        while m in alone:
            out.append(Block(BlockKind.ADDED, at, at, m, m + 1))
            m += 1

    added()
    for n, row in enumerate(left):
        if m < len(right) and right[m] == row:
            at, m = n + 1, m + 1
            if m not in alone:
                continue
            end_run()
            added()
            run = at
            continue
        end_run()
        if row in there:
            places = places or {row: place for place, row in enumerate(right)}
        place = places[row] if row in there else others.get(key.a[n])
        run = at = n + 1
        if place is None:
            out.append(Block(BlockKind.REMOVED, n, at, 0, 0))
            continue
        kind = BlockKind.SAME if row in there or same(n, place) else BlockKind.CHANGED
        _append(out, Block(kind, n, at, place, place + 1))
        m = place + 1
        added()
    end_run()
    return out


def _in_order(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Block]:
    out: list[Block] = []
    for block in aligned(a, b):
        if block.kind is BlockKind.SAME:
            out.append(block)
            continue
        both = min(block.a_end - block.a, block.b_end - block.b)
        for n in range(both):
            at, other = block.a + n, block.b + n
            out.append(Block(BlockKind.CHANGED, at, at + 1, other, other + 1))
        out += [
            Block(BlockKind.REMOVED, n, n + 1, block.b + both, block.b + both)
            for n in range(block.a + both, block.a_end)
        ]
        out += [
            Block(BlockKind.ADDED, block.a_end, block.a_end, n, n + 1)
            for n in range(block.b + both, block.b_end)
        ]
    return out


def _append(out: list[Block], block: Block) -> None:
    last = out[-1] if out else None
    if (
        last is not None
        and last.kind is block.kind is BlockKind.SAME
        and (last.a_end, last.b_end) == (block.a, block.b)
    ):
        out[-1] = Block(BlockKind.SAME, last.a, block.a_end, last.b, block.b_end)
    else:
        out.append(block)
