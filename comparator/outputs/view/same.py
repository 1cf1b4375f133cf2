"""What is the same in two outputs: their bytes, their words, or their looks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace

from comparator.domain.labels import PerOutput
from comparator.domain.pair.notes import IDENTICAL
from comparator.domain.pair.view import Family
from comparator.outputs.snapshot.take import Snapshot
from comparator.outputs.view.built import BuiltView
from comparator.outputs.view.sharing import OutputSide, Prepared

LAID_OUT = frozenset({Family.DOCX, Family.PPTX, Family.XLSX})
"""Families whose copies hold the content without the layout."""
SAME_TEXT = "Both outputs have the same text; they are not the same file."
SAME_LOOKS = "Same text and same pages as in the other output."
OTHER_LOOKS = "Same text as in the other output, different layout."
_SAME_WORDS = "Both outputs read the same: they differ only in what is not part of their content."
Digests = dict[str, tuple[str, str]]
"""Of PDFs with words, by name: of their words, and of their looks."""
_PAGE_MARK = re.compile(r"^\[page \d+\]$", re.MULTILINE)


def with_looks(a: OutputSide, b: OutputSide) -> tuple[OutputSide, OutputSide]:
    """Both sides with a line on each PDF that has the words of another one on the other side."""
    digests = [
        {file.name: (words, _looks(file)) for file in side.files if (words := _words(file))}
        for side in (a, b)
    ]

    def noted(side: OutputSide, own: Digests, other: Digests) -> OutputSide:
        known, looks = {words for words, _ in other.values()}, {look for _, look in other.values()}

        def with_line(file: Prepared) -> Prepared:
            words, look = own.get(file.name, ("", ""))
            if not words or words not in known:
                return file
            line = SAME_LOOKS if look in looks else OTHER_LOOKS
            return replace(file, looks=look, words=words, notes=(line, *file.notes))

        return replace(side, files=tuple(map(with_line, side.files)))

    return noted(a, *digests), noted(b, *reversed(digests))


def _looks(file: Prepared) -> str:
    """A digest of a PDF's pages: equal where nobody can tell them apart."""
    return hashlib.sha256(file.extraction.document or b"").hexdigest()


def _words(file: Prepared) -> str:
    """A digest of a PDF's words, wherever its lines and pages end; empty where it has none."""
    if file.extraction.document is None:
        return ""
    words = " ".join(_PAGE_MARK.sub("", file.extraction.text).split())
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest() if words else ""


def note_on_both(
    snapshots: PerOutput[Snapshot], sides: Sequence[OutputSide], built: PerOutput[BuiltView]
) -> str | None:
    """What both outputs have in common, as a sentence; None where they differ."""
    contents = snapshots.map(lambda s: [(a.path if s.is_folder else "", a.sha256) for a in s.artifacts])
    if contents.A == contents.B:
        return IDENTICAL
    a, b = (
        # The whole text, too: a judge may be given a part of it only.
        [
            (file.family, file.blocks, own.extraction.text)
            for file, own in zip(view.files, side.files, strict=True)
        ]
        for side, view in zip(sides, (built.A.view, built.B.view), strict=True)
    )
    if not any(blocks for _, blocks, _ in a):
        return None
    if a != b:
        return SAME_TEXT if _differ_in_looks_only(*(side.files for side in sides)) else None
    copies = built.map(lambda side: [(copy.media_type, copy.blob) for copy in side.copies])
    # Two documents with the same text may still look different.
    laid_out = any(file.family in LAID_OUT for file in built.A.view.files)
    return _SAME_WORDS if copies.A == copies.B and not laid_out else SAME_TEXT


def _differ_in_looks_only(a: Sequence[Prepared], b: Sequence[Prepared]) -> bool:
    """Whether the files that differ are documents on both sides, with the same words."""
    if [file.family for file in a] != [file.family for file in b]:
        return False
    return all(_same_content(own, other) or _same_text(own, other) for own, other in zip(a, b, strict=True))


def _same_content(own: Prepared, other: Prepared) -> bool:
    one, two = own.extraction, other.extraction
    return (one.text, one.document, one.pictures) == (two.text, two.document, two.pictures)


def _same_text(own: Prepared, other: Prepared) -> bool:
    if own.family is Family.PDF:
        return bool(_words(own)) and _words(own) == _words(other)
    return own.family in LAID_OUT and own.extraction.text == other.extraction.text != ""
