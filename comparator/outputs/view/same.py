"""What is the same in two outputs: their bytes, their words, or their looks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from comparator.domain.labels import PerOutput
from comparator.domain.pair.view import Family
from comparator.outputs.snapshot.take import Snapshot
from comparator.outputs.view.built import BuiltView
from comparator.outputs.view.sharing import OutputSide, Prepared

LAID_OUT = frozenset({Family.DOCX, Family.PPTX, Family.XLSX})
"""Families whose copies hold the content without the layout."""
SAME_TEXT = "Both outputs have the same text; they are not the same file."
SAME_LOOKS = "Same text and same pages as in the other output."
OTHER_LOOKS = "Same text as in the other output, different layout."
_IDENTICAL = "Both outputs are identical: the same files with the same content."
_SAME_WORDS = "Both outputs read the same: they differ only in what is not part of their content."
_PAGE_MARK = re.compile(r"^\[page \d+\]$", re.MULTILINE)
LooksOf = Callable[[bytes], str | None]
"""A digest of how a PDF looks; None where it cannot be drawn."""


def with_looks(a: OutputSide, b: OutputSide, *, looks_of: LooksOf) -> tuple[OutputSide, OutputSide]:
    """Both sides with a line on each PDF that has the words of another one on the other side and is not the same file.

    Where one of them cannot be drawn, nothing is said of any.
    """
    pdfs = [{file.name: file for file in side.files if _words(file)} for side in (a, b)]
    alike = []
    for own, other in (pdfs, pdfs[::-1]):
        words = {_words(file) for file in other.values()}
        documents = {file.extraction.document for file in other.values()}
        alike.append(
            {n for n, f in own.items() if _words(f) in words and f.extraction.document not in documents}
        )
    # A file that is on both sides is not told of, but one of the others may look the same.
    words = {_words(side[name]) for side, names in zip(pdfs, alike, strict=True) for name in names}
    looks: list[dict[str, str]] = []
    for side in pdfs:
        found = {n: looks_of(f.extraction.document or b"") for n, f in side.items() if _words(f) in words}
        if None in found.values():
            return a, b
        looks.append({name: each for name, each in found.items() if each is not None})
    first, second = looks
    return _noted(a, alike[0], first, set(second.values())), _noted(b, alike[1], second, set(first.values()))


def _noted(side: OutputSide, names: set[str], looks: dict[str, str], others: set[str]) -> OutputSide:
    def with_line(file: Prepared) -> Prepared:
        line = SAME_LOOKS if looks[file.name] in others else OTHER_LOOKS
        return replace(file, looks=looks[file.name], words=_words(file), notes=(line, *file.notes))

    return replace(side, files=tuple(with_line(file) if file.name in names else file for file in side.files))


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
        return _IDENTICAL
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
