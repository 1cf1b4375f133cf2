"""Rows of a Parquet file, as many as memory has room for: a small file may repeat a long text endlessly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from comparator.interop.read.columns import each_once
from comparator.interop.read.text import LARGEST, ReadRow, UnreadableImport

_AT_ONCE = 64
_MOST_ROWS = 2_000_000
_POINTER = 8
"""Bytes that each entry of a list takes, whatever it is."""


def parquet_rows(path: Path) -> Iterator[ReadRow]:
    """The rows. Raises Unreadable where the file is damaged, or holds too much."""
    given: list[dict[str, Any]] = []
    size = 0
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            each_once(tuple(file.schema_arrow.names))
            if file.metadata.num_rows > _MOST_ROWS:
                raise UnreadableImport(f"it has more than {_MOST_ROWS:,} rows")
            # A small file may say the same long text, or nothing at all, many million times.
            for batch in file.iter_batches(batch_size=_AT_ONCE):
                size += _POINTER * sum(map(_values, batch.columns))
                rows = batch.to_pylist() if size <= LARGEST else []
                size += sum(map(_characters, rows))
                if size > LARGEST:
                    raise UnreadableImport(f"it holds more than {LARGEST:,} characters")
                given.extend(rows)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableImport("it is not a Parquet file that can be read") from error
    return (ReadRow(number, value) for number, value in enumerate(given, start=1))


def parquet_columns(path: Path) -> tuple[str, ...]:
    """The names of the columns. Raises Unreadable."""
    try:
        return tuple(pyarrow.parquet.read_schema(path).names)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableImport("it is not a Parquet file that can be read") from error


def _characters(value: Any) -> int:
    """How many characters and bytes a value holds, however deep."""
    match value:
        case str() | bytes():
            return len(value)
        case list():
            return sum(map(_characters, value))
        case dict():
            return sum(map(_characters, value.values()))
        case _:
            return 0


def _values(column: pyarrow.Array) -> int:
    """How many values stand in the lists of a column, however deep."""
    if pyarrow.types.is_struct(column.type):
        return sum(map(_values, column.flatten()))
    if not pyarrow.types.is_nested(column.type):
        return 0
    inner = column.flatten()
    return len(inner) + _values(inner)
