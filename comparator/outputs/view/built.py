"""What building a view gives: the view, blinded copies of its files, what stood in them before, and its counts."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from pydantic import Field
from rapidfuzz.distance import Postfix, Prefix

from comparator.domain.labels import Frozen
from comparator.domain.pair.view import Family, ImageBlock, OutputView, ViewedFile
from comparator.outputs.differences.text import align

_PIECE = re.compile(r"\w+|\s+|.", re.DOTALL)


class OriginalWords(NamedTuple):
    """From `start` to `end` of the redacted text, `words` stood originally."""

    start: int
    end: int
    words: str


def places_between(original: str, redacted: str) -> tuple[OriginalWords, ...]:
    """Where the redacted text differs, in order, and what stood there; `restore_words` gives the original again.

    >>> places_between("by nova for us", "by reed for us")
    (OriginalWords(start=3, end=7, words='nova'),)
    """
    if original == redacted:
        return ()
    before, after = original.split("\n"), redacted.split("\n")
    if len(before) != len(after):
        before, after = [original], [redacted]
    places: list[OriginalWords] = []
    at = 0
    for line, new in zip(before, after, strict=True):
        if line != new:
            a, b = _PIECE.findall(line), _PIECE.findall(new)
            ends = list(accumulate(map(len, b), initial=at))
            places += [
                OriginalWords(ends[block.b], ends[block.b_end], "".join(a[block.a : block.a_end]))
                for block in align(a, b)
                if not block.same
            ]
        at += len(new) + 1
    return tuple(places)


def restore_words(text: str, places: Sequence[OriginalWords]) -> str:
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
    def shown_digest(self) -> str:
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


_HEADING = re.compile(r"^[ \t]{0,3}#{1,6} ", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)]) ", re.MULTILINE)
# The line under a table's head: dashes and bars, nothing else.
_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-{2,}[-:| \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)", re.MULTILINE)
_LINK = re.compile(r"https?://[^\s<>\"')\]]+")
_PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\(|\[picture")
_PAGE = re.compile(r"^\[page \d+\]$", re.MULTILINE)
_TABLES = {Family.CSV, Family.PARQUET}


class Measures(Frozen):
    """Counts of one output; `families` is how many files of each kind it has."""

    characters: int
    words: int
    headings: int
    list_items: int
    tables: int
    code_blocks: int
    links: int
    pictures: int
    pages: int
    families: dict[str, int]


def measures_of(view: OutputView) -> Measures:
    """The counts over all files of an output."""
    texts = [file.text for file in view.files]
    return Measures(
        characters=sum(map(len, texts)),
        words=sum(len(text.split()) for text in texts),
        headings=_count(_HEADING, texts),
        list_items=_count(_ITEM, texts),
        tables=sum("|" in rule for text in texts for rule in _RULE.findall(text))
        + sum(file.family in _TABLES for file in view.files),
        code_blocks=sum(len(_FENCE.findall(text)) // 2 for text in texts)
        + sum(file.family is Family.CODE for file in view.files),
        links=_count(_LINK, texts),
        pictures=sum(map(_pictures, view.files)),
        pages=sum(map(_pages, view.files)),
        families=dict(sorted(Counter(file.family.value for file in view.files).items())),
    )


def _count(pattern: re.Pattern[str], texts: list[str]) -> int:
    return sum(1 for text in texts for _ in pattern.finditer(text))


def _pictures(file: ViewedFile) -> int:
    if file.family in (Family.IMAGE, Family.SVG):
        return 1
    if file.family is Family.PDF:
        # A judge gets pictures of its pages; those are no pictures in it.
        return 0
    image_count = sum(isinstance(block, ImageBlock) for block in file.blocks)
    return max(image_count, len(_PICTURE.findall(file.text)))


def _pages(file: ViewedFile) -> int:
    if file.printed is not None and file.printed.total:
        return file.printed.total
    return len(_PAGE.findall(file.text)) if file.family is Family.PDF else 0
