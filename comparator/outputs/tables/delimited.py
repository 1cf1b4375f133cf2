"""Delimited text as people have it: any line ends, a stated separator, uneven rows, quotes that nobody closes."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from comparator.domain.errors import OutputRefused

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_STATED = re.compile(r"sep=(.)(?:\r\n|\r|\n|\Z)")
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_BLOCK = 4 << 20
_LONGEST_ROW = 32_000_000
_SAMPLE = 20_000
_QUOTE, _FEED, _RETURN = 34, 10, 13
_END = "\ufdd0 the end \ufdd0"
csv.field_size_limit(2**31 - 1)


class Delimited:
    """Delimited text in UTF-8, a row a list of cells; a blank line is a row without any.

    What reads its rows raises OutputRefused where one is endless.

    `open_quote` is the number of the row (from 1) in which a quote begins that is never closed, once that row was read:
    from there on every line is a row.
    """

    def __init__(self, data: bytes, *, name: str = "") -> None:
        self._data = data
        self.delimiter, self._begin = _separator(data[:_SAMPLE].decode("utf-8", "replace"), name)
        self.open_quote: int | None = None

    def heading(self) -> list[str]:
        """The cells of the first row, read without the rest; none of an empty text."""
        end = self._data.find(b"\n", self._begin + _SAMPLE)
        head = self if end < 0 else Delimited(self._data[:end])
        return next(head.rows(), [])

    def rows(self) -> Iterator[list[str]]:
        """The rows one by one."""
        for block in self.blocks():
            yield from block.to_pylist()

    def blocks(self) -> Iterator[pa.ListArray]:
        """The rows in blocks of some megabytes."""
        data, at, count, size = self._data, self._begin, 0, _BLOCK
        while at < len(data):
            match = _LINE_END.search(data, at + size)
            end = match.end() if match else len(data)
            if end - at > _LONGEST_ROW:
                raise OutputRefused(f"One of its rows has more than {_LONGEST_ROW // 1_000_000} MB.")
            found = _split(data[at:end], self.delimiter)
            if found is None and size == _BLOCK and end < len(data):
                # A cell of several lines may run over the end of the block.
                size *= 4
                continue
            size = _BLOCK
            if found is not None:
                rows, at = found, end
            else:
                rows, at = self._one_by_one(at, end, count)
            count += len(rows)
            yield rows

    def _one_by_one(self, at: int, end: int, count: int) -> tuple[pa.ListArray, int]:
        """Rows that no rule for whole blocks holds for, up to the first row's end behind `end`, and where that is."""
        place = at

        def lines() -> Iterator[str]:
            nonlocal place
            for line in _LINE.finditer(self._data, at):
                place = line.end()
                yield line[0].decode("utf-8", "replace")
            yield _END

        rows: list[list[str]] = []
        began = at
        for row in csv.reader(lines(), delimiter=self.delimiter):
            if began == place:
                break
            if row and _END in row[-1]:
                self.open_quote = count + len(rows) + 1
                left = (line[0].decode("utf-8", "replace") for line in _LINE.finditer(self._data, began))
                rows += [
                    next(csv.reader([line.rstrip("\r\n")], delimiter=self.delimiter), [])
                    for line in left
                    if line
                ]
                break
            rows.append(row)
            began = place
            if place >= end:
                return pa.array(rows, pa.list_(pa.string())), place
        return pa.array(rows, pa.list_(pa.string())), len(self._data)


def _separator(head: str, name: str) -> tuple[str, int]:
    """What separates the cells, and where the first row begins: behind a line such as `sep=;`."""
    mark = head.startswith("\ufeff")
    stated = _STATED.match(head, int(mark))
    if stated is not None:
        return stated[1], len(head[: stated.end()].encode())
    if name.lower().endswith((".tsv", ".tab")):
        return "\t", 3 * mark
    lines = [line for line in re.split(r"[\r\n]+", head) if line.strip()][:20]

    # The sign that splits all lines alike; else the one that the first line has most of.
    def score(sign: str) -> tuple[bool, int, int]:
        counts = [line.count(sign) for line in lines] or [0]
        return min(counts) == max(counts) > 0, counts[0], sum(counts)

    return max(DELIMITERS, key=score), 3 * mark


def _split(block: bytes, delimiter: str) -> pa.ListArray | None:
    """The rows of whole lines, all at once; None where a quote stands otherwise than the rules of CSV have it."""
    try:
        block.decode()
    except UnicodeDecodeError:
        block = block.decode("utf-8", "replace").encode()
    if not block.endswith((b"\n", b"\r")):
        block += b"\n"
    data = np.frombuffer(block, np.uint8)
    feed, returned = data == _FEED, data == _RETURN
    ends = feed.copy()
    dropped = np.zeros(len(data), bool)
    if returned.any():
        # Of a carriage return and a line feed the second one ends the row.
        both = returned & np.append(feed[1:], False)
        ends |= returned & ~both
        dropped |= both
    marks = ends | (data == ord(delimiter))
    quotes = np.flatnonzero(data == _QUOTE)
    if len(quotes):
        inside = np.zeros(len(data), np.int8)
        inside[quotes] = 1
        inside = np.bitwise_xor.accumulate(inside).view(bool)
        if inside[-1]:
            return None
        opening, closing = quotes[0::2], quotes[1::2]
        doubled = np.zeros(len(quotes) // 2, bool)
        doubled[1:] = opening[1:] == closing[:-1] + 1
        before = np.where(opening > 0, opening - 1, 0)
        begins = (opening == 0) | marks[before] & ~inside[before]
        after = closing + 1
        closes = marks[after] | dropped[after]
        closes[:-1] |= doubled[1:]
        if not (begins | doubled).all() or not closes.all():
            return None
        marks &= ~inside
        ends &= ~inside
        dropped &= ~inside
        dropped[closing] = True
        dropped[opening[~doubled]] = True
    places = np.flatnonzero(marks)
    kept = ~(marks | dropped)
    offsets = np.concatenate([[0], np.cumsum(kept)[places]])
    last = ends[places]
    # A line without anything is a row without cells: neither the end before it nor its own bounds a cell.
    starts = np.concatenate([[0], places[:-1] + 1])
    first = np.concatenate([[True], last[:-1]])
    length = places - starts
    blank = last & first & ((length == 0) | ((length == 1) & returned[starts] & dropped[starts]))
    cells = pa.StringArray.from_buffers(
        len(places) - int(blank.sum()),
        pa.py_buffer(np.concatenate([[0], offsets[1:][~blank]]).astype(np.int32)),
        pa.py_buffer(data[kept]),
    )
    bounds = np.cumsum(~blank)[last]
    return pa.ListArray.from_arrays(np.concatenate([[0], bounds]).astype(np.int32), cells)
