"""One side of a part of the differences as a preview, and how they are asked of the reading child."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

from comparator.domain.errors import OutputRefused
from comparator.outputs.differences.sources import ComparedFile
from comparator.outputs.differences.worker import StoredDifferences
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import Preview, Span, message, shown

Side = Literal["a", "b"]
_SECONDS = 60.0
"""Two tables of a million rows take some five on a machine that has nothing else to do."""

_STYLE = files("comparator.outputs.differences").joinpath("differences.css").read_text(encoding="utf-8")


def differences(renderer: Renderer, a: ComparedFile, b: ComparedFile) -> StoredDifferences:
    """Both files compared within the limits of time and memory; a problem where that is not possible."""
    try:
        return renderer.ask("differences", StoredDifferences, seconds=_SECONDS, a=a, b=b)
    except OutputRefused as error:
        return StoredDifferences({"problem": f"Differences cannot be shown: {error}"}, b"")


def side_of(found: StoredDifferences, side: Side, *, page: int, other: str) -> Preview:
    """One side of a part (from 1, kept within them); `other` is the id of the other file."""
    if found.problem:
        return Preview(message(found.problem))
    words = found.head["words"]
    if not found.head["parts"]:
        return Preview(message(f"{words}."))
    page = min(max(page, 1), found.pages)
    body = found.body(page)
    # No text of an output holds this character: it would have been made visible.
    html = (body.a if side == "a" else body.b).replace("\x00", other)
    first, last = found.span(page)
    legend = (
        f'<p class="facts" data-skip><b>{shown(words)}</b>. <span class="key"><del>Only in A</del> '
        "<ins>Only in B</ins></span></p>"
    )
    return Preview(
        f'<style>{_STYLE}</style><div class="both {side}">{legend}{html}</div>',
        tuple(found.head["notes"]),
        page,
        found.pages,
        span=Span("change", first, last, found.head["changes"]),
    )
