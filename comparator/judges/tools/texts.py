"""A file's text as one run of numbered lines, whatever it is divided into."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from comparator.domain.errors import InputError
from comparator.judges.tools.material import Material, PlacedFile
from comparator.outputs.examine.lines import Hit, Lines, Pattern

LONGEST_LINE = 2_000


class NumberedLine(NamedTuple):
    """A line, its number (from 1), and the page or slide it stands on, or 0."""

    number: int
    part: int
    text: str


class Text:
    """The lines of a file or of one sheet; `part` names what it is divided into."""

    def __init__(self, parts: tuple[Lines, ...], *, part: str = "", name: str = "") -> None:
        self.part, self.name = part, name
        self._parts = parts
        self._starts = [0, *accumulate(map(len, parts))]

    def __len__(self) -> int:
        return self._starts[-1]

    @property
    def parts(self) -> int:
        """How many pages or slides it has."""
        return len(self._parts)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The first and last line of pages or slides `first` to `last`. Raises InputError."""
        if not 1 <= first <= self.parts:
            raise InputError(f"It has {self.parts:,} {self.part}s; there is no {self.part} {first:,}.")
        return self._starts[first - 1] + 1, self._starts[min(max(first, last), self.parts)]

    def plain(self) -> bytes:
        """The whole text, a line feed between lines, as many lines as it has."""
        return b"\n".join(part.plain() for part in self._parts if len(part))

    def lines(self, first: int, last: int) -> Iterator[NumberedLine]:
        """Lines `first` to `last`."""
        number = first
        while number <= min(last, len(self)):
            at = bisect_right(self._starts, number - 1) - 1
            end = min(last, self._starts[at + 1])
            start = self._starts[at]
            for text in self._parts[at].each(number - 1 - start, end - start):
                yield NumberedLine(number, at + 1 if self.part else 0, text.rstrip("\r\n"))
                number += 1

    def find(self, pattern: Pattern, *, most: int) -> tuple[list[tuple[NumberedLine, Hit]], int]:
        """The first `most` lines with it, and how many there are."""
        found: list[tuple[NumberedLine, Hit]] = []
        total = 0
        for start, part, lines in zip(self._starts, range(1, self.parts + 1), self._parts, strict=False):
            hits, count = lines.find(pattern, most=most - len(found))
            total += count
            for hit in hits:
                text = lines.text(hit.line, hit.line + 1).rstrip("\r\n")
                found.append((NumberedLine(start + hit.line + 1, part if self.part else 0, text), hit))
        return found, total


def texts_of(material: Material, placed: PlacedFile) -> tuple[Text, ...]:
    """The texts of a file: one, or one for each sheet. Raises InputError."""
    opened = material.open(placed)
    if opened.sheets:
        return tuple(Text((sheet.lines,), name=sheet.name) for sheet in opened.sheets)
    return (Text(opened.parts, part=opened.part),) if opened.parts else ()


def text_of(material: Material, placed: PlacedFile, *, sheet: int) -> Text:
    """The text of a file, or of one sheet (from 1). Raises InputError where there is none."""
    texts = texts_of(material, placed)
    if not texts:
        raise InputError(f"“{placed.file.name}” has no text. Use look to see it, if it is a picture.")
    if not 1 <= sheet <= len(texts):
        raise InputError(f"“{placed.file.name}” has {len(texts)} sheets; there is no sheet {sheet}.")
    return texts[sheet - 1]
