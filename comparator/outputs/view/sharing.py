"""The same limits for all outputs of a comparison: texts, pictures and PDFs within a judge's budget, cuts reported."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from comparator.domain.pair.notes import Limitation
from comparator.domain.pair.view import Family, ImageBlock, SetAside
from comparator.outputs.families import LAID_OUT
from comparator.outputs.isolated.messages import Extraction
from comparator.outputs.limits import OutputBudget
from comparator.outputs.member_names import in_words

_PICTURED_LATER = frozenset({Family.HTML, *LAID_OUT})
_SMALLEST_SHARE = 400
_HEAD_SHARE = 0.7
MARK = re.compile(r"\n\[… [\d,]+ characters left out here …\]\n")
"""What stands in a text where it was cut."""


class Cut(NamedTuple):
    """A text as it is given, and how many characters are missing from it."""

    text: str
    omitted: int


def cut(text: str, limit: int, *, before: int = 0) -> Cut:
    """The beginning and the end of a text that is longer than `limit`, with a mark for what is left out.

    So many characters were left out `before`, at the mark that the text has.

    >>> cut("abcdefghij", 5).text
    'abc\\n[… 5 characters left out here …]\\nij'
    """
    if len(text) <= limit:
        return Cut(text, 0)
    earlier = MARK.search(text) if before else None
    omitted = len(text) - (len(earlier[0]) if earlier else 0) + before - limit
    head = int(limit * _HEAD_SHARE)
    tail = limit - head
    mark = f"\n[… {omitted:,} characters left out here …]\n"
    return Cut(text[:head] + mark + (text[-tail:] if tail else ""), omitted)


def lowest_limits(sides: Sequence[Mapping[str, int]], total: int) -> dict[str, int]:
    """How long files may be that exceed their share on any side: one that is cut on one is cut to it on the other.

    A side is the lengths of its files by name, in order. Short files are given whole and long ones share what is left;
    where that would leave only scraps, files are given in order until nothing is left.
    """
    limits: dict[str, int] = {}
    for lengths in sides:
        if sum(lengths.values()) <= total:
            continue
        left, share = total, 0
        for number, length in enumerate(sorted(lengths.values())):
            share = left // (len(lengths) - number)
            if length > share:
                break
            left -= length
        left = total
        for name, length in lengths.items():
            own = min(length, share if share >= _SMALLEST_SHARE else min(_SMALLEST_SHARE, left))
            left -= own
            if own < length:
                limits[name] = min(own, limits.get(name, own))
    return limits


@dataclass
class Prepared:
    """One file under its neutral name, as it was read and as it is blinded; below, what a judge is given of it."""

    name: str
    path: str
    """Its own name: for after the reveal only, as `original`."""
    family: Family
    size: int
    original: Extraction
    blinded: Extraction
    given: str = ""
    omitted: int = 0
    document: bytes | None = None
    """The first `pages` of its pages."""
    pages: int = 0
    pictures: tuple[ImageBlock, ...] = ()
    notes: list[str] = field(default_factory=list)


@dataclass
class OutputSide:
    """One output; `pdf_words` says that words in a PDF of it had to be redacted."""

    notes: list[str]
    files: list[Prepared] = field(default_factory=list)
    set_aside: list[SetAside] = field(default_factory=list)
    pdf_words: bool = False


def share_out(
    sides: Sequence[OutputSide], *, budget: OutputBudget, first_pages: Callable[[bytes, int], bytes]
) -> None:
    """Give of every file what is within the budget: where one side exceeds it, the same limits hold for every side.

    `first_pages` gives the first pages of a PDF.
    """
    files = [file for side in sides for file in side.files]
    outputs = "One of the outputs" if len(sides) > 1 else "This"

    def say(kind: Limitation, most: int | str) -> None:
        for side in sides:
            side.notes.append(kind.text(outputs=outputs, most=most))

    for side in sides:
        left = budget.images
        for file in side.files:
            file.pictures = file.blinded.pictures[:left]
            left -= len(file.pictures)
            if omitted := len(file.blinded.pictures) - len(file.pictures):
                verb = "is" if omitted == 1 else "are"
                file.notes.append(Limitation.PICTURES_LEFT_OUT.text(omitted=omitted, verb=verb))
    if any(len(file.pictures) < len(file.blinded.pictures) for file in files):
        say(Limitation.MORE_PICTURES, budget.images)

    # Of PDFs as many first pages as fit for every side; what is further on is given as text. Other files' pages are
    # pictured later.
    later = any(file.family in _PICTURED_LATER for file in files)
    room = budget.pictures - (
        budget.images if later else max(sum(len(file.pictures) for file in side.files) for side in sides)
    )

    def fits(side: OutputSide, depth: int) -> bool:
        read = [file.blinded for file in side.files if file.blinded.document is not None]
        shares = [min(one.pages, depth) / max(one.pages, 1) for one in read]
        size = sum(len(one.document or b"") * share for one, share in zip(read, shares, strict=True))
        return sum(min(one.pages, depth) for one in read) <= room and size <= budget.pdf_bytes

    most = max((file.blinded.pages for file in files), default=0)
    depth = next((depth for depth in range(most, 0, -1) if all(fits(side, depth) for side in sides)), 0)
    if most and not depth:
        say(Limitation.PDFS_AS_TEXT, f"{room:,} pages or {in_words(budget.pdf_bytes)}")
    for file in files:
        document, pages = file.blinded.document, file.blinded.pages
        if document is None or not depth:
            continue
        file.document, file.pages = document, min(pages, depth)
        if pages > depth:
            file.document = first_pages(document, depth)
            file.notes.append(Limitation.FIRST_PAGES_PICTURED.text(pictured=depth, total=pages))

    limits = lowest_limits(
        [{file.name: len(file.blinded.text) for file in side.files} for side in sides], budget.characters
    )
    for file in files:
        text = file.blinded.text
        file.given, file.omitted = cut(text, limits.get(file.name, len(text)))
        if file.omitted:
            file.notes.append(Limitation.CHARACTERS_LEFT_OUT.text(omitted=file.omitted, total=len(text)))
    if limits:
        say(Limitation.MORE_CHARACTERS, budget.characters)
