"""Lines and rows of files too large for memory: each is read where it stands, when it is asked for."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import overload

from comparator.outputs.differences.text import TextLine
from comparator.outputs.preview.document import reveal

_LONGEST = 2_000
Row = tuple[str, ...]


class StoredLines(Sequence[TextLine]):
    """The lines of a text in UTF-8; overlong ones in pieces."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts = array("Q")
        self._numbers = array("Q")
        at = 0
        for number, line in enumerate(io.BytesIO(data), 1):
            self._starts.append(at)
            self._numbers.append(number)
            for start in range(_LONGEST, len(line), _LONGEST):
                self._starts.append(self._letter(at + start))
                self._numbers.append(0)
            at += len(line)
        self._starts.append(len(data))

    def _letter(self, at: int) -> int:
        """Where the letter begins of which a byte is part."""
        while self._data[at] & 0xC0 == 0x80:
            at -= 1
        return at

    def text(self, index: int) -> str:
        """The words of one line."""
        raw = self._data[self._starts[index] : self._starts[index + 1]]
        return reveal(raw.decode("utf-8", "replace").rstrip("\r\n"))

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> TextLine: ...
    @overload
    def __getitem__(self, index: slice) -> list[TextLine]: ...
    def __getitem__(self, index: int | slice) -> TextLine | list[TextLine]:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(len(self)))]
        return TextLine(self.text(index), self._numbers[index])


class StoredTexts(Sequence[str]):
    """The words of stored lines."""

    def __init__(self, lines: StoredLines) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[str]:
        return map(self._lines.text, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self._lines.text(n) for n in range(*index.indices(len(self)))]
        return self._lines.text(index)


class StoredRows(Sequence[Row]):
    """The rows of a table: `starts` says where each begins, and at last where they end; `read` reads some bytes."""

    def __init__(
        self,
        data: bytes,
        starts: array[int],
        identities: array[int],
        read: Callable[[bytes], Iterator[Row]],
        *,
        width: int,
        first: list[str] | None = None,
    ) -> None:
        self._data = data
        self._starts = starts
        self._read = read
        self._first = first
        self.identities = identities
        """A number for each row, the same for the same bytes."""
        self.width = width

    def column(self, number: int) -> list[str]:
        """The values of a column."""
        if number == 0 and self._first is not None:
            return self._first
        return [row[number].strip() if number < len(row) else "" for row in self]

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __iter__(self) -> Iterator[Row]:
        return self._read(self._data[self._starts[0] : self._starts[-1]])

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(len(self)))]
        return next(self._read(self._data[self._starts[index] : self._starts[index + 1]]), ())


def delimited_rows(data: bytes, *, delimiter: str) -> tuple[Row, StoredRows]:
    """The heading and the rows of a delimited text in UTF-8. Raises csv.Error."""
    at = identity = 0

    def lines() -> Iterator[str]:
        nonlocal at, identity
        for line in io.BytesIO(data):
            at += len(line)
            identity = hash(line) if not identity else hash((identity, line))
            yield line.decode("utf-8", "replace")

    def read(raw: bytes) -> Iterator[Row]:
        text = io.TextIOWrapper(io.BytesIO(raw), "utf-8", "replace", newline="")
        return map(tuple, csv.reader(text, delimiter=delimiter))

    reader = csv.reader(lines(), delimiter=delimiter)
    heading = tuple(next(reader, []))
    starts, identities, first, width = array("Q", [at]), array("q"), list[str](), len(heading)
    identity = 0
    for row in reader:
        starts.append(at)
        identities.append(identity)
        identity = 0
        first.append(row[0].strip() if row else "")
        if len(row) > width:
            width = len(row)
    return heading, StoredRows(data, starts, identities, read, width=width, first=first)


def stored_rows(
    data: bytes, lines: Iterator[bytes], read: Callable[[bytes], Iterator[Row]], *, start: int, width: int
) -> StoredRows:
    """The rows of a table in which each stands on a line; the first begins at `start`."""
    starts, identities = array("Q", [start]), array("q")
    for line in lines:
        starts.append(starts[-1] + len(line))
        identities.append(hash(line.strip(b",\r\n")))
    return StoredRows(data, starts, identities, read, width=width)
