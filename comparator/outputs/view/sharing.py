"""The same limits for all outputs of a comparison: texts, pictures and PDFs within a judge's budget, cuts reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from comparator.domain.pair.view import (
    Block,
    DocumentBlock,
    Family,
    ImageBlock,
    SetAside,
    TextBlock,
    ViewedFile,
)
from comparator.outputs.child.extraction import Extraction, Picture
from comparator.outputs.limits import Budget
from comparator.outputs.member_names import in_words
from comparator.outputs.view.shares import caps, cut

LEFT_OUT = "characters are left out for the judge."
"""How the note on a file ends whose text a judge is given only in part."""


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
    pictures: tuple[Picture, ...] = ()
    notes: tuple[str, ...] = ()
    path: str = ""
    """Its own name, and with `original` what it holds before it is redacted: for after the reveal only."""
    original: Extraction | None = None

    def viewed(self, file_id: str, *, size: int) -> ViewedFile:
        """The file as judge and reviewer see it; `size` is that of its blinded copy, in bytes, where it has one."""
        blocks: list[Block] = []
        if self.document is not None:
            blocks.append(DocumentBlock(data=self.document))
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
class Side:
    """One output before its limits; `pdf_words` says that words in a PDF of it had to be redacted."""

    files: tuple[Prepared, ...]
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = field(default=())
    pdf_words: bool = False


def shared_out(sides: Sequence[Side], *, budget: Budget) -> tuple[Side, ...]:
    """All sides within the budget: where one exceeds it, the same limit and representation hold for every side."""
    steps: tuple[Callable[[Sequence[Side], Budget], tuple[Side, ...]], ...] = (_documents, _pictures, _texts)
    for step in steps:
        sides = step(sides, budget)
    return tuple(sides)


def _documents(sides: Sequence[Side], budget: Budget) -> tuple[Side, ...]:
    def exceeds(side: Side) -> bool:
        documents = [file.extraction for file in side.files if file.extraction.document is not None]
        size = sum(len(extraction.document or b"") for extraction in documents)
        return sum(e.pages for e in documents) > budget.pdf_pages or size > budget.pdf_bytes

    if any(exceeds(side) for side in sides):
        limit = f"{budget.pdf_pages:,} pages or {in_words(budget.pdf_bytes)}"
        note = f"{_one_of(sides)} has PDFs of more than {limit}: a judge is given the text of PDFs, not their pages."
        return tuple(replace(side, notes=(*side.notes, note)) for side in sides)
    return tuple(
        replace(side, files=tuple(replace(file, document=file.extraction.document) for file in side.files))
        for side in sides
    )


def _pictures(sides: Sequence[Side], budget: Budget) -> tuple[Side, ...]:
    limited = any(sum(len(file.extraction.pictures) for file in side.files) > budget.images for side in sides)
    shared = []
    for side in sides:
        left, files = budget.images, []
        for file in side.files:
            kept = file.extraction.pictures[:left]
            left -= len(kept)
            omitted = len(file.extraction.pictures) - len(kept)
            notes = (f"{omitted} of its pictures are left out.",) if omitted else ()
            files.append(replace(file, pictures=kept, notes=(*file.notes, *notes)))
        shared.append(replace(side, files=tuple(files)))
    if not limited:
        return tuple(shared)
    note = f"{_one_of(sides)} has more pictures than the {budget.images:,} that a judge is given of each."
    return tuple(replace(side, notes=(*side.notes, note)) for side in shared)


def _texts(sides: Sequence[Side], budget: Budget) -> tuple[Side, ...]:
    lowest: dict[str, int] = {}
    for side in sides:
        lengths = {file.name: len(file.extraction.text) for file in side.files}
        shares = caps(lengths, total=budget.characters, order=[file.name for file in side.files])
        for name, share in shares.items():
            if share < lengths[name]:
                # A file that is cut on one side is held to the same length on the other.
                lowest[name] = min(share, lowest.get(name, share))
    shared = []
    for side in sides:
        files = tuple(_cut_file(file, lowest.get(file.name)) for file in side.files)
        shared.append(replace(side, files=files))
    if not lowest:
        return tuple(shared)
    note = (
        f"{_one_of(sides)} is longer than the {budget.characters:,} characters that a judge is given of each; "
        "every cut is marked."
    )
    return tuple(replace(side, notes=(*side.notes, note)) for side in shared)


def _cut_file(file: Prepared, limit: int | None) -> Prepared:
    text = file.extraction.text
    if limit is None or len(text) <= limit:
        return replace(file, given=text)
    shortened = cut(text, limit)
    note = f"{shortened.omitted:,} of its {len(text):,} {LEFT_OUT}"
    return replace(file, given=shortened.text, omitted=shortened.omitted, notes=(*file.notes, note))


def _one_of(sides: Sequence[Side]) -> str:
    return "One of the outputs" if len(sides) > 1 else "This"
