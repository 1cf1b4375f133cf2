"""What is the same in two outputs: their bytes, their words, or what is shown of them."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.labels import PerOutput
from comparator.domain.pair.notes import IDENTICAL
from comparator.domain.pair.view import Family
from comparator.outputs.snapshot.take import Snapshot
from comparator.outputs.view.built import BuiltView
from comparator.outputs.view.sharing import OutputSide

LAID_OUT = frozenset({Family.DOCX, Family.PPTX, Family.XLSX})
"""Families whose copies hold the content without the layout."""
_SAME_TEXT = "Both outputs have the same text; they are not the same file."
_SAME_WORDS = "Both outputs read the same: they differ only in what is not part of their content."


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
            (file.family, own.extraction.text, file.blocks)
            for file, own in zip(view.files, side.files, strict=True)
        ]
        for side, view in zip(sides, (built.A.view, built.B.view), strict=True)
    )
    if not any(blocks for _, _, blocks in a):
        return None
    if a != b:
        documents = {*LAID_OUT, Family.PDF}
        alike = len(a) == len(b) and all(
            own == other or (own[0] in documents and own[1] and own[:2] == other[:2])
            for own, other in zip(a, b, strict=True)
        )
        return _SAME_TEXT if alike else None
    copies = built.map(lambda side: [(copy.media_type, copy.blob) for copy in side.copies])
    # Two documents with the same text may still look different.
    laid_out = any(file.family in LAID_OUT for file in built.A.view.files)
    return _SAME_WORDS if copies.A == copies.B and not laid_out else _SAME_TEXT
