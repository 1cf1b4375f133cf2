"""What building a view gives: the view itself, the blinded copies of its files, and what stood in them before."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from pydantic import Field
from rapidfuzz.distance import Postfix, Prefix

from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family, OutputView
from comparator.outputs.differences.text import aligned

_PIECE = re.compile(r"\w+|\s+|.", re.DOTALL)


class OriginalWords(NamedTuple):
    """From `start` to `end` of the redacted text, `words` stood originally."""

    start: int
    end: int
    words: str


def places_between(original: str, redacted: str) -> tuple[OriginalWords, ...]:
    """Where the redacted text differs, in order, and what stood there; `restored` gives the original again.

    >>> places_between("by nova for us", "by reed for us")
    (OriginalWords(start=3, end=7, words='nova'),)
    """
    if original == redacted:
        return ()
    before, after = original.split("\n"), redacted.split("\n")
    if len(before) != len(after):
        before, after = [original], [redacted]
    found: list[OriginalWords] = []
    at = 0
    for line, new in zip(before, after, strict=True):
        if line != new:
            found.extend(
                OriginalWords(at + start, at + end, words) for start, end, words in _in_line(line, new)
            )
        at += len(new) + 1
    return tuple(found)


def restored(text: str, places: Sequence[OriginalWords]) -> str:
    """The text with the original words in their places."""
    pieces: list[str] = []
    done = 0
    for start, end, words in places:
        pieces += (text[done:start], words)
        done = end
    return "".join((*pieces, text[done:]))


def after_cut(places: Sequence[OriginalWords], *, whole: str, given: str) -> tuple[OriginalWords, ...]:
    """The places in a text of which the middle was left out, where they are in what is left."""
    if whole == given or not places:
        return tuple(places)
    head = Prefix.similarity(whole, given)
    tail = Postfix.similarity(whole[head:], given[head:])
    moved = len(given) - len(whole)
    return tuple(
        place if place.end <= head else OriginalWords(place.start + moved, place.end + moved, place.words)
        for place in places
        if place.end <= head or place.start >= len(whole) - tail
    )


def _in_line(line: str, new: str) -> Iterator[tuple[int, int, str]]:
    a, b = _PIECE.findall(line), _PIECE.findall(new)
    ends = [0, *accumulate(map(len, b))]
    for block in aligned(a, b):
        if not block.same:
            yield ends[block.b], ends[block.b_end], "".join(a[block.a : block.a_end])


class BlindedCopy(Frozen):
    """The rebuilt file that a reviewer may see, download or inspect until the reveal.

    `media_type` says what the blob holds: `text/plain` (UTF-8) for every text family, archives (a listing) and PDFs
    that had to be shown as text; `text/html` for HTML, DOCX and PPTX; `image/svg+xml`;
    `application/pdf`; `image/png` or `image/jpeg`; and Parquet as `outputs.tables.store` has it for sheets and
    tables.
    Sound in a WAV file (`audio/wav`) comes without its tags. Other sound, film, and files that are unknown, damaged,
    encrypted or too large have no copy.
    """

    file_id: str
    name: str
    family: Family
    blob: str
    media_type: str
    size: int
    pages: str | None = None
    """A PDF of how an Office file prints, as a blob; None where it is shown by its content only."""
    pages_size: int = 0
    looks: str = ""
    """What tells two documents of the same content apart: a digest of their looks, where they are known."""

    @property
    def content(self) -> str | None:
        """Identity of what it says without its looks; None where the two are one."""
        return self.blob if self.looks else None

    @property
    def shown(self) -> str:
        """Identity of what is seen of it."""
        return hashlib.sha256(f"{self.blob}{self.looks}".encode()).hexdigest() if self.looks else self.blob


class Original(Frozen):
    """What stood in a file before it was redacted, for after the reveal: its name, its words by place, and its copy."""

    file_id: str
    name: str
    places: tuple[OriginalWords, ...]
    """In the file's text as it is given."""
    blob: str | None = None
    """The copy with the original words; None where it is the blinded one, or there is none."""
    media_type: str | None = None
    size: int | None = None


class BuiltView(Frozen):
    """A view with the copies of its files; its `originals` reach nobody before the reveal."""

    view: OutputView
    copies: tuple[BlindedCopy, ...]
    originals: tuple[Original, ...] = Field(default=(), exclude=True)
