"""Workbooks and Parquet files, sheet by sheet: rows as lines, with formulas and what is to be seen of the form."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from comparator.domain.errors import InputError
from comparator.domain.pair.view import Family
from comparator.outputs.examine.columns import Columns
from comparator.outputs.examine.lines import Lines
from comparator.outputs.extract.table_lines import column_letters, formulas_of, head_of, is_lines, row_of
from comparator.outputs.preview.tables.table import written

_HEAD = b'{"name"'


class SheetTable:
    """One table of a workbook. Its rows are lines: cells parted by bars, with formulas, numbered as in the file."""

    def __init__(
        self,
        name: str,
        rows: Sequence[Sequence[str]],
        *,
        formulas: Mapping[str, str],
        facts: tuple[str, ...],
        headed: bool,
    ) -> None:
        self.name, self.facts = name, facts
        self._rows, self._headed = rows, headed
        self._columns: Columns | None = None
        text = "".join(_line(_with(formulas, number, row)) for number, row in enumerate(rows, 1))
        self.lines = Lines.of(text.encode("utf-8", "replace"))

    @property
    def width(self) -> int:
        """How many columns it has."""
        return max(map(len, self._rows), default=0)

    @property
    def size(self) -> int:
        """Bytes of memory that it takes, about."""
        return 3 * self.lines.size + (self._columns.size if self._columns else 0)

    def columns(self) -> Columns:
        """The rows by column, named by the first row where that only names columns, else by letters."""
        if self._columns is None:
            names = self._rows[0] if self._headed else ()
            rows = itertools.islice(self._rows, int(self._headed), None)
            letters = [column_letters(n + 1) for n in range(self.width)]
            self._columns = Columns.of_rows(names or letters, rows, first=2 if self._headed else 1)
        return self._columns


def sheets_in(data: bytes, *, family: Family) -> tuple[SheetTable, ...]:
    """The sheets of a table's copy, in order. Raises InputError where it has another form."""
    if not is_lines(data):
        raise InputError("It is kept in an older form; read what the view holds of it.")
    lines = data.split(b"\n")
    found, at = [], 1
    try:
        while at < len(lines) and lines[at].lstrip(b",").startswith(_HEAD):
            head = head_of(lines[at])
            count = int(head["count"])
            values = [row_of(line) for line in lines[at + 1 : at + 1 + count]]
            at += count + 2
            formulas: dict[str, str] = {}
            if head.get("calculated"):
                for line in lines[at : at + count]:
                    formulas |= formulas_of(line)
                at += count
            at += 1
            headed = bool(values) and (family is Family.PARQUET or _is_heading(values))
            rows = [tuple("" if cell is None else written(cell) for cell in row) for row in values]
            name = str(head.get("name", ""))
            found.append(SheetTable(name, rows, formulas=formulas, facts=_facts(head), headed=headed))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError("Its cells cannot be read.") from error
    return tuple(found)


def _with(formulas: Mapping[str, str], number: int, row: Sequence[str]) -> Sequence[str]:
    if not formulas:
        return row
    places = [f"{column_letters(column)}{number}" for column in range(1, len(row) + 1)]
    return [
        f"{cell} [{formulas[place]}]".strip() if place in formulas else cell
        for place, cell in zip(places, row, strict=True)
    ]


def _line(row: Sequence[str]) -> str:
    return " | ".join(cell.replace("\n", " ").replace("\r", " ") for cell in row) + "\n"


def _facts(head: dict[str, Any]) -> tuple[str, ...]:
    facts = [str(fact) for fact in head.get("facts", ())]
    merged = head.get("merged") or []
    if merged:
        facts.append(f"Merged: {', '.join(map(str, merged[:50]))}.")
    if head.get("omitted_rows"):
        facts.append(f"{int(head['omitted_rows']):,} more rows were not read.")
    return tuple(facts)


def _is_heading(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether the first row only names the columns: filled with words, each another."""
    first = [cell for cell in rows[0] if cell not in ("", None)]
    words = all(isinstance(cell, str) for cell in first)
    return len(rows) > 1 and bool(first) and words and len(set(first)) == len(first) == len(rows[0])
