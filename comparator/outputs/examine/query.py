"""A question to a table: which rows, in which order, or grouped and added up. The same question has the same answer."""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen
from comparator.outputs.examine.lines import Pattern
from comparator.outputs.tables.store import column, column_letters, numbers_in

MOST_COLUMNS = 2_000
_LIST = pa.list_(pa.string())
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
Name = Annotated[str, Field(max_length=1_000)]
_COMPARED = {"less": pc.less, "at_most": pc.less_equal, "greater": pc.greater, "at_least": pc.greater_equal}
Rows = npt.NDArray[np.int64]
_FIRST = 10_000


class CellTest(Frozen):
    """A condition on the cells of a column."""

    column: Name
    test: Test
    value: Annotated[str, Field(max_length=1_000)] = ""


class ColumnSort(Frozen):
    """A column to order by."""

    column: Name
    descending: bool = False


class ColumnFigure(Frozen):
    """A figure of a column; an empty column with `count` counts rows."""

    figure: Figure
    column: Name = ""


class FoundRows(NamedTuple):
    """Some rows of an answer with their numbers in the file, and how many there are in all."""

    names: tuple[str, ...]
    numbers: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int


class Columns:
    """The rows of a table that have cells, by column, without the row of names."""

    def __init__(self, rows: pa.ListArray, *, headed: bool) -> None:
        """Raises InputError where they are too many to be opened."""
        lengths = pc.list_value_length(rows)
        width = pc.max(lengths).as_py() or 0
        if width > MOST_COLUMNS:
            raise InputError(f"It has {width:,} columns; tables of up to {MOST_COLUMNS:,} are opened.")
        names = rows[0].as_py() if headed and len(rows) else []
        self.names = (*names, *(column_letters(n + 1) for n in range(len(names), width)))
        filled = lengths.to_numpy(zero_copy_only=False) > 0
        filled[:1] &= not headed
        self._places = np.flatnonzero(filled)
        self._rows = rows if filled.all() else rows.take(pa.array(self._places))
        self.last = len(rows)
        """The number in the file of the last row."""

    def __len__(self) -> int:
        return len(self._rows)

    def number(self, row: int) -> int:
        """The number in the file of a row (from 0)."""
        return int(self._places[row]) + 1

    def index(self, name: str) -> int:
        """The number of a column by its name, in any case, or else by its letters. Raises InputError."""
        for same in (str, str.casefold):
            places = [n for n, own in enumerate(self.names) if same(own.strip()) == same(name.strip())]
            if places:
                return places[0]
        letters = [column_letters(n + 1) for n in range(len(self.names))]
        if name.upper() in letters:
            return letters.index(name.upper())
        known = ", ".join(f"“{own}”" for own in self.names[:60])
        raise InputError(f"There is no column “{name[:100]}”. There are: {known[:2_000]}.")

    def text(self, number: int) -> pa.Array:
        """The cells of a column as they stand; empty where a row has none."""
        return column(self._rows, number).fill_null("")

    def numbers(self, number: int) -> pa.Array:
        """The cells of a column as numbers; null where a cell is none. Thousands may be parted, % is left off."""
        return numbers_in(self.text(number))

    def rows(self, numbers: Sequence[int], columns: Sequence[int]) -> tuple[tuple[str, ...], ...]:
        """The cells of these rows (from 0) in these columns."""
        rows = self._rows.take(pa.array(numbers, pa.int64())).to_pylist()
        return tuple(tuple(row[n] if n < len(row) else "" for n in columns) for row in rows)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that its cells take."""
        return int(self._rows.nbytes)


def select(
    table: Columns,
    *,
    columns: Sequence[str] = (),
    where: Sequence[CellTest] = (),
    sort: Sequence[ColumnSort] = (),
    first: int = 1,
    most: int = 50,
) -> FoundRows:
    """Rows `first` (from 1) and on of those that meet all conditions, in order. Raises InputError."""
    indices = [table.index(name) for name in columns] or list(range(len(table.names)))
    kept = filtered(table, where)
    numbers = _sorted_rows(table, kept, sort, first - 1, most)
    return FoundRows(
        tuple(table.names[n] for n in indices),
        tuple(table.number(n) for n in numbers),
        table.rows(numbers, indices),
        len(kept),
    )


def aggregate(
    table: Columns,
    figures: Sequence[ColumnFigure],
    *,
    by: Sequence[str] = (),
    where: Sequence[CellTest] = (),
    sort: Sequence[ColumnSort] = (),
    first: int = 1,
    most: int = 50,
) -> FoundRows:
    """Figures of the rows that meet all conditions, for each group; sorted by `sort`, else as groups first occur."""
    data: dict[str, pa.Array] = {f"g{n}": table.text(table.index(name)) for n, name in enumerate(by)}
    keys, names, wanted = list(data), [*by], []
    for column_figure in figures or [ColumnFigure(figure="count")]:
        figure, column_name = column_figure.figure, column_figure.column
        if figure == "count" and not column_name:
            key, name, data["rows"] = "rows", "rows", pa.nulls(len(table), pa.int8()).fill_null(1)
        else:
            number = table.index(column_name)
            words = figure in ("count", "distinct")
            key, name = f"{'t' if words else 'n'}{number}", f"{figure} of {table.names[number]}"
            data[key] = _empty_as_null(table.text(number)) if words else table.numbers(number)
        names.append(name)
        wanted.append((key, "count_distinct" if figure == "distinct" else figure))
    rows = pa.table(data)
    if where:
        rows = rows.take(pa.array(filtered(table, where)))
    # One thread: sums of decimals must not depend on which part was added first.
    answer = rows.group_by(keys, use_threads=False).aggregate(list(dict.fromkeys(wanted)))
    cells = [answer.column(key).to_pylist() for key in keys]
    cells += [answer.column(f"{key}_{how}").to_pylist() for key, how in wanted]
    groups = [tuple(_figure(cell) for cell in row) for row in zip(*cells, strict=True)]
    as_table = Columns(pa.array([names, *groups], _LIST), headed=True)
    part = [groups[row] for row in _sorted_rows(as_table, filtered(as_table, ()), sort, first - 1, most)]
    return FoundRows(tuple(names), tuple(range(first, first + len(part))), tuple(part), len(groups))


def filtered(table: Columns, where: Sequence[CellTest]) -> Rows:
    """The numbers (from 0) of the rows that meet all conditions."""
    mask = np.ones(len(table), dtype=bool)
    for condition in where:
        mask &= pc.fill_null(_meets(table, condition), False).to_numpy(zero_copy_only=False)
    return np.flatnonzero(mask)


def _meets(table: Columns, condition: CellTest) -> pa.Array:
    own = table.index(condition.column)
    text = table.text(own)
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
                same = pc.or_(same, pc.fill_null(pc.equal(table.numbers(own), number), False))
            return same if condition.test == "equals" else pc.invert(same)
    function = _COMPARED[condition.test]
    if number.is_valid:
        return pc.fill_null(function(table.numbers(own), number), False)
    # Dates as they are written in ISO have the order of their letters.
    return pc.and_(function(text, condition.value), pc.greater(pc.binary_length(text), 0))


def _sorted_rows(table: Columns, order: Rows, sort: Sequence[ColumnSort], start: int, most: int) -> list[int]:
    if sort and start < len(order):
        keys = {str(n): _sort_key(table, by.column) for n, by in enumerate(sort)}
        # Empty cells come last either way, and rows that are alike stay as they stand.
        part = pa.table(keys | {"row": np.arange(len(table))}).take(pa.array(order))
        ways: list[tuple[str, Literal["ascending", "descending"]]] = [
            (str(n), "descending" if by.descending else "ascending") for n, by in enumerate(sort)
        ]
        ways.append(("row", "ascending"))
        most_wanted = min(start + most, len(order))
        # The first rows alone are found in a tenth of the time.
        places = (
            pc.select_k_unstable(part, k=most_wanted, sort_keys=ways)
            if most_wanted <= _FIRST
            else pc.sort_indices(part, sort_keys=ways)
        )
        order = order[places.to_numpy()]
    return [int(row) for row in order[start : start + most]]


def _sort_key(table: Columns, name: str) -> pa.Array:
    """A column as numbers, or as words where more cells are; null where a cell is empty."""
    number = table.index(name)
    text, numbers = _empty_as_null(table.text(number)), table.numbers(number)
    are_words = 2 * (len(text) - numbers.null_count) <= len(text) - text.null_count
    return text if are_words else numbers


def _empty_as_null(text: pa.Array) -> pa.Array:
    return pc.if_else(pc.greater(pc.binary_length(text), 0), text, pa.scalar(None, pa.string()))


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.10g}"
    return "" if value is None else str(value)
