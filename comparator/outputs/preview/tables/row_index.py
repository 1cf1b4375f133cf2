"""Where the rows of a large table begin, found once by counting and kept, so that any of them can be read alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from comparator.outputs.preview.document import NotShown
from comparator.outputs.preview.parts import Open

_CHUNK = 8 << 20
_LINE_END, _QUOTE = 10, 34
_MOST_LINES = 5_000_000
_MOST_READ = 4_000_000
"""Bytes of the rows of one page at most."""

Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RowIndex:
    """The offsets at which rows begin, and the one behind the last."""

    offsets: Offsets

    @property
    def rows(self) -> int:
        """How many rows there are, the heading among them."""
        return max(0, len(self.offsets) - 1)

    def packed(self) -> bytes:
        """As bytes to be kept."""
        return self.offsets.astype("<i8").tobytes()

    @classmethod
    def unpacked(cls, data: bytes) -> RowIndex:
        """From bytes that were kept."""
        return cls(np.frombuffer(data, dtype="<i8"))

    def span(self, stream: BinaryIO, first: int, last: int) -> list[bytes]:
        """The bytes of rows `first` to `last` (from 0, without the last), each for itself."""
        return list(self.each(stream, range(first, min(last, self.rows))))

    def each(self, stream: BinaryIO, numbers: Iterable[int]) -> Iterator[bytes]:
        """The bytes of these rows, in this order, until there are more than a page can hold."""
        read = 0
        for number in numbers:
            start, end = int(self.offsets[number]), int(self.offsets[number + 1])
            read += end - start
            if read > _MOST_READ:
                return
            stream.seek(start)
            yield stream.read(end - start)


def lines_in(open_file: Open) -> RowIndex:
    """The index of a file whose rows are its lines. Raises NotShown where they are too many."""
    offsets, _ = _lines(open_file)
    return RowIndex(offsets)


def records_in(open_file: Open, *, delimiter: bytes) -> RowIndex:
    """The index of delimited text, in which a quoted cell may hold line ends. Raises NotShown."""
    offsets, quotes = _lines(open_file)
    # Only a line with an odd number of quotes can begin or end a cell of several lines.
    odd = np.flatnonzero(np.diff(quotes) % 2)
    if not len(odd):
        return RowIndex(offsets)
    opener = re.compile(b"(?:^|" + re.escape(delimiter) + b')"')
    kept = np.ones(len(offsets), dtype=bool)
    inside, since = False, 0
    with open_file() as stream:
        for number in odd.tolist():
            stream.seek(int(offsets[number]))
            line = stream.read(int(offsets[number + 1] - offsets[number]))
            after = _open_after(line, inside=inside, opener=opener)
            if after and not inside:
                since = number
            elif inside and not after:
                kept[since + 1 : number + 1] = False
            inside = after
    # A quote that is never closed would make one row of the rest: there, lines are rows.
    return RowIndex(offsets[kept])


def _lines(open_file: Open) -> tuple[Offsets, Offsets]:
    """Where lines begin and the last one ends, and how many quotes stand before each of these places."""
    found, counts = [np.zeros(1, dtype=np.int64)], [np.zeros(1, dtype=np.int64)]
    position, before, lines = 0, 0, 0
    with open_file() as stream:
        while chunk := stream.read(_CHUNK):
            array = np.frombuffer(chunk, dtype=np.uint8)
            ends = np.flatnonzero(array == _LINE_END)
            marks = np.flatnonzero(array == _QUOTE) if b'"' in chunk else np.zeros(0, dtype=np.int64)
            found.append(ends.astype(np.int64) + position + 1)
            counts.append(np.searchsorted(marks, ends).astype(np.int64) + before)
            position, before, lines = position + len(chunk), before + len(marks), lines + len(ends)
            if lines > _MOST_LINES:
                raise NotShown(f"It has more than {_MOST_LINES:,} lines; shown as text.")
    offsets, quotes = np.concatenate(found), np.concatenate(counts)
    if offsets[-1] != position:
        offsets, quotes = np.append(offsets, position), np.append(quotes, before)
    return offsets, quotes


def _open_after(line: bytes, *, inside: bool, opener: re.Pattern[bytes]) -> bool:
    """Whether a quoted cell is open at the end of a line."""
    at = 0
    while True:
        if inside:
            mark = line.find(b'"', at)
            if mark < 0:
                return True
            at = mark + 2 if line[mark + 1 : mark + 2] == b'"' else mark + 1
            inside = line[mark + 1 : mark + 2] == b'"'
        else:
            match = opener.search(line, at)
            if match is None:
                return False
            inside, at = True, match.end()
