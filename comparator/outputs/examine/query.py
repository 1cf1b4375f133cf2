"""A question to a table: which rows, in which order, or grouped and added up. The same question has the same answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from comparator.domain.errors import InputError
from comparator.outputs.examine.columns import Columns, FoundRows, as_rows
from comparator.outputs.examine.lines import Pattern
from comparator.outputs.preview.tables.arrow import numbers_in

Test = Literal[
    "equals",
    "not_equals",
    "contains",
    "matches",
    "less",
    "at_most",
    "greater",
    "at_least",
    "empty",
    "not_empty",
]
Figure = Literal["count", "distinct", "sum", "mean", "min", "max"]
_ARROW: dict[Figure, str] = {
    "count": "count",
    "distinct": "count_distinct",
    "sum": "sum",
    "mean": "mean",
    "min": "min",
    "max": "max",
}
Rows = npt.NDArray[np.int64]


class Condition(NamedTuple):
    """What a cell of a column has to be; `value` is compared as a number where it is one."""

    column: str
    test: Test
    value: str = ""


class SortBy(NamedTuple):
    """By which column rows are ordered."""

    column: str
    down: bool = False


class Figured(NamedTuple):
    """A figure of a column over the rows of a group; `count` counts filled cells."""

    figure: Figure
    column: str


def select(
    table: Columns,
    *,
    columns: Sequence[str] = (),
    where: Sequence[Condition] = (),
    sort: Sequence[SortBy] = (),
    first: int = 1,
    most: int = 50,
) -> FoundRows:
    """Rows `first` (from 1) and on of those that meet all conditions, in order. Raises InputError."""
    shown = [table.index(name) for name in columns] or list(range(len(table.names)))
    kept = filtered(table, where)
    total = len(table) if kept is None else len(kept)
    numbers = _ordered(table, kept, sort, first - 1, most)
    return FoundRows(
        tuple(table.names[n] for n in shown),
        tuple(n + table.first for n in numbers),
        table.rows(numbers, shown),
        total,
    )


def aggregate(
    table: Columns,
    figures: Sequence[Figured],
    *,
    by: Sequence[str] = (),
    where: Sequence[Condition] = (),
    sort: Sequence[SortBy] = (),
    first: int = 1,
    most: int = 50,
) -> FoundRows:
    """Figures of the rows that meet all conditions, for each group; sorted by `sort`, else as groups first occur."""
    kept = filtered(table, where)
    data: dict[str, pa.Array] = {f"g{n}": table.text(table.index(name)) for n, name in enumerate(by)}
    wanted: list[tuple[str, str]] = []
    names = [*by]
    for figured in figures or [Figured("count", "")]:
        if figured.figure == "count" and not figured.column:
            names.append("rows")
            data["rows"] = pa.nulls(len(table), pa.int8()).fill_null(1)
            wanted.append(("rows", "count"))
            continue
        column = table.index(figured.column)
        names.append(f"{figured.figure} of {table.names[column]}")
        words = figured.figure in ("count", "distinct")
        key = f"{'t' if words else 'n'}{column}"
        data[key] = _filled(table.text(column)) if words else table.numbers(column)
        wanted.append((key, _ARROW[figured.figure]))
    rows = pa.table(data)
    if kept is not None:
        rows = rows.take(pa.array(kept))
    # One thread: sums of decimals must not depend on which part was added first.
    keys = [f"g{n}" for n in range(len(by))]
    answer = rows.group_by(keys, use_threads=False).aggregate(list(dict.fromkeys(wanted)))
    cells = [answer.column(key).to_pylist() for key in keys]
    cells += [answer.column(f"{key}_{how}").to_pylist() for key, how in wanted]
    found = [tuple(_written(cell) for cell in row) for row in zip(*cells, strict=True)]
    found = _sorted_groups(found, names, sort)
    part = found[first - 1 : first - 1 + most]
    return FoundRows(tuple(names), tuple(range(first, first + len(part))), tuple(part), len(found))


def filtered(table: Columns, where: Sequence[Condition]) -> Rows | None:
    """The numbers (from 0) of the rows that meet all conditions; None where there are no conditions."""
    mask = None
    for condition in where:
        own = _meets(table, condition)
        mask = own if mask is None else pc.and_(mask, own)
    return None if mask is None else as_rows(mask)


def _meets(table: Columns, condition: Condition) -> pa.Array:
    column = table.index(condition.column)
    text = table.text(column)
    number = numbers_in(pa.array([condition.value]))[0]
    match condition.test:
        case "empty" | "not_empty":
            empty = pc.equal(pc.binary_length(text), 0)
            return empty if condition.test == "empty" else pc.invert(empty)
        case "contains" | "matches":
            pattern = Pattern(condition.value, regex=condition.test == "matches", match_case=True)
            return pattern.matching(text)
        case "equals" | "not_equals":
            same = pc.equal(text, condition.value)
            if number.is_valid:
                same = pc.or_(same, pc.fill_null(pc.equal(table.numbers(column), number), False))
            return same if condition.test == "equals" else pc.invert(same)
    functions = {
        "less": pc.less,
        "at_most": pc.less_equal,
        "greater": pc.greater,
        "at_least": pc.greater_equal,
    }
    function = functions[condition.test]
    if number.is_valid:
        return pc.fill_null(function(table.numbers(column), number), False)
    # Dates as they are written in ISO have the order of their letters.
    return pc.and_(function(text, condition.value), pc.greater(pc.binary_length(text), 0))


def _ordered(table: Columns, kept: Rows | None, sort: Sequence[SortBy], start: int, most: int) -> list[int]:
    count = len(table) if kept is None else len(kept)
    end = min(start + most, count)
    if start >= end:
        return []
    if not sort:
        return list(range(start, end)) if kept is None else kept[start:end].tolist()
    rows = np.arange(len(table)) if kept is None else kept
    keys = []
    for by in sort:
        own = table.keys(table.index(by.column))
        # Empty cells come last either way.
        keys.append(np.where(np.isnan(own), np.inf, -own if by.down else own))
    return [int(row) for row in _smallest(keys, rows, end)[start:]]


def _smallest(keys: Sequence[npt.NDArray[np.float64]], rows: Rows, count: int) -> Rows:
    """The first `count` of the rows in the order of the keys, equal ones as they stand; the rest is not sorted."""
    if not keys:
        return rows[:count]
    values = keys[0][rows]
    if count >= len(rows):
        return rows[np.lexsort([key[rows] for key in reversed(keys)])]
    last = np.partition(values, count - 1)[count - 1]
    below, equal = rows[values < last], rows[values == last]
    below = below[np.lexsort([key[below] for key in reversed(keys)])]
    return np.concatenate([below, _smallest(keys[1:], equal, count - len(below))])


def _sorted_groups(
    found: list[tuple[str, ...]], names: Sequence[str], sort: Sequence[SortBy]
) -> list[tuple[str, ...]]:
    for by in reversed(sort):
        if by.column not in names:
            raise InputError(f"Groups are sorted by what is shown of them: {', '.join(names)[:2_000]}.")
        column = list(names).index(by.column)
        values = numbers_in(pa.array([row[column] for row in found], pa.string())).to_pylist()
        keyed = [
            ((0, value, "") if value is not None else (1, 0.0, row[column]), row)
            for value, row in zip(values, found, strict=True)
        ]
        keyed.sort(key=lambda each: each[0], reverse=by.down)
        found = [row for _, row in keyed]
    return found


def _filled(text: pa.Array) -> pa.Array:
    return pc.if_else(pc.greater(pc.binary_length(text), 0), text, pa.scalar(None, pa.string()))


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.10g}"
    return "" if value is None else str(value)
