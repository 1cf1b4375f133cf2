"""The types that isolated processes take and return, besides text and numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

NEUTRAL_VALUES = "Where author, publisher, generator and the like are named, a neutral word stands instead."
"""The note on a page whose values were replaced."""

TextForm = Literal["plain", "html", "xml"]


class Unreadable(Exception):
    """A document cannot be read; the message is a plain sentence without anything from inside the document."""


class Bomb(Unreadable):
    """A document is not read since it would grow beyond the limits; nothing of it is handed on either."""


@dataclass(frozen=True)
class Picture:
    """A picture made anew from pixels."""

    media_type: str
    data: bytes
    caption: str = ""


@dataclass(frozen=True)
class Copy:
    """The rebuilt file for the reviewer. Without one, the text itself is the copy."""

    media_type: str
    data: bytes


@dataclass(frozen=True)
class Extraction:
    """What one document gives."""

    text: str = ""
    form: TextForm = "plain"
    """How words in `text` are to be redacted."""
    pictures: tuple[Picture, ...] = ()
    document: bytes | None = None
    """A rebuilt PDF with `pages` pages."""
    pages: int = 0
    copy: Copy | None = None
    copyable: bool = True
    wordless: bool = False
    """Whether it has pictures or scans whose words cannot be redacted."""
    omitted: int = 0
    notes: tuple[str, ...] = ()
    """Plain sentences."""
    telling: int = 0
    """How many comments told of the run and were left out."""


class ShownPicture(NamedTuple):
    """A picture at a width, and how many pages there are."""

    media_type: str
    data: bytes
    width: int
    height: int
    pages: int


@dataclass(frozen=True, slots=True)
class PageImage:
    """A picture of a page or of a part of one; `page` counts from 1."""

    page: int
    caption: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Pages:
    """A document as it prints: a PDF of pictures with words, its first pages by themselves, and what differs."""

    document: bytes
    total: int
    images: tuple[PageImage, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Cleaned:
    """A package that can be printed; `pages` names what becomes a page each where that is known: slides or sheets."""

    kind: str
    data: bytes = b""
    pages: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    linked: int = 0
    """Pictures and other things that lie outside of the file."""
