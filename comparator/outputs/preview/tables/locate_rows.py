"""Finds the sheet and the part of a table on which a quote stands."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

from comparator.domain.pair.view import Family
from comparator.outputs.preview.tables.paging import ROWS
from comparator.outputs.preview.tables.table import written

_FORMULA = re.compile(r"\s*([A-Z]{1,3}\d{1,7})\s*:\s*(=.*?)\s*", re.DOTALL)
_UNREAD = re.compile(r"[\W_]+")
_LEAST = 3
"""Letters and digits that a line of a quote needs to be looked for by itself."""


class RowPlace(NamedTuple):
    """A sheet and a part of it, both counted from 1."""

    sheet: int
    page: int


def find_rows(text: str, data: bytes, *, family: Family) -> RowPlace | None:
    """Where the rows of a reviewer's copy of a table hold the quote; None where they do not.

    Only letters and digits count, as in the judge's text cells stand between bars. A formula is quoted with its cell.
    """
    try:
        sheets: Sequence[dict[str, Any]] = json.loads(data)["sheets"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    formula = _FORMULA.fullmatch(text)
    if formula is not None:
        return _formula(formula[1], formula[2], sheets)
    # The whole quote first; then the longest of its lines, for a quote that names its sheet or leaves rows out.
    lines = sorted({_letters(line) for line in text.splitlines()}, key=len, reverse=True)
    for wanted in dict.fromkeys((_letters(text), *lines[:3])):
        if len(wanted) < _LEAST:
            continue
        for number, sheet in enumerate(sheets, 1):
            row = _row(wanted, sheet["rows"], family)
            if row is not None:
                return RowPlace(number, row // ROWS + 1)
    return None


def _row(wanted: str, rows: Sequence[Sequence[Any]], family: Family) -> int | None:
    """The row, counted from 0, in which the words begin. Numbers of rows stand before a sheet's rows only."""
    body = rows[1:] if family is Family.PARQUET else rows
    for numbered in (False,) if family is Family.PARQUET else (True, False):
        starts, pieces, at = [], [], 0
        for number, row in enumerate(body, 1):
            words = str(number) * numbered + _letters(
                " ".join("" if cell is None else written(cell) for cell in row)
            )
            starts.append(at)
            pieces.append(words)
            at += len(words)
        found = "".join(pieces).find(wanted)
        if found >= 0:
            return bisect_right(starts, found) - 1
    return None


def _formula(cell: str, formula: str, sheets: Sequence[dict[str, Any]]) -> RowPlace | None:
    wanted = "".join(formula.split())
    row = int(re.sub(r"\D", "", cell)) - 1
    for number, sheet in enumerate(sheets, 1):
        # In a copy of today each row's formulas stand on a line of their own, all in one object.
        if "".join(str((sheet.get("formulas") or {}).get(cell, "")).split()) == wanted:
            return RowPlace(number, max(row, 0) // ROWS + 1)
    return None


def _letters(text: str) -> str:
    return _UNREAD.sub("", text).lower()
