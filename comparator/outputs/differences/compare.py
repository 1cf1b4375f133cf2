"""Two blinded copies to their differences, by what both of them hold: pictures, pages, tables, JSON or words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image

from comparator.domain.counted import counted
from comparator.domain.errors import OutputRefused
from comparator.domain.pair.view import Family
from comparator.outputs.differences.model import OTHER_FILE, Both, ChangedPart, FileComparison, percent_of
from comparator.outputs.differences.tables import compare_sheets, sheets
from comparator.outputs.differences.text import compare_texts, sorted_json
from comparator.outputs.extract.images import on_white, opened
from comparator.outputs.extract.markup import markdown_from
from comparator.outputs.pages import words_of_pages
from comparator.outputs.preview.child_process import Renderer
from comparator.outputs.preview.document import NotShown, reveal
from comparator.outputs.preview.pdf import PAGES, page_sizes
from comparator.outputs.preview.render import PICTURES, is_text
from comparator.outputs.preview.tables import is_table
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv

_SIDE = 1_200
_UNLIKE = 24
"""A pixel differs where one of its colours does by more than this, of 255; less is what compression leaves."""


def compare_pictures(a: bytes, b: bytes) -> FileComparison:
    """Two pictures, B drawn to the size of A, with a frame around what differs. Raises OutputRefused."""
    first, second = (on_white(opened(data)) for data in (a, b))
    scale = min(1.0, _SIDE / max(first.size))
    size = max(1, round(first.width * scale)), max(1, round(first.height * scale))
    own, other = (np.asarray(image.resize(size), dtype=np.int16) for image in (first, second))
    unlike = np.abs(own - other).max(axis=2) > _UNLIKE
    notes: tuple[str, ...] = ()
    if first.size != second.size:
        sizes = f"{first.width} × {first.height} pixels in A, {second.width} × {second.height} in B"
        notes = (f"The sizes differ: {sizes}; B was drawn to the size of A to be compared.",)
    frame = ""
    if (box := Image.fromarray(unlike).getbbox()) is not None:
        left, top, right, bottom = (100 * edge / side for edge, side in zip(box, size * 2, strict=True))
        style = f"left:{left:.2f}%;top:{top:.2f}%;width:{right - left:.2f}%;height:{bottom - top:.2f}%"
        frame = f'<i class="frame" data-change="1" style="{style}"></i>'
    differs = bool(frame or notes)
    # Each side loads its own picture first, so that both documents read alike.
    body = (
        '<p class="facts" data-skip><label><input type="checkbox" id="over1"> Overlay the other picture '
        "(identical areas turn black)</label></p>"
        '<div class="over"><img alt="This output" src="../../image">'
        f'<img class="second" alt="" src="{OTHER_FILE}/image">{frame}</div>'
    )
    percent = percent_of(int((~unlike).sum()), unlike.size, differs=differs)
    part = ChangedPart(1, int(differs), Both(body, body))
    return FileComparison(int(differs), percent, "the picture", notes, (part,))


def compare_pdfs(a: bytes, b: bytes) -> FileComparison:
    """Two PDFs: their pages, each to be laid over the other, and their words as text. Raises OutputRefused."""
    pages = [page_sizes(side) for side in (a, b)]
    texts = ["\n".join(words_of_pages(side)) for side in (a, b)]
    notes: tuple[str, ...] = ()
    if not any(map(str.strip, texts)):
        notes = ("These pages have no text to compare. Overlay one on the other instead.",)
    if len(pages[0]) != len(pages[1]):
        notes += (f"{counted(len(pages[0]), 'page')} in A, {len(pages[1])} in B.",)
    overlays = (
        # No change of the words stands in these parts.
        ChangedPart(1, 0, Both(*(_sheets(own, len(other), start) for own, other in (pages, pages[::-1]))))
        for start in range(0, max(map(len, pages)), PAGES)
    )
    found = compare_texts(*map(reveal, texts), notes=notes)
    return found._replace(parts=(*overlays, *found.parts))


def _sheets(own: Sequence[tuple[float, float]], others: int, start: int) -> str:
    out = []
    for number, (width, height) in enumerate(own[start : start + PAGES], start + 1):
        source = "src" if number <= 2 else "data-src"
        over = switch = ""
        if number <= others:
            switch = f'<label class="over"><input type="checkbox" id="over{number}"> Lay the other page over it</label>'
            over = f'<img class="second" alt="" {source}="{OTHER_FILE}/page/{number}.png">'
        out.append(
            f'<div class="paper"><p class="pageno" data-skip>{number} of {len(own)} {switch}</p>'
            f'<div class="sheet" style="aspect-ratio:{width:.1f}/{height:.1f}">'
            f'<img alt="Page {number}" {source}="../../page/{number}.png">{over}</div></div>'
        )
    return "".join(out)


MOST_COMPARED = 32_000_000
"""Bytes of a file up to which it is compared."""
_SECONDS = 60.0
"""Two tables of a million rows take some five on a machine that has nothing else to do."""
_PICTURE = re.compile(r"data:image/[\w.+-]+;base64,[A-Za-z0-9+/=]{40,}")
_SORTED = "Keys are sorted here, so their order is no difference."


class ComparedFile(NamedTuple):
    """One side: a blinded copy as the reading child gets it."""

    name: str
    family: Family
    media_type: str
    data: bytes


def differences(renderer: Renderer, a: ComparedFile, b: ComparedFile) -> FileComparison:
    """Both files compared within the limits of time and memory; a problem where that is not possible."""
    try:
        return renderer.ask("differences", FileComparison, seconds=_SECONDS, a=a, b=b)
    except OutputRefused as error:
        return FileComparison(problem=f"Differences cannot be shown: {error}")


def compare(a: ComparedFile, b: ComparedFile) -> FileComparison:
    """The differences, in parts. Raises NotShown with a plain sentence where there are none to be shown."""
    if max(len(a.data), len(b.data)) > MOST_COMPARED:
        raise NotShown(too_large())
    kinds = {a.media_type, b.media_type}
    if kinds <= PICTURES - {"image/svg+xml"}:
        return compare_pictures(a.data, b.data)
    if kinds == {"application/pdf"}:
        return compare_pdfs(a.data, b.data)
    notes: tuple[str, ...] = ()
    try:
        if all(is_table(side.family, side.media_type) for side in (a, b)):
            return compare_sheets(*(sheets(side.name, side.media_type, side.data) for side in (a, b)))
        if all(
            side.family is Family.JSON and not side.name.lower().endswith((".jsonl", ".ndjson"))
            for side in (a, b)
        ):
            return compare_texts(sorted_json(a.data), sorted_json(b.data), notes=(_SORTED,))
    except OutputRefused as reason:
        notes = (f"{reason} Compared by lines and words.",)
    return compare_texts(words(a), words(b), notes=notes)


def too_large() -> str:
    """What is said of a file that is not compared for its size."""
    return f"Differences are shown of files up to {MOST_COMPARED // 1_000_000} MB."


def words(source: ComparedFile) -> str:
    """The text that a reader sees, without what hides or reorders it. Raises NotShown where there is none."""
    match source.media_type:
        case "application/pdf":
            return "\n".join(words_of_pages(source.data))
        case media_type if media_type == MEDIA_TYPE:
            return as_csv(source.data).decode("utf-8", "replace")
    text = source.data.decode("utf-8", "replace")
    text = _PICTURE.sub(lambda match: f"picture {hashlib.sha256(match[0].encode()).hexdigest()[:8]}", text)
    if source.media_type == "text/html":
        return reveal(markdown_from(text))
    if not is_text(source.media_type) and source.media_type != "image/svg+xml":
        raise NotShown("Differences of files of this kind cannot be shown.")
    return reveal(text)
