"""The same limits for all outputs of a comparison: texts, pictures and PDFs within a judge's budget, cuts reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from comparator.domain.pair.notes import NoteKind
from comparator.domain.pair.view import (
    Block,
    DocumentBlock,
    Family,
    ImageBlock,
    SetAside,
    TextBlock,
    ViewedFile,
)
from comparator.outputs.isolated.results import Extraction, Picture
from comparator.outputs.limits import OutputBudget
from comparator.outputs.member_names import in_words

_PICTURED_LATER = frozenset({Family.HTML, Family.DOCX, Family.PPTX, Family.XLSX})
_SMALLEST_SHARE = 400
_HEAD_SHARE = 0.7
MARK = re.compile(r"\n\[… [\d,]+ characters left out here …\]\n")
"""What stands in a text where it was cut."""


class Cut(NamedTuple):
    """A text as it is given, and how many characters are missing from it."""

    text: str
    omitted: int


def caps(lengths: Mapping[str, int], *, total: int, order: Sequence[str]) -> dict[str, int]:
    """How many characters each file may have so that all fit into `total`.

    Short files are given whole and long ones share what is left; where that would leave only scraps, files are given in
    `order` until nothing is left.
    """
    if sum(lengths.values()) <= total:
        return dict(lengths)
    level = _level(sorted(lengths.values()), total)
    if level >= _SMALLEST_SHARE:
        return {name: min(length, level) for name, length in lengths.items()}
    given: dict[str, int] = {}
    for name in order:
        given[name] = min(lengths[name], _SMALLEST_SHARE, total)
        total -= given[name]
    return given


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


def _level(lengths: Sequence[int], total: int) -> int:
    left = total
    for index, length in enumerate(lengths):
        share = left // (len(lengths) - index)
        if length > share:
            return share
        left -= length
    return lengths[-1] if lengths else total


@dataclass(frozen=True)
class Prepared:
    """One file, read and redacted, under its neutral name; `given` is its text as a judge is given it."""

    name: str
    family: Family
    size: int
    extraction: Extraction
    given: str | None = None
    omitted: int = 0
    document: bytes | None = None
    """The first `pages` of its pages."""
    pages: int = 0
    pictures: tuple[Picture, ...] = ()
    notes: tuple[str, ...] = ()
    path: str = ""
    """Its own name, and with `original` what it holds before it is redacted: for after the reveal only."""
    original: Extraction | None = None

    def viewed(self, file_id: str, *, size: int) -> ViewedFile:
        """The file as judge and reviewer see it; `size` is that of its blinded copy, in bytes, where it has one."""
        blocks: list[Block] = []
        if self.document is not None:
            total = self.extraction.pages
            blocks.append(DocumentBlock(data=self.document, pages=self.pages, total=total))
        if self.given:
            blocks.append(TextBlock(text=self.given, omitted=self.omitted + self.extraction.omitted))
        for picture in self.pictures:
            kind = "image/png" if picture.media_type == "image/png" else "image/jpeg"
            blocks.append(ImageBlock(media_type=kind, data=picture.data, caption=picture.caption))  # type: ignore[arg-type] # one of two literals
        return ViewedFile(
            id=file_id,
            name=self.name,
            family=self.family,
            size=size,
            blocks=tuple(blocks),
            notes=(*self.extraction.notes, *self.notes),
        )


@dataclass(frozen=True)
class OutputSide:
    """One output before its limits; `pdf_words` says that words in a PDF of it had to be redacted."""

    files: tuple[Prepared, ...]
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = field(default=())
    pdf_words: bool = False


FirstPages = Callable[[bytes, int], bytes]
"""Gives the first pages of a PDF."""


def shared_out(
    sides: Sequence[OutputSide], *, budget: OutputBudget, first_pages: FirstPages
) -> tuple[OutputSide, ...]:
    """All sides within the budget: where one exceeds it, the same limit and representation hold for every side."""
    for step in (_pictures, partial(_documents, first_pages=first_pages), _texts):
        sides = step(sides, budget)
    return tuple(sides)


def _documents(
    sides: Sequence[OutputSide], budget: OutputBudget, first_pages: FirstPages
) -> tuple[OutputSide, ...]:
    """As many first pages of each PDF as fit for every side; what is further on is given as text."""
    files = [file for side in sides for file in side.files]
    # Pages of other files are pictured later.
    later = any(file.family in _PICTURED_LATER for file in files)
    room = budget.pictures - (
        budget.images if later else max(sum(len(file.pictures) for file in side.files) for side in sides)
    )

    def fits(side: OutputSide, depth: int) -> bool:
        read = [file.extraction for file in side.files if file.extraction.document is not None]
        shares = [min(one.pages, depth) / max(one.pages, 1) for one in read]
        size = sum(len(one.document or b"") * share for one, share in zip(read, shares, strict=True))
        return sum(min(one.pages, depth) for one in read) <= room and size <= budget.pdf_bytes

    most = max((file.extraction.pages for file in files), default=0)
    depth = next((depth for depth in range(most, 0, -1) if all(fits(side, depth) for side in sides)), 0)
    if most and not depth:
        limit = f"{room:,} pages or {in_words(budget.pdf_bytes)}"
        note = NoteKind.PDFS_AS_TEXT.text(outputs=_one_of(sides), most=limit)
        return tuple(replace(side, notes=(*side.notes, note)) for side in sides)

    def pictured(file: Prepared) -> Prepared:
        document, pages = file.extraction.document, file.extraction.pages
        if document is None or pages <= depth:
            return replace(file, document=document, pages=pages)
        note = NoteKind.FIRST_PAGES_PICTURED.text(pictured=depth, total=pages)
        cut_to = first_pages(document, depth)
        return replace(file, document=cut_to, pages=depth, notes=(*file.notes, note))

    return tuple(replace(side, files=tuple(map(pictured, side.files))) for side in sides)


def _pictures(sides: Sequence[OutputSide], budget: OutputBudget) -> tuple[OutputSide, ...]:
    limited = any(sum(len(file.extraction.pictures) for file in side.files) > budget.images for side in sides)
    shared = []
    for side in sides:
        left, files = budget.images, []
        for file in side.files:
            kept = file.extraction.pictures[:left]
            left -= len(kept)
            omitted = len(file.extraction.pictures) - len(kept)
            note = NoteKind.PICTURES_LEFT_OUT.text(omitted=omitted, verb="is" if omitted == 1 else "are")
            notes = (note,) if omitted else ()
            files.append(replace(file, pictures=kept, notes=(*file.notes, *notes)))
        shared.append(replace(side, files=tuple(files)))
    if not limited:
        return tuple(shared)
    note = NoteKind.MORE_PICTURES.text(outputs=_one_of(sides), most=budget.images)
    return tuple(replace(side, notes=(*side.notes, note)) for side in shared)


def _texts(sides: Sequence[OutputSide], budget: OutputBudget) -> tuple[OutputSide, ...]:
    lengths = [{file.name: len(file.extraction.text) for file in side.files} for side in sides]
    most = lowest(lengths, budget.characters)
    shared = []
    for side in sides:
        files = tuple(_cut_file(file, most.get(file.name)) for file in side.files)
        shared.append(replace(side, files=files))
    if not most:
        return tuple(shared)
    note = NoteKind.MORE_CHARACTERS.text(outputs=_one_of(sides), most=budget.characters)
    return tuple(replace(side, notes=(*side.notes, note)) for side in shared)


def _cut_file(file: Prepared, limit: int | None) -> Prepared:
    text = file.extraction.text
    if limit is None or len(text) <= limit:
        return replace(file, given=text)
    shortened = cut(text, limit)
    note = NoteKind.CHARACTERS_LEFT_OUT.text(omitted=shortened.omitted, total=len(text))
    return replace(file, given=shortened.text, omitted=shortened.omitted, notes=(*file.notes, note))


def lowest(sides: Sequence[Mapping[str, int]], total: int) -> dict[str, int]:
    """How long files may be that exceed their share on any side: one that is cut on one is cut to it on the other.

    A side is the lengths of its files by name, in order.
    """
    found: dict[str, int] = {}
    for lengths in sides:
        for name, share in caps(lengths, total=total, order=list(lengths)).items():
            if share < lengths[name]:
                found[name] = min(share, found.get(name, share))
    return found


def _one_of(sides: Sequence[OutputSide]) -> str:
    return "One of the outputs" if len(sides) > 1 else "This"
