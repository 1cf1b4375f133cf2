"""A page's drawing instructions without marked-content labels, which draw nothing but can carry names."""

from __future__ import annotations

from collections.abc import Sequence

import pikepdf

from comparator.outputs.child.extraction import Unreadable

Instruction = pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage
_LABELS = frozenset({"BMC", "BDC", "EMC", "MP", "DP"})


def instructions_of(drawn: pikepdf.Object | pikepdf.Page) -> list[Instruction]:
    """The instructions of a page or stream without labels and comments. Raises Unreadable."""
    try:
        return [each for each in pikepdf.parse_content_stream(drawn) if str(each.operator) not in _LABELS]
    except pikepdf.PdfError as error:
        raise Unreadable("The PDF is damaged and cannot be read.") from error


def written(instructions: Sequence[Instruction]) -> bytes:
    """The instructions as the bytes of a stream."""
    return pikepdf.unparse_content_stream(instructions)
