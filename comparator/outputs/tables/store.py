"""The one form in which tables are kept: Parquet, a row of it a row of a sheet, cells and formulas as lists of text."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from comparator.domain.errors import OutputRefused
from comparator.domain.labels import Frozen
from comparator.outputs.tables.delimited import DELIMITERS, Delimited

MEDIA_TYPE = "application/vnd.apache.parquet"
MOST_SHEETS = 1_000
_ROWS_AT_ONCE = 2_000
"""Rows of a row group, so that a page is read without the rest."""
_AT_ONCE = 100_000
"""Rows that are read or written in one go where all of them are."""
_LIST = pa.list_(pa.string())
_SCHEMA = pa.schema([("cells", _LIST), ("formulas", _LIST), ("number", pa.int32())])
_NUMBER = r"^[-+]?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?([eE][-+]?\d{1,3})?\s?%?$"
_CELL = re.compile(r"([A-Z]{1,4})(\d{1,8})")
_LOOKED_AT = 50
_MOST_COLUMNS = 100_000


class Sheet(Frozen):
    """What is known of one table: its rows begin at row `first` of the store."""

    name: str = ""
    first: int = 0
    rows: int = 0
    """How many there are, with a row of names."""
    width: int = 0
    headed: bool = False
    """Whether the first row names the columns."""
    merged: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    """Of the columns, where the file states them."""
    omitted: int = 0
    """Rows that were not read."""


class NewSheet(NamedTuple):
    """A sheet to be stored: its rows as values, and its formulas by cell, as `{"B2": "=A1"}`."""

    about: Sheet
    rows: Sequence[Sequence[Any]]
    formulas: Mapping[str, str] = {}


def store(sheets: Iterable[NewSheet]) -> bytes:
    """The sheets as Parquet."""
    written_sheets = []
    for sheet in sheets:
        rows = _table_of(sheet)
        headed = sheet.about.headed or _is_heading(rows["cells"][:_LOOKED_AT].to_pylist())
        written_sheets.append((sheet.about.copy_with(headed=headed), [rows]))
    return _write_tables(written_sheets)


def store_delimited(text: Delimited) -> bytes:
    """One table whose first row names the columns. Raises OutputRefused where it has too many, or an endless row."""
    fact = f"separated by {DELIMITERS.get(text.delimiter, text.delimiter)}"
    return _write_tables(
        [
            (
                Sheet(headed=True, facts=(fact,)),
                (_rows(block, pa.nulls(len(block), _LIST)) for block in text.blocks()),
            )
        ]
    )


def store_objects(text: bytes) -> bytes:
    """The table of an array of objects, alone or under one key, or of an object a line. Raises OutputRefused."""
    try:
        try:
            value = json.loads(text)
        except ValueError:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise OutputRefused("It is not JSON that can be read; read or search it as text.") from error
    lists = value.values() if isinstance(value, dict) else (value,)
    rows = next(
        (own for own in lists if isinstance(own, list) and any(isinstance(row, dict) for row in own)), None
    )
    if rows is None:
        raise OutputRefused("It holds no array of objects; read or search it as text.")
    objects = [row if isinstance(row, dict) else {} for row in rows]
    names = list(dict.fromkeys(name for row in objects for name in row))
    cells = [[row.get(name) for name in names] for row in objects]
    return store([NewSheet(Sheet(headed=True), [names, *cells])])


def _write_tables(sheets: Iterable[tuple[Sheet, Iterable[pa.Table]]]) -> bytes:
    out = pa.BufferOutputStream()
    known: list[Sheet] = []
    first = 0
    with pq.ParquetWriter(out, _SCHEMA, compression="zstd", compression_level=1, use_dictionary=False,
                          write_statistics=False) as writer:  # fmt: skip
        for about, tables in sheets:
            count, width = 0, 0
            for table in tables:
                width = max(width, pc.max(pc.list_value_length(table["cells"])).as_py() or 0)
                if width > _MOST_COLUMNS:
                    raise OutputRefused(f"It has {width:,} columns, more than {_MOST_COLUMNS:,}.")
                writer.write_table(table, row_group_size=_ROWS_AT_ONCE)
                count += len(table)
            own = {"first": first, "rows": count, "width": width}
            known.append(about.model_copy(update=own))
            first += count
        writer.add_key_value_metadata({"sheets": json.dumps([sheet.model_dump() for sheet in known])})
    return bytes(out.getvalue())


def _rows(cells: pa.ListArray, formulas: pa.ListArray) -> pa.Table:
    return pa.table([cells, formulas, pa.nulls(len(cells), pa.int32())], schema=_SCHEMA)


def _table_of(sheet: NewSheet) -> pa.Table:
    cells = [["" if cell is None else written(cell) for cell in row] for row in sheet.rows]
    by_row: dict[int, dict[int, str]] = {}
    for place, formula in sheet.formulas.items():
        row, column = place_of(place)
        by_row.setdefault(row - 1, {})[column - 1] = formula
    formulas = [
        [by_row[number].get(column, "") for column in range(len(row))] if number in by_row else None
        for number, row in enumerate(cells)
    ]
    return _rows(pa.array(cells, _LIST), pa.array(formulas, _LIST))


def _is_heading(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: as many words as there are columns, each another."""
    if len(rows) < 2:
        return False
    first, width = rows[0], max(map(len, rows))
    words = all(cell.strip() and not cell.strip()[0].isdigit() for cell in first)
    return 0 < len(first) == width and words and len(set(first)) == width


