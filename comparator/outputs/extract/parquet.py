"""Parquet: the columns with their types and the first rows; who wrote the file is left away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import isfinite
from typing import Any

import pyarrow
import pyarrow.parquet

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.isolated.results import Copy, Extraction
from comparator.outputs.limits import Limits
from comparator.outputs.tables.store import MEDIA_TYPE, NewSheet, Sheet, store

_BATCH = 20_000
_LONGEST = 500
Cell = str | int | float | bool | None


def read(data: bytes, limits: Limits) -> Extraction:
    """Schema and first rows."""
    file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
    schema = file.schema_arrow
    total = file.metadata.num_rows
    wanted = min(total, max(1, limits.cells // max(1, len(schema.names))))
    rows = list(islice(_rows(file), wanted))
    omitted = total - len(rows)
    facts = [f"{name}: {schema.field(index).type}" for index, name in enumerate(schema.names)]
    lines = [f"Table with {total:,} rows and {len(facts):,} columns", "", "Columns:", *facts, ""]
    lines += ["| " + " | ".join(schema.names) + " |", "|" + " --- |" * len(schema.names)]
    lines += ["| " + " | ".join(_written(cell) for cell in row) + " |" for row in rows]
    notes = []
    if omitted > 0:
        lines.append(f"[… {omitted:,} rows left out here …]")
        notes.append(NoteKind.FIRST_ROWS_READ.text(read=len(rows), total=total))
    types = tuple(str(schema.field(index).type) for index in range(len(schema.names)))
    about = Sheet(name="table", headed=True, types=types, facts=tuple(facts), omitted=omitted)
    return Extraction(
        text="\n".join(lines) + "\n",
        copy=Copy(MEDIA_TYPE, store([NewSheet(about, [schema.names, *rows])])),
        notes=tuple(notes),
    )


def _rows(file: pyarrow.parquet.ParquetFile) -> Iterator[list[Cell]]:
    for batch in file.iter_batches(batch_size=_BATCH, use_threads=False):
        columns = [_column(column) for column in batch.columns]
        yield from (list(row) for row in zip(*columns, strict=True))


def _column(column: pyarrow.Array) -> list[Cell]:
    values: list[Any] = column.to_pylist()
    kind = column.type
    if pyarrow.types.is_boolean(kind) or pyarrow.types.is_integer(kind):
        return values
    return [value if isinstance(value, float) and isfinite(value) else _shown(value) for value in values]


def _shown(value: Any) -> str:
    if value is None:
        return ""
    text = f"[{len(value):,} bytes]" if isinstance(value, bytes) else str(value).replace("\n", " ")
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _written(cell: Cell) -> str:
    return cell.replace("|", "\\|") if isinstance(cell, str) else "" if cell is None else str(cell)
