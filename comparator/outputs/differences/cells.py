"""Differences of two tables: by a key column where there is one, else by what rows have in common and where they
stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from comparator.outputs.differences.blocks import Block, Kind, aligned

_LIKE = 0.3
_LOOKED_AT = 12
"""Among so many columns a key is looked for."""

Row = tuple[str, ...]


class Column(NamedTuple):
    """A column of both tables; None where one has no such column."""

    name: str
    a: int | None
    b: int | None


@dataclass(frozen=True, slots=True)
class Tables:
    """Which columns and which rows belong together, and by which column they were found."""

    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]
    key: Column | None


def table_blocks(
    heading: Sequence[str], other_heading: Sequence[str], a: Sequence[Row], b: Sequence[Row]
) -> Tables:
    """Rows of A beside rows of B, one block for each row that differs; headings are empty where there is none."""
    columns = matched_columns(heading, other_heading)
    key = key_column(columns, a, b)
    # Rows are the same where they are in every column that both have; a column of one side is a difference of its own.
    both = [column for column in columns if column.a is not None and column.b is not None]
    left = [_picked(row, [column.a for column in both]) for row in a]
    right = [_picked(row, [column.b for column in both]) for row in b]
    place = both.index(key) if key else 0
    blocks = _keyed(left, right, place) if key else _in_order(left, right)
    return Tables(columns, tuple(blocks), key)


def matched_columns(a: Sequence[str], b: Sequence[str]) -> tuple[Column, ...]:
    """The columns of both by their names; by place where names are missing, doubled or hardly shared."""
    names, others = ([name.strip() or f"\x00{n}" for n, name in enumerate(side)] for side in (a, b))
    shared = set(names) & set(others)
    unique = len(set(names)) == len(names) and len(set(others)) == len(others)
    if not unique or 2 * len(shared) < min(len(names), len(others)):
        width = max(len(a), len(b))
        return tuple(
            Column(
                a[n] if n < len(a) else b[n],
                n if n < len(names) else None,
                n if n < len(others) else None,
            )
            for n in range(width)
        )
    out: list[Column] = []
    places = {name: n for n, name in enumerate(others)}
    for block in aligned(names, others):
        out += [Column(a[n], n, places.get(names[n])) for n in range(block.a, block.a_end)]
        out += [Column(b[n], None, n) for n in range(block.b, block.b_end) if others[n] not in shared]
    return tuple(out)


def key_column(columns: Sequence[Column], a: Sequence[Row], b: Sequence[Row]) -> Column | None:
    """The first column whose values are all there, once each on both sides, and partly shared; None for none."""
    if min(len(a), len(b)) < 2:
        return None
    for column in columns[:_LOOKED_AT]:
        if column.a is None or column.b is None or not column.name:
            continue
        own, other = _values(a, column.a), _values(b, column.b)
        if own is None or other is None:
            continue
        if len(own & other) >= max(2, _LIKE * min(len(own), len(other))):
            return column
    return None


def _values(rows: Sequence[Row], column: int) -> set[str] | None:
    seen: set[str] = set()
    for row in rows:
        value = row[column].strip() if column < len(row) else ""
        if not value or value in seen:
            return None
        seen.add(value)
    return seen


def _picked(row: Row, columns: Sequence[int | None]) -> Row:
    return tuple(row[n] if n is not None and n < len(row) else "" for n in columns)


def _keyed(a: Sequence[Row], b: Sequence[Row], key: int) -> list[Block]:
    """In the order of A; a row of B alone stands behind the row that it stands behind in B."""
    places = {row[key].strip(): n for n, row in enumerate(b)}
    known = {row[key].strip() for row in a}
    out: list[Block] = []

    def added(start: int) -> None:
        n = start
        while n < len(b) and b[n][key].strip() not in known:
            out.append(Block(Kind.ADDED, at, at, n, n + 1))
            n += 1

    at = 0
    added(0)
    for at, row in enumerate(a, 1):
        place = places.get(row[key].strip())
        if place is None:
            out.append(Block(Kind.REMOVED, at - 1, at, 0, 0))
            continue
        same = row == b[place]
        _append(out, Block(Kind.SAME if same else Kind.CHANGED, at - 1, at, place, place + 1))
        added(place + 1)
    return out


def _in_order(a: Sequence[Row], b: Sequence[Row]) -> list[Block]:
    out: list[Block] = []
    for block in aligned(a, b):
        if block.kind is Kind.SAME:
            out.append(block)
            continue
        both = min(block.a_end - block.a, block.b_end - block.b)
        for n in range(both):
            at, other = block.a + n, block.b + n
            out.append(Block(Kind.CHANGED, at, at + 1, other, other + 1))
        out += [
            Block(Kind.REMOVED, n, n + 1, block.b + both, block.b + both)
            for n in range(block.a + both, block.a_end)
        ]
        out += [
            Block(Kind.ADDED, block.a_end, block.a_end, n, n + 1) for n in range(block.b + both, block.b_end)
        ]
    return out


def _append(out: list[Block], block: Block) -> None:
    last = out[-1] if out else None
    if (
        last is not None
        and last.kind is block.kind is Kind.SAME
        and (last.a_end, last.b_end) == (block.a, block.b)
    ):
        out[-1] = Block(Kind.SAME, last.a, block.a_end, last.b, block.b_end)
    else:
        out.append(block)
