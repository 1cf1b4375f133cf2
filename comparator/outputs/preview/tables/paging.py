"""Which rows of a table are on a page: by sheet, part and order, read from where the table is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from comparator.domain.pair.view import Family
from comparator.outputs.extract.table_lines import head_of, row_of
from comparator.outputs.preview.document import NotShown
from comparator.outputs.preview.parts import Open
from comparator.outputs.preview.tables.row_index import RowIndex, lines_in, records_in

ROWS = 400
"""Rows of one page."""

_MOST_SHEETS = 1_000
_ASKED = re.compile(r"(\d{1,4}),(asc|desc)")

Rank = Callable[[bytes, "RowOrder"], bytes]
"""Gives the numbers of the rows in these bytes in an order, packed."""

Keep = Callable[[str, Callable[[], bytes]], bytes]
"""Gives what is kept under a name, or makes and keeps it."""


@dataclass(frozen=True, slots=True)
class RowOrder:
    """By which column rows are ordered, counted from 0."""

    column: int
    down: bool

    @classmethod
    def asked(cls, text: str) -> RowOrder | None:
        """From `3,desc`, columns counted from 1; None for anything else."""
        match = _ASKED.fullmatch(text)
        return cls(int(match[1]) - 1, match[2] == "desc") if match and int(match[1]) else None

    def __str__(self) -> str:
        return f"{self.column + 1},{'desc' if self.down else 'asc'}"


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What is asked of a table: a sheet and a part (from 1), an order, or the row that is to be on the part."""

    page: int = 1
    sheet: int = 1
    order: RowOrder | None = None
    row: int | None = None


@dataclass(frozen=True, slots=True)
class TableSlice:
    """The rows of one page as they stand in the file, with their numbers, and what is known of the whole table."""

    heading: bytes
    rows: tuple[bytes, ...]
    numbers: tuple[int, ...]
    formulas: tuple[bytes, ...]
    total: int
    """Rows of the sheet, without a heading."""
    page: int
    pages: int
    sheet: int
    names: tuple[str, ...]
    order: RowOrder | None
    columns: tuple[str, ...] = ()
    """Names of the columns where the file tells them in a row of its own."""


def is_table(family: Family, media_type: str) -> bool:
    """Whether a copy is shown as a table in pages of rows."""
    if media_type == "text/plain":
        return family is Family.CSV
    return media_type == "application/json" and family in (Family.XLSX, Family.PARQUET)


def page_of_row(place: PageRequest, *, family: Family) -> PageRequest:
    """The place by its page alone: the one that holds the row where the rows stand as in the file."""
    if place.row is None or place.order is not None:
        return replace(place, row=None)
    # Rows of delimited text are numbered with the heading as the first.
    row = max(place.row - 1, 1) if family is Family.CSV else place.row
    return replace(place, page=(row - 1) // ROWS + 1, row=None)


def rows_on(
    open_file: Open, place: PageRequest, *, family: Family, delimiter: str, keep: Keep, rank: Rank
) -> TableSlice:
    """The rows of a page; `delimiter` is that of delimited text. Raises NotShown."""
    if family is Family.CSV:
        return _delimited(open_file, place, delimiter=delimiter, keep=keep, rank=rank)
    return _sheet(open_file, place, family=family, keep=keep, rank=rank)


def _delimited(open_file: Open, place: PageRequest, *, delimiter: str, keep: Keep, rank: Rank) -> TableSlice:
    sign = delimiter.encode()
    index = RowIndex.unpacked(keep("rows", lambda: records_in(open_file, delimiter=sign).packed()))
    total = max(index.rows - 1, 0)
    block = _Block(first=1, total=total, heading=0, formulas=None, names=("",))
    return _cut(open_file, index, place, block, keep=keep, rank=rank)


def _sheet(open_file: Open, place: PageRequest, *, family: Family, keep: Keep, rank: Rank) -> TableSlice:
    index = RowIndex.unpacked(keep("rows", lambda: lines_in(open_file).packed()))
    names: list[str] = []
    line, found = 1, None
    with open_file() as stream:
        while line < index.rows - 1 and len(names) < _MOST_SHEETS:
            head = head_of(index.span(stream, line, line + 1)[0])
            names.append(str(head.get("name", "")))
            if found is None or len(names) == place.sheet:
                found = (len(names), line, head)
            count = int(head.get("count", 0))
            line += count + 3 + (count if head.get("calculated") else 0)
    if found is None:
        raise NotShown("The workbook has no sheets.")
    number, line, head = found
    count = int(head["count"])
    # The first row of a Parquet file's table holds the names of its columns.
    headed = 1 if family is Family.PARQUET and count else 0
    columns: tuple[str, ...] = ()
    if headed:
        with open_file() as stream:
            columns = tuple(str(name) for name in row_of(index.span(stream, line + 1, line + 2)[0]))
    block = _Block(
        first=line + 1 + headed,
        total=count - headed,
        heading=line,
        formulas=line + 2 + count if head.get("calculated") else None,
        names=tuple(names),
        columns=columns,
    )
    return _cut(open_file, index, PageRequest(place.page, number, place.order), block, keep=keep, rank=rank)


class _Block(NamedTuple):
    """Which lines of a file are one table: `total` rows from `first` on, its heading, and its formulas if any."""

    first: int
    total: int
    heading: int
    formulas: int | None
    names: tuple[str, ...]
    columns: tuple[str, ...] = ()


def _cut(
    open_file: Open, index: RowIndex, place: PageRequest, block: _Block, *, keep: Keep, rank: Rank
) -> TableSlice:
    first, total, heading, formulas, names, columns = block
    pages = max(1, -(-total // ROWS))
    page = min(max(place.page, 1), pages)
    order = place.order
    part = range((page - 1) * ROWS, min(page * ROWS, total))
    numbers: Sequence[int] = part
    if order is not None:

        def make() -> bytes:
            with open_file() as stream:
                # With its heading where that stands before the rows, so that they are read as the file is.
                begin = int(index.offsets[0 if formulas is None and heading == 0 else first])
                stream.seek(begin)
                return rank(stream.read(int(index.offsets[first + total]) - begin), order)

        ranked = np.frombuffer(keep(f"order-{place.sheet}-{order}", make), dtype="<i4")
        numbers = [int(n) for n in ranked[part.start : part.stop] if n < total]
    with open_file() as stream:
        rows = tuple(index.each(stream, [first + n for n in numbers]))
        return TableSlice(
            heading=index.span(stream, heading, heading + 1)[0] if index.rows else b"",
            rows=rows,
            numbers=tuple(numbers[: len(rows)]),
            formulas=() if formulas is None else tuple(index.each(stream, [formulas + n for n in numbers])),
            total=total,
            page=page,
            pages=pages,
            sheet=place.sheet,
            names=names,
            order=order,
            columns=columns,
        )