def written(value: Any) -> str:
    """A cell's value as text."""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value)


class StoredTable:
    """Tables read from the store; only the rows that are asked for are read."""

    def __init__(self, data: bytes) -> None:
        """Raises OutputRefused where this is no such store."""
        try:
            self._file = pq.ParquetFile(pa.BufferReader(data))
            about = json.loads((self._file.metadata.metadata or {})[b"sheets"])
            self.sheets = tuple(Sheet.model_validate(sheet) for sheet in about)
            groups = self._file.metadata.num_row_groups
            counts = [self._file.metadata.row_group(n).num_rows for n in range(groups)]
        except (pa.ArrowException, ValueError, KeyError, TypeError, OSError) as error:
            raise OutputRefused("This table cannot be read.") from error
        self._starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)

    def sheet(self, number: int) -> Sheet:
        """A sheet by its number, from 1; the first one where there is none of that number. Raises OutputRefused."""
        if not self.sheets:
            raise OutputRefused("The workbook has no sheets.")
        return self.sheets[number - 1 if 1 <= number <= len(self.sheets) else 0]

    def rows(self, sheet: Sheet, first: int = 0, last: int | None = None) -> pa.Table:
        """Rows `first` (from 0) to, without, `last` of a sheet: their cells, formulas and numbers."""
        start = sheet.first + first
        end = sheet.first + min(sheet.rows if last is None else last, sheet.rows)
        if start >= end:
            return _SCHEMA.empty_table()
        a, b = np.searchsorted(self._starts, [start, end - 1], side="right")
        table = self._file.read_row_groups(list(range(int(a) - 1, int(b))), use_threads=False)
        return table.slice(start - int(self._starts[a - 1]), end - start)


def column(cells: Any, number: int) -> pa.Array:
    """The cells of a column (from 0) as text; null where a row has no such cell."""
    rows = cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
    lengths = pc.list_value_length(rows).to_numpy(zero_copy_only=False)
    places = rows.offsets.to_numpy()[:-1] + number
    return rows.values.take(pa.array(places, mask=lengths <= number))


def numbers_in(cells: pa.Array) -> pa.Array:
    """Cells as numbers; null where a cell is none.

    >>> numbers_in(pa.array(["1,250.5", "12%", "n/a", ""])).to_pylist()
    [1250.5, 12.0, None, None]
    """
    try:
        numbers = pc.cast(cells, pa.float64())
    except pa.ArrowInvalid:
        trimmed = pc.utf8_trim_whitespace(cells)
        fit = pc.and_(pc.match_substring_regex(trimmed, _NUMBER), pc.match_substring_regex(trimmed, r"\d"))
        bare = pc.replace_substring_regex(trimmed, r"[,%\s]", "")
        numbers = pc.cast(pc.if_else(fit, bare, pa.scalar(None, pa.string())), pa.float64())
    # "nan" and "inf" are words, not numbers.
    return pc.if_else(pc.is_finite(numbers), numbers, pa.scalar(None, pa.float64()))


