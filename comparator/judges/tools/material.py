"""What the tools work on: the views of a blinded pair with the blinded copies of their files."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from comparator.domain.errors import InputError
from comparator.domain.labels import Label
from comparator.domain.pair.examination import Place
from comparator.domain.pair.view import BlindedPair, OutputView, PageEvidence, ViewedFile
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
        self._named = {
            place: {file.name: file for file in view.files} for place in PLACES if (view := self.view(place))
        }

    def view(self, place: Place) -> OutputView | None:
        """The view of an output, of the input files or of the reference; None where there is none."""
        match place:
            case "input":
                return self.pair.inputs
            case "reference":
                return self.pair.reference
        return self.pair.outputs[Label(place)]

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
