"""Which pairs a judge cannot read in one request."""

from __future__ import annotations

from comparator.domain.pair.view import BlindedPair, Family, OutputView, TextBlock, ViewedFile
from comparator.domain.scoring.judgment import Tools

_NOTED = (
    "left out",
    "only the first",
    "the text of PDFs",
    "more pictures",
    "is longer than",
    "were not read",
    "number is limited",
)
"""Words of our own notes on files and views that say that a judge is given less than there is."""
_UNSEEN = (Family.AUDIO, Family.VIDEO, Family.ARCHIVE, Family.BINARY)
"""Kinds of files of which no tool shows more."""


def needs_tools(pair: BlindedPair, mode: Tools) -> bool:
    """Whether a pair is read with tools: in the mode `auto`, where something of it does not fit into a request."""
    if mode is not Tools.AUTO:
        return mode is Tools.ALWAYS
    views = (pair.outputs.A, pair.outputs.B, pair.inputs, pair.reference)
    return any(_is_cut(view) for view in views if view is not None)


def _is_cut(view: OutputView) -> bool:
    return any(map(_tells, view.notes)) or any(map(_lacks, view.files))


def _lacks(file: ViewedFile) -> bool:
    if any(isinstance(block, TextBlock) and block.omitted for block in file.blocks):
        return True
    if file.page is not None and any(picture.is_cut for picture in file.page.pictures):
        return True
    if not file.blocks and file.page is None and file.size and file.family not in _UNSEEN:
        return True
    return any(map(_tells, file.notes))


def _tells(note: str) -> bool:
    return any(sign in note for sign in _NOTED)
