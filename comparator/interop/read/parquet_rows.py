"""Columns and rows of a Parquet file, as many as memory has room for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from comparator.interop.read.text import LARGEST, ReadRow, UnreadableImport

_PARQUET = b"PAR1"
_MOST_ROWS = 2_000_000


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet, whatever its name. Raises UnreadableImport where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(4) == _PARQUET
    except OSError as error:
        raise UnreadableImport(f"it cannot be read ({error.strerror})") from error


def parquet_columns(path: Path) -> tuple[str, ...]:
    """The names of the columns. Raises UnreadableImport."""
    try:
        return tuple(pyarrow.parquet.read_schema(path).names)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableImport("it is not a Parquet file that can be read") from error


def parquet_rows(path: Path) -> Iterator[ReadRow]:
    """The rows, as many as memory has room for. Raises UnreadableImport where it is damaged or holds too much.

    A small file may say the same long text, or nothing at all, many million times.
    """
    given: list[dict[str, Any]] = []
    size = 0
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            if file.metadata.num_rows > _MOST_ROWS:
                raise UnreadableImport(f"it has more than {_MOST_ROWS:,} rows")
            for batch in file.iter_batches(batch_size=64):
                # Arrow's own measure first: a list of nothing takes room once it is a list of Python's.
                size += sum(map(_bytes_in, batch.columns))
                if size > LARGEST:
                    raise UnreadableImport(f"it holds more than {LARGEST:,} bytes of values")
                given.extend(batch.to_pylist())
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableImport("it is not a Parquet file that can be read") from error
    return (ReadRow(number, value) for number, value in enumerate(given, start=1))


def _bytes_in(column: pyarrow.Array) -> int:
    """What the values of a column take, however deep: texts by their length, and eight bytes for each value."""
    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pyarrow.types.is_struct(column.type):
        return sum(map(_bytes_in, column.flatten()))
    if pyarrow.types.is_nested(column.type):
        inner = column.flatten()
        return 8 * len(inner) + _bytes_in(inner)
    return int(column.get_total_buffer_size() if len(column) == 0 else column.nbytes)
