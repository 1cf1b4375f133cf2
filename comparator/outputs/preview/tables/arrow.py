"""Tables in Arrow's hands: delimited text by its columns, cells as numbers, and rows in the order of a column."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from comparator.domain.pair.view import Family
from comparator.outputs.extract.table_lines import row_of
from comparator.outputs.preview.tables.paging import RowOrder
from comparator.outputs.preview.tables.table import delimiter_of, is_heading, records

_NUMBER = r"^[-+]?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?([eE][-+]?\d{1,3})?\s?%?$"
_DIGIT = r"\d"


def delimited(
    data: bytes, *, width: int, delimiter: str, only: Sequence[int], blank_lines: bool
) -> list[pa.Array]:
    """Columns (from 0) of delimited text whose heading has `width` cells, as they are written, without the heading.

    A second for 200 MB. Raises pyarrow.ArrowInvalid where a row has more or fewer cells than the heading.
    """
    keys = [f"f{number}" for number in range(width)]
    table = pa.csv.read_csv(
        pa.BufferReader(data),
        read_options=pa.csv.ReadOptions(
            column_names=keys, skip_rows_after_names=1, block_size=1 << 24, use_threads=False
        ),
        parse_options=pa.csv.ParseOptions(
            delimiter=delimiter, newlines_in_values=b'"' in data, ignore_empty_lines=not blank_lines
        ),
        convert_options=pa.csv.ConvertOptions(
            column_types=dict.fromkeys(keys, pa.string()),
            strings_can_be_null=False,
            check_utf8=False,
            include_columns=[keys[number] for number in only],
        ),
    )
    return [column.combine_chunks() for column in table.columns]


def ranked(name: str, data: bytes, *, family: Family, order: RowOrder) -> bytes:
    """The numbers of the rows of `data` in an order, packed; the heading is not among them. Raises NotShown."""
    if family is Family.CSV:
        return order_of(_column(name, data, order.column), down=order.down)
    rows = [row_of(line) for line in data.split(b"\n") if line]
    cells = [row[order.column] if order.column < len(row) else None for row in rows]
    # A number is its digits; true is 1, and what is no finite number the largest there is.
    cells = [
        cell if isinstance(cell, str | None) else str(max(min(cell, 1e300), -1e300) * 1) for cell in cells
    ]
    pinned = 1 if family is Family.XLSX and is_heading(rows) else 0
    return order_of(pa.array(cells, pa.string()), down=order.down, pinned=pinned)


def order_of(cells: pa.Array, *, down: bool, pinned: int = 0) -> bytes:
    """The numbers of rows in the order of their cells, packed: numbers, then words in any case, empty ones last.

    The first `pinned` rows stay where they are.
    """
    coded = cells.slice(pinned).fill_null("").dictionary_encode()
    distinct = coded.dictionary
    numbers, words = numbers_in(distinct), pc.utf8_lower(pc.utf8_trim_whitespace(distinct))
    by_number, by_word = (pc.cast(pc.rank(each, tiebreaker="dense"), pa.int64()) for each in (numbers, words))
    keys = pc.if_else(pc.is_valid(numbers), by_number, pc.add(by_word, len(distinct)))
    keys = pc.if_else(pc.equal(words, ""), 1 << 62, pc.negate(keys) if down else keys)
    order = np.argsort(keys.take(coded.indices).to_numpy(), kind="stable") + pinned
    return np.concatenate([np.arange(pinned), order]).astype("<i4").tobytes()


def numbers_in(cells: pa.Array) -> pa.Array:
    """Cells as numbers; null where a cell is none.

    >>> numbers_in(pa.array(["1,250.5", "12%", "n/a", ""])).to_pylist()
    [1250.5, 12.0, None, None]
    """
    try:
        found = pc.cast(cells, pa.float64())
    except pa.ArrowInvalid:
        trimmed = pc.utf8_trim_whitespace(cells)
        fit = pc.and_(pc.match_substring_regex(trimmed, _NUMBER), pc.match_substring_regex(trimmed, _DIGIT))
        bare = pc.replace_substring_regex(trimmed, r"[,%\s]", "")
        found = pc.cast(pc.if_else(fit, bare, pa.scalar(None, pa.string())), pa.float64())
    # "nan" and "inf" are words, not numbers.
    return pc.if_else(pc.is_finite(found), found, pa.scalar(None, pa.float64()))


def _column(name: str, data: bytes, number: int) -> pa.Array:
    delimiter = delimiter_of(name, data)
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace", newline="")
    reader = records(csv.reader(text, delimiter=delimiter))
    width = len(next(reader, []))
    try:
        if number < width:
            return delimited(data, width=width, delimiter=delimiter, only=[number], blank_lines=True)[0]
    except pa.ArrowInvalid:
        # Its rows are uneven.
        pass
    return pa.array([row[number] if number < len(row) else None for row in reader], pa.string())
