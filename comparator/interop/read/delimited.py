"""Delimited text as people have it: any line ends, a stated separator, missing or extra empty cells."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from comparator.interop.read.columns import each_once
from comparator.interop.read.text import ReadRow, UnreadableImport

_STATED = re.compile(r"sep=(.)\r?\n?")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
"""A line of a file with its end, by whatever sign: within quotes a cell may hold any of them."""
LONGEST_HEADER = 100_000
"""Characters of the first line; the names of columns are shorter by far."""
_LARGEST_CELL = 2**31 - 1


def csv_header(text: str) -> tuple[str, ...]:
    """The names in the first line; empty where there are none. Raises Unreadable where it is none of a table, or two
    are the same.
    """
    first, delimiter, _ = _head(text)
    if len(first) > LONGEST_HEADER:
        raise UnreadableImport(f"its first line has {len(first):,} characters; no table has such a header")
    try:
        cells = next(csv.reader([first], delimiter=delimiter), [])
    except csv.Error as error:
        raise UnreadableImport(f"its first line is not a table header ({error})") from error
    names = tuple(cell.strip() for cell in cells)
    return each_once(names)


def csv_rows(text: str) -> Iterator[ReadRow]:
    """The rows below the header; a row with cells too many is told. Raises Unreadable as `csv_header`."""
    header = csv_header(text)
    if not header:
        return
    csv.field_size_limit(_LARGEST_CELL)
    _, delimiter, begin = _head(text)
    # Not StringIO, which takes four bytes a character.
    lines = (found[0] for found in _LINE.finditer(text, begin) if found[0])
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number = 0
    try:
        next(reader)
        for number, cells in enumerate(reader, start=1):  # told when a later row breaks
            if not any(cell.strip() for cell in cells):
                continue
            if any(cells[len(header) :]):
                problem = f"it has {len(cells)} cells, the header has {len(header)}"
                yield ReadRow(number, None, problem)
                continue
            # A spreadsheet writes no empty cells at a row's end, or too many.
            cells = [*cells, *[""] * (len(header) - len(cells))][: len(header)]
            yield ReadRow(
                number, {name: cell for name, cell in zip(header, cells, strict=True) if cell != "" or name}
            )
    except csv.Error as error:
        yield ReadRow(number + 1, None, f"the rest cannot be read: {error}")


def _head(text: str) -> tuple[str, str, int]:
    """The line of the header, what separates its cells, and where it begins: behind a line such as `sep=;`."""
    stated = _STATED.match(text)
    begin = stated.end() if stated else 0
    match = _LINE.match(text, begin)
    first = match[0].rstrip("\r\n") if match else ""
    return first, stated[1] if stated else max(",;\t|", key=first.count), begin
