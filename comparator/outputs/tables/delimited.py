"""Delimited text as people have it: any line ends, a stated separator, uneven rows, quotes that nobody closes."""

import csv
import io
import re
import secrets
from collections.abc import Iterator
from itertools import islice

import pyarrow as pa

from comparator.domain.errors import OutputRefused

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_STATED = re.compile(r"\"?sep=(.)\"?(?:\r\n|\r|\n|\Z)")
_BLOCK = 50_000
"""Rows that are handed on in one go."""
_LONGEST_ROW = 32_000_000
_SAMPLE = 20_000
_END = secrets.token_hex(16)
"""Stands behind the last line; an author who could guess it could hide all rows behind it."""
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
        return next(self.rows(), [])

    def blocks(self) -> Iterator[pa.ListArray]:
        """The rows in blocks."""
        rows = self.rows()
        while block := list(islice(rows, _BLOCK)):
            yield pa.array(block, pa.list_(pa.string()))

    def rows(self) -> Iterator[list[str]]:
        """The rows one by one."""
        head = csv.reader(islice(self._lines(), 20), delimiter=self.delimiter)
        # A blank before a quote would make the quote a letter of the cell.
        spaced = any(cell.startswith(" ") and cell.lstrip().startswith('"') for row in head for cell in row)
        reader = csv.reader(self._lines(), delimiter=self.delimiter, skipinitialspace=spaced)
        lines = count = 0
        for row in reader:
            if row and _END in row[-1]:
                break
            yield row
            count, lines = count + 1, reader.line_num
        if reader.line_num - lines > 1:
            self.open_quote = count + 1
            for line in islice(self._lines(), lines, None):
                if line != _END:
                    cells = csv.reader(
                        [line.rstrip("\r\n")], delimiter=self.delimiter, skipinitialspace=spaced
                    )
                    yield next(cells, [])

    def _lines(self) -> Iterator[str]:
        data = io.BytesIO(self._data)
        data.seek(self._begin)
        for line in io.TextIOWrapper(data, encoding="utf-8", errors="replace", newline=""):
            if len(line) > _LONGEST_ROW:
                raise OutputRefused(f"One of its rows is larger than {_LONGEST_ROW // 1_000_000} MB.")
            yield line
        yield _END


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
