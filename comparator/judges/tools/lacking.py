"""What a judge lacks of a file that it was given: by what is in the view, and by our own notes on it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from comparator.domain.pair.view import DocumentBlock, Family, ViewedFile

UNSEEN = (Family.AUDIO, Family.VIDEO, Family.ARCHIVE, Family.BINARY)
"""Kinds of files of which no tool shows more."""
SMALLER = "A judge is given it smaller"
"""How the note on a picture begins that has more pixels than a judge is given."""
_SIZE = re.compile(r"\[picture, (\d+) × (\d+) pixels\]")


class Lack(StrEnum):
    """What is missing of a file."""

    TEXT = "text"
    LOOKS = "looks"
    GONE = "gone"
    """Something that was not read at all, so that no tool shows it either."""


class _Sign(NamedTuple):
    """Words of a note, what is lacking where they stand, and whether the pair is read with tools for it."""

    words: str
    lack: Lack
    tools: bool


_SIGNS = (
    _Sign("characters are left out", Lack.TEXT, tools=True),
    _Sign("page data are not listed", Lack.TEXT, tools=True),
    _Sign("of its pictures is left out", Lack.LOOKS, tools=True),
    _Sign("of its pictures are left out", Lack.LOOKS, tools=True),
    _Sign("of its pictures cannot be read", Lack.LOOKS, tools=False),
    # One page could not be pictured, so that none is: another attempt would end in the same way.
    _Sign("Pictures of it are left out", Lack.LOOKS, tools=False),
    _Sign("The judge is given pictures of the first", Lack.LOOKS, tools=True),
    _Sign("Its pages are not pictured", Lack.LOOKS, tools=True),
    # Only a high picture gains: a tool shows no more pixels across than the judge was given.
    _Sign(SMALLER, Lack.LOOKS, tools=False),
    # Of a moving picture or of unknown bytes no tool shows what comes after.
    _Sign("only the first is shown", Lack.GONE, tools=False),
    _Sign("bytes can be looked at", Lack.GONE, tools=False),
    _Sign("left out", Lack.GONE, tools=True),
    _Sign("nly the first", Lack.GONE, tools=True),
    _Sign("left away", Lack.GONE, tools=False),
    _Sign("taken out", Lack.GONE, tools=False),
    _Sign("not its form", Lack.GONE, tools=False),
    _Sign("listed, not read", Lack.GONE, tools=False),
)
"""The first that fits a note says what it means."""
_OF_VIEWS = ("left out", "the text of PDFs", "more pictures", "is longer than", "number is limited")
"""Words of notes on whole views that say that a judge is given less than there is."""


def lacking(file: ViewedFile) -> frozenset[Lack]:
    """What a judge lacks of a file in a request with all of its view; empty where it is given the whole file."""
    found = {sign.lack for note in file.notes if (sign := _sign(note)) is not None}
    if file.is_cut:
        found.add(Lack.TEXT)
    if file.printed is not None and file.printed.whole:
        # Pictures of its own are seen on its pages.
        found.discard(Lack.LOOKS)
    elif file.printed is not None or not _is_pictured(file):
        found.add(Lack.LOOKS)
    return frozenset(found)


def opens_more(file: ViewedFile) -> bool:
    """Whether tools are offered for a file, because a request shows less of it than they may."""
    if file.is_cut:
        return True
    if file.page is not None and any(picture.is_cut for picture in file.page.pictures):
        return True
    if file.printed is not None and file.printed.total and not file.printed.whole:
        return True
    if not file.blocks and file.page is None and file.size and file.family not in UNSEEN:
        return True
    if any(note.startswith(SMALLER) for note in file.notes) and not _is_wide(file):
        return True
    return noted(file.notes)


def noted(notes: Iterable[str]) -> bool:
    """Whether notes on a file, or those that are stored with it, say that tools are offered for it."""
    return any(sign is not None and sign.tools for sign in map(_sign, notes))


def noted_of_view(notes: Iterable[str]) -> bool:
    """Whether notes on a whole view say that a judge is given less than there is."""
    return any(words in note for note in notes for words in _OF_VIEWS)


def _sign(note: str) -> _Sign | None:
    return next((sign for sign in _SIGNS if sign.words in note), None)


def _is_pictured(file: ViewedFile) -> bool:
    """Whether a judge sees how a file looks as far as its kind has looks that its text does not tell."""
    if file.family is Family.PDF:
        return any(isinstance(block, DocumentBlock) for block in file.blocks)
    if file.page is not None:
        return bool(file.page.pictures) and not any(picture.is_cut for picture in file.page.pictures)
    return file.family is not Family.HTML


def _is_wide(file: ViewedFile) -> bool:
    size = _SIZE.match(file.text)
    return size is not None and int(size[1]) >= int(size[2])
