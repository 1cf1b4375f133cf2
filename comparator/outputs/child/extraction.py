"""What reading one document gives, in standard-library types only: the child process starts in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

NEUTRAL_VALUES = "Where author, publisher, generator and the like are named, a neutral word stands instead."
"""The note on a page whose values were replaced."""

TextForm = Literal["plain", "html", "xml"]


PageData = tuple[tuple[str, str, str], ...]
"""What a web page says beside what is seen of it: kind, name and value of each entry."""


class Unreadable(Exception):
    """A document cannot be read; the message is a plain sentence without anything from inside the document."""


class Bomb(Unreadable):
    """A document is not read since it would grow beyond the limits; nothing of it is handed on either."""


@dataclass(frozen=True)
class ReadLimits:
    """The part of the limits that reading one document needs."""

    text_bytes: int
    pages: int
    cells: int
    pictures: int
    pixels: int
    side_shown: int
    side_judged: int
    archive_ratio: int
    members: int
    unpacked: int
    bytes_per_file: int
    path_length: int
    depth: int

    @classmethod
    def of(cls, values: dict[str, Any]) -> ReadLimits:
        """From what came over the wire."""
        return cls(**{field.name: int(values[field.name]) for field in fields(cls)})


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
    page_data: PageData = ()
