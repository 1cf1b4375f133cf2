"""What the tools work on: the views of a blinded pair with the blinded copies of their files."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from comparator.domain.errors import InputError
from comparator.domain.pair.examination import Place
from comparator.domain.pair.view import BlindedPair, ImageBlock, PageEvidence, ViewedFile
from comparator.judges.tools.missing_content import given_with_tools
from comparator.outputs.examine.lines import Hit, Lines, Pattern
from comparator.outputs.examine.opened import OpenedFile, Opener, StoredCopy, TakenPicture

_ROOM_FOR_PICTURES = 64_000_000
"""Bytes of pictures that are kept for a pair, so that the other order and later readings get them at once."""
PLACES: tuple[Place, ...] = ("A", "B", "input", "reference")


class PlacedFile(NamedTuple):
    """A file, its blinded copy where it has one, and how it looks where it was opened in a browser."""

    place: Place
    file: ViewedFile
    copy: StoredCopy | None
    page: PageEvidence | None


class Material:
    """A pair and the copies of its files by their ids. A file is found by its name in a view and in no other way.

    `pages` are pictures of web pages, taken alike for both outputs, that did not fit into the views.
    """

    def __init__(
        self,
        pair: BlindedPair,
        copies: Mapping[str, StoredCopy],
        opener: Opener,
        *,
        pages: Mapping[str, PageEvidence] | None = None,
    ) -> None:
        self.pair, self.opener = pair, opener
        self.copies, self._pages = copies, pages or {}
        self._lock = threading.Lock()
        self._pictures: OrderedDict[tuple[str, int, int], TakenPicture] = OrderedDict()
        self.given = given_with_tools(pair)
        """The pair as a request shows it."""
        self._named = {
            place: {file.name: file for file in view.files} for place in PLACES if (view := pair.view(place))
        }

    def files(self, place: Place | None = None) -> Iterator[PlacedFile]:
        """The files of a side, or of all, in order."""
        for each in PLACES if place is None else (place,):
            for file in self._named.get(each, {}).values():
                yield self._placed(each, file)

    def file(self, place: Place, name: str) -> PlacedFile:
        """The file of that name. Raises InputError."""
        file = self._named.get(place, {}).get(name)
        if file is None:
            raise InputError(
                f"There is no file {name[:200]!r} in {place_in_words(place)}. Use list to see the files."
            )
        return self._placed(place, file)

    def _placed(self, place: Place, file: ViewedFile) -> PlacedFile:
        return PlacedFile(place, file, self.copies.get(file.id), self._pages.get(file.id, file.page))

    def open(self, placed: PlacedFile) -> OpenedFile:
        """The whole text of a file. Raises InputError."""
        return self.opener.open(placed.file, placed.copy)

    def picture(self, placed: PlacedFile, *, page: int, width: int) -> TakenPicture:
        """A page of a document or an image, at a width in pixels. Raises InputError."""
        key = (placed.file.id, page, width)
        # Drawn under the lock: two readings that want the same page have it drawn once.
        with self._lock:
            if key not in self._pictures:
                taken = self.opener.picture(placed.file, placed.copy, page=page, width=width)
                self._pictures[key] = taken
                while sum(len(each.block.data) for each in self._pictures.values()) > _ROOM_FOR_PICTURES:
                    self._pictures.popitem(last=False)
                return taken
            self._pictures.move_to_end(key)
            return self._pictures[key]


def place_in_words(place: Place) -> str:
    """A side in words.

    >>> place_in_words("A"), place_in_words("input")
    ('output A', 'the input files')
    """
    return {"input": "the input files", "reference": "the reference"}.get(place, f"output {place}")


LONGEST = 24_000
"""Characters of one answer at most."""


class ToolReply(NamedTuple):
    """A tool's answer."""

    text: str
    picture: ImageBlock | None = None


class AnswerPage:
    """Lines of an answer until it is full."""

    def __init__(self, head: str = "") -> None:
        self._lines = [head] if head else []
        self._room = LONGEST - len(head)

    def add(self, line: str) -> bool:
        """Whether there was room for a line."""
        if len(line) + 1 > self._room:
            return False
        self._lines.append(line)
        self._room -= len(line) + 1
        return True

    def fill(self, lines: Iterable[str], *, first: int, total: int) -> None:
        """Lines from number `first` of `total` on, as many as fit, and where to go on if there are more."""
        following = first
        for line in lines:
            if not self.add(line):
                break
            following += 1
        if following <= total:
            self.end(f"… {total - following + 1:,} more: ask with first={following}.")

    def end(self, line: str) -> None:
        """Add a last line, however full it is."""
        self._lines.append(line)

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self._lines)


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
        why = " ".join(placed.file.notes)
        raise InputError(
            f"“{placed.file.name}” has no text. {why or 'Use look to see it, if it is a picture.'}"
        )
    if not 1 <= sheet <= len(texts):
        raise InputError(f"“{placed.file.name}” has {len(texts)} sheets; there is no sheet {sheet}.")
    return texts[sheet - 1]
