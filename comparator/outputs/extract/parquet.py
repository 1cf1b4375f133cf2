"""Parquet: the columns with their types and the first rows; who wrote the file is left away."""

from __future__ import annotations

import json
from typing import Any

import pyarrow
import pyarrow.parquet

from comparator.outputs.extract.model import Copy, Extraction, ReadLimits, Unreadable

_ROWS = 1_000
_LONGEST = 500


def read(data: bytes, limits: ReadLimits) -> Extraction:
    """Schema and first rows."""
    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
        schema = file.schema_arrow
        total = file.metadata.num_rows
        wanted = max(1, min(_ROWS, limits.cells // max(1, len(schema.names))))
        batch = next(file.iter_batches(batch_size=wanted, use_threads=False), None)
        columns = batch.to_pydict() if batch is not None else {name: [] for name in schema.names}
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise Unreadable("It is damaged and cannot be read.") from error
    rows = [[_shown(value) for value in row] for row in zip(*columns.values(), strict=True)]
    omitted = total - len(rows)
    facts = [f"{name}: {schema.field(index).type}" for index, name in enumerate(schema.names)]
    lines = [f"Table with {total:,} rows and {len(facts):,} columns", "", "Columns:", *facts, ""]
    lines += ["| " + " | ".join(schema.names) + " |", "|" + " --- |" * len(schema.names)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    notes = []
    if omitted > 0:
        lines.append(f"[… {omitted:,} rows left out here …]")
        notes.append(f"Only the first {len(rows):,} of {total:,} rows are read.")
    sheet = {
        "name": "table",
        "rows": [list(schema.names), *rows],
        "formulas": {},
        "merged": [],
        "facts": facts,
        "omitted_rows": omitted,
    }
    return Extraction(
        text="\n".join(lines) + "\n",
        copy=Copy(
            "application/json", json.dumps({"sheets": [sheet]}, ensure_ascii=False).encode("utf-8", "replace")
        ),
        notes=tuple(notes),
    )


def _shown(value: Any) -> str:
    if value is None:
        return ""
    text = f"[{len(value):,} bytes]" if isinstance(value, bytes) else str(value).replace("\n", " ")
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
