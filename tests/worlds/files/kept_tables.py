"""Tables as they are kept, from plain rows, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from comparator.outputs.tables.store import NewSheet, Sheet, StoredTable, store


def kept(*sheets: Mapping[str, Any]) -> bytes:
    """Sheets with `rows`, `formulas` and fields of `Sheet`."""
    return store(
        NewSheet(
            Sheet.model_validate({name: sheet[name] for name in sheet if name not in ("rows", "formulas")}),
            sheet["rows"],
            sheet.get("formulas", {}),
        )
        for sheet in sheets
    )


def rows_in(data: bytes, number: int = 1) -> Sequence[Sequence[str]]:
    """The rows of a sheet."""
    table = StoredTable(data)
    rows: list[list[str]] = table.rows(table.sheet(number))["cells"].to_pylist()
    return rows