def sort_table(data: bytes, sheet: int, by: int, *, down: bool) -> bytes:
    """The store of one sheet by a column (from 0): numbers, then words in any case, empty cells last either way.

    A row of names stays on top. Raises OutputRefused.
    """
    table = StoredTable(data)
    own = table.sheet(sheet)
    top = int(own.headed)
    rows = table.rows(own).combine_chunks()
    cells = column(rows["cells"], by)
    text = cells.slice(top).fill_null("")
    numbers, words = numbers_in(text), pc.utf8_lower(pc.utf8_trim_whitespace(text))
    is_word = pc.is_null(numbers)
    keys = pa.table(
        {
            "empty": pc.equal(words, ""),
            "is_word": is_word,
            "number": numbers,
            "word": pc.if_else(is_word, words, pa.scalar(None, pa.string())),
        }
    )
    way: Literal["ascending", "descending"] = "descending" if down else "ascending"
    names = [("is_word", way), ("number", way), ("word", way)]
    order = pc.sort_indices(keys, sort_keys=[("empty", "ascending"), *names]).to_numpy() + top
    order = np.concatenate([np.arange(top), order]).astype(np.int32)
    del cells, text, keys

    def pieces() -> Iterator[pa.Table]:
        for start in range(0, len(order), _AT_ONCE):
            part = pa.array(order[start : start + _AT_ONCE])
            yield rows.take(part).set_column(2, "number", part)

    return _write_tables([(sheet_, pieces() if sheet_ is own else []) for sheet_ in table.sheets])


def map_cells(data: bytes, *, cells: Callable[[list[str]], list[str]], values: Callable[[Any], Any]) -> bytes:
    """The store with `cells` applied to its different cells and formulas, and `values` to what is known of sheets."""
    table = StoredTable(data)
    changed = False
    sheets = []
    for sheet in table.sheets:
        rows = table.rows(sheet).combine_chunks()
        columns = []
        for name in ("cells", "formulas"):
            own = rows[name].combine_chunks() if len(rows) else pa.array([], _LIST)
            new = _rewrite_lists(own, cells)
            changed = changed or new is not own
            columns.append(new)
        about = Sheet.model_validate(values(sheet.model_dump(mode="json")))
        changed = changed or about != sheet
        sheets.append((about, [_rows(*columns)]))
    return _write_tables(sheets) if changed else data


def _rewrite_lists(lists: pa.ListArray, rewrite: Callable[[list[str]], list[str]]) -> pa.ListArray:
    coded = lists.flatten().dictionary_encode()
    distinct = coded.dictionary.to_pylist()
    new = rewrite(distinct)
    if new == distinct:
        return lists
    cells = pa.array(new, pa.string()).take(coded.indices)
    lengths = pc.list_value_length(lists).fill_null(0).to_numpy(zero_copy_only=False)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(offsets, cells, mask=pc.is_null(lists))


def with_formulas(rows: pa.Table) -> Iterator[list[str]]:
    """Rows of text in which a formula stands behind its value: `12 [=2*6]`."""
    for cells, formulas in zip(rows["cells"].to_pylist(), rows["formulas"].to_pylist(), strict=True):
        if formulas is None:
            yield cells
        else:
            yield [
                f"{cell} [{formula}]".strip() if formula else cell
                for cell, formula in zip(cells, formulas, strict=True)
            ]


def as_csv(data: bytes) -> bytes:
    """All sheets as delimited text, formulas behind their values. Raises OutputRefused."""
    table = StoredTable(data)
    out = io.StringIO()
    writer = csv.writer(out)
    for sheet in table.sheets:
        if len(table.sheets) > 1:
            writer.writerow([f"Sheet: {sheet.name}"])
        writer.writerows(with_formulas(table.rows(sheet)))
    return out.getvalue().encode("utf-8", "replace")


def column_letters(number: int) -> str:
    """The name of a spreadsheet's column, counted from 1.

    >>> column_letters(1), column_letters(27)
    ('A', 'AA')
    """
    out = ""
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(65 + rest) + out
    return out


def place_of(cell: str) -> tuple[int, int]:
    """The row and column of a cell, counted from 1; zeros for what is none.

    >>> place_of("B12"), place_of("AA1"), place_of("")
    ((12, 2), (1, 27), (0, 0))
    """
    match = _CELL.match(cell)
    if match is None:
        return 0, 0
    number = 0
    for letter in match[1]:
        number = number * 26 + ord(letter) - 64
    return int(match[2]), number
