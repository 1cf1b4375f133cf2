"""A table by its columns, as text and as numbers, so that rows of a large one are filtered and sorted at once."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from comparator.domain.errors import InputError
from comparator.outputs.extract.table_lines import column_letters
from comparator.outputs.preview.tables.arrow import delimited, numbers_in

MOST_COLUMNS = 2_000
MOST_CELLS = 40_000_000


class FoundRows(NamedTuple):
    """Some rows of an answer with their numbers in the file, and how many there are in all."""

    names: tuple[str, ...]
    numbers: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int


class Columns:
    """The cells of a table, without the names of its columns."""

    def __init__(self, names: Sequence[str], columns: Sequence[pa.Array], *, first: int = 2) -> None:
        self.names = tuple(names)
        self.first = first
        """The number in the file of the first row: 2 behind a row of names."""
        self._columns = list(columns)
        self._numbers: dict[int, pa.Array] = {}
        self._keys: dict[int, npt.NDArray[np.float64]] = {}

    @classmethod
    def delimited(cls, data: bytes, *, delimiter: str) -> Self:
        """Of delimited text whose first row names the columns. Raises InputError where there is no table."""
        stream = io.StringIO(data[:1_000_000].decode("utf-8", "replace"), newline="")
        try:
            names = next(csv.reader(stream, delimiter=delimiter), [])
        except csv.Error as error:
            raise InputError("Its cells cannot be read; read it as text.") from error
        if not 1 <= len(names) <= MOST_COLUMNS:
            raise InputError(f"It has {len(names):,} columns; tables of 1 to {MOST_COLUMNS:,} are opened.")
        if data.count(delimiter.encode()) > MOST_CELLS:
            raise InputError(f"It has more than {MOST_CELLS:,} cells; read or search it as text.")
        every = range(len(names))
        try:
            columns = delimited(data, width=len(names), delimiter=delimiter, only=every, blank_lines=False)
        except pa.ArrowInvalid:
            text = io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace", newline="")
            csv.field_size_limit(10_000_000)
            try:
                rows = csv.reader(text, delimiter=delimiter)
                next(rows, None)
                return cls.of_rows(names, (row for row in rows if row))
            except csv.Error as error:
                raise InputError("Its cells cannot be read; read it as text.") from error
        return cls(names, columns)

    @classmethod
    def of_rows(cls, names: Sequence[str], rows: Iterable[Sequence[str]], *, first: int = 2) -> Self:
        """Of rows of any length; cells that a row has not are empty."""
        kept = list(rows)
        width = max(map(len, kept), default=0)
        if width > MOST_COLUMNS:
            raise InputError(f"It has {width:,} columns; tables of up to {MOST_COLUMNS:,} are opened.")
        named = [*names, *(column_letters(n + 1) for n in range(len(names), width))]
        columns = [
            pa.array([row[n] if n < len(row) else "" for row in kept], pa.string()) for n in range(len(named))
        ]
        return cls(named, columns, first=first)

    def __len__(self) -> int:
        return len(self._columns[0]) if self._columns else 0

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

    def text(self, column: int) -> pa.Array:
        """The cells of a column as they stand."""
        return self._columns[column]

    def numbers(self, column: int) -> pa.Array:
        """The cells of a column as numbers; null where a cell is none. Thousands may be parted, % is left off."""
        if column not in self._numbers:
            self._numbers[column] = numbers_in(self._columns[column])
        return self._numbers[column]

    def is_numeric(self, column: int) -> bool:
        """Whether more of its filled cells are numbers than not."""
        own = self._columns[column]
        filled = pc.sum(pc.greater(pc.binary_length(own), 0)).as_py() or 0
        return bool(2 * (len(own) - self.numbers(column).null_count) > filled)

    def keys(self, column: int) -> npt.NDArray[np.float64]:
        """Numbers by which the rows of a column are put in order: its own, or the ranks of its words; NaN if empty."""
        if column not in self._keys:
            if self.is_numeric(column):
                found = self.numbers(column)
            else:
                own = self._columns[column].dictionary_encode()
                ranks = pc.rank(own.dictionary, sort_keys="ascending", tiebreaker="dense")
                found = pc.cast(ranks.take(own.indices), pa.float64())
                found = pc.if_else(
                    pc.greater(pc.binary_length(self._columns[column]), 0),
                    found,
                    pa.scalar(None, pa.float64()),
                )
            self._keys[column] = found.to_numpy(zero_copy_only=False)
        return self._keys[column]

    def rows(self, numbers: Sequence[int], columns: Sequence[int]) -> tuple[tuple[str, ...], ...]:
        """The cells of these rows (from 0) in these columns."""
        wanted = pa.array(numbers, pa.int64())
        cells = [self._columns[column].take(wanted).to_pylist() for column in columns]
        return tuple(zip(*cells, strict=True)) if cells else ()

    @property
    def size(self) -> int:
        """Bytes of memory that its cells take."""
        own = sum(int(column.nbytes) for column in (*self._columns, *self._numbers.values()))
        return own + sum(int(keys.nbytes) for keys in self._keys.values())


def as_rows(mask: Any) -> Any:
    """The numbers of the rows for which a mask holds."""
    return np.flatnonzero(pc.fill_null(mask, False).to_numpy(zero_copy_only=False))
