"""What the tools work on: the views of a blinded pair with the blinded copies of their files."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from comparator.domain.errors import InputError
from comparator.domain.pair.examination import Place
from comparator.domain.pair.view import BlindedPair, ImageBlock, PageEvidence, ViewedFile
from comparator.judges.tools.missing_content import shorten_for_tools
from comparator.outputs.examine.opened import Opener, Text
from comparator.outputs.view.built import BlindedCopy

PLACES: tuple[Place, ...] = ("A", "B", "input", "reference")


class PlacedFile(NamedTuple):
    """A file, its blinded copy where it has one, and how it looks where it was opened in a browser."""

    place: Place
    file: ViewedFile
    copy: BlindedCopy | None
    page: PageEvidence | None


class Material:
    """A pair and the copies of its files by their ids. A file is found by its name in a view and in no other way.

    `pages` are pictures of web pages, taken alike for both outputs, that did not fit into the views.
    """

    def __init__(
        self,
        pair: BlindedPair,
        copies: Mapping[str, BlindedCopy],
        opener: Opener,
        *,
        pages: Mapping[str, PageEvidence] | None = None,
    ) -> None:
        self.pair, self.opener = pair, opener
        self.copies, self._pages = copies, pages or {}
        self.given = shorten_for_tools(pair)
        """The pair as a request shows it."""
        self._named = {
            place: {file.name: file for file in view.files} for place in PLACES if (view := pair.view(place))
        }

    def files(self, place: Place | None = None) -> Iterator[PlacedFile]:
        """The files of a side, or of all, in order."""
        for side in PLACES if place is None else (place,):
            for file in self._named.get(side, {}).values():
                yield self._placed(side, file)

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

    def texts(self, placed: PlacedFile) -> tuple[Text, ...]:
        """The whole texts of a file: one, or one for each sheet. Raises InputError."""
        return self.opener.open(placed.file, placed.copy)


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


def text_of(material: Material, placed: PlacedFile, *, sheet: int) -> Text:
    """The text of a file, or of one sheet (from 1). Raises InputError where there is none."""
    texts = material.texts(placed)
    if not texts:
        why = " ".join(placed.file.notes)
        raise InputError(
            f"“{placed.file.name}” has no text. {why or 'Use look to see it, if it is a picture.'}"
        )
    if not 1 <= sheet <= len(texts):
        raise InputError(f"“{placed.file.name}” has {len(texts)} sheets; there is no sheet {sheet}.")
    return texts[sheet - 1]
