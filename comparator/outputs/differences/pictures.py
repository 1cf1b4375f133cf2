"""Differences of pictures and pages: what differs is marked where it stands, and the other side can be laid over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image

from comparator.domain.counted import counted
from comparator.outputs.differences.model import OTHER_FILE, Both, ChangedPart, FileComparison
from comparator.outputs.differences.text import Piece, marked, text_rows, words_shared
from comparator.outputs.extract.images import opened
from comparator.outputs.preview.document import shown
from comparator.outputs.preview.pdf import PAGES, PdfPage, all_sheets, laid

_SIDE = 1_200
_UNLIKE = 24
"""A pixel differs where one of its colours does by more than this, of 255; less is what compression leaves."""


class Box(NamedTuple):
    """Where pictures differ, in hundredths of their width and height."""

    left: float
    top: float
    width: float
    height: float


class PictureDifference(NamedTuple):
    """The box around all that differs, if anything does, and how many of hundred pixels are the same."""

    box: Box | None
    percent: int
    sizes: tuple[tuple[int, int], tuple[int, int]]


def compare_pixels(a: bytes, b: bytes) -> PictureDifference:
    """Two pictures, the second drawn to the size of the first. Raises OutputRefused."""
    first, second = opened(a), opened(b)
    sizes = first.size, second.size
    scale = min(1.0, _SIDE / max(first.size))
    size = max(1, round(first.width * scale)), max(1, round(first.height * scale))
    own, other = (np.asarray(_on_white(image).resize(size), dtype=np.int16) for image in (first, second))
    unlike = np.abs(own - other).max(axis=2) > _UNLIKE
    share = float(unlike.mean())
    percent = 100 if not unlike.any() and sizes[0] == sizes[1] else min(99, round(100 * (1 - share)))
    return PictureDifference(_box(unlike), percent, sizes)


def compare_pictures(a: bytes, b: bytes) -> FileComparison:
    """Two pictures with a frame around what differs, and the other laid over where wanted."""
    seen = compare_pixels(a, b)
    (width, height), (other_width, other_height) = seen.sizes
    notes: tuple[str, ...] = ()
    if seen.sizes[0] != seen.sizes[1]:
        sizes = f"{width} × {height} pixels in A, {other_width} × {other_height} in B"
        notes = (f"The sizes differ: {sizes}; B was drawn to the size of A to be compared.",)
    frame = ""
    if seen.box is not None:
        style = ";".join(f"{name}:{part:.2f}%" for name, part in seen.box._asdict().items())
        frame = f'<i class="frame" data-change="1" style="{style}"></i>'
    changes = int(seen.box is not None or bool(notes))
    # Each side loads its own picture first, so that both documents read alike.
    body = (
        '<p class="facts" data-skip><label><input type="checkbox" id="over1"> Overlay the other picture '
        "(identical areas turn black)</label></p>"
        '<div class="over"><img alt="This output" src="../../image">'
        f'<img class="second" alt="" src="{OTHER_FILE}/image">{frame}</div>'
    )
    part = ChangedPart.of(1, changes, Both(body, body))
    return FileComparison(changes, seen.percent, "the picture", notes, (part,))


def _on_white(image: Image.Image) -> Image.Image:
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image.convert("RGBA"))
    return white.convert("RGB")


def _box(unlike: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> Box | None:
    ys, xs = np.nonzero(unlike)
    if not len(ys):
        return None
    height, width = unlike.shape
    left, top = 100 * xs.min() / width, 100 * ys.min() / height
    return Box(left, top, 100 * (xs.max() + 1) / width - left, 100 * (ys.max() + 1) / height - top)


class _Words(NamedTuple):
    """The words of one side's lines as HTML, and the changes that begin before each line."""

    lines: list[str]
    begins: dict[int, list[int]]


def compare_pdfs(a: bytes, b: bytes) -> FileComparison:
    """Two PDFs, page by page. Raises NotShown."""
    own, other = all_sheets(a), all_sheets(b)
    left, right = (
        [run.text.replace("\n", " ") for sheet in side for run in sheet.runs] for side in (own, other)
    )
    rows = text_rows(left, right)
    first, second = _Words([], defaultdict(list)), _Words([], defaultdict(list))
    changes = 0
    for row in rows:
        if row.block.same:
            first.lines.extend(map(shown, left[row.block.a : row.block.a_end]))
            second.lines.extend(map(shown, right[row.block.b : row.block.b_end]))
            continue
        changes += 1
        first.begins[len(first.lines)].append(changes)
        second.begins[len(second.lines)].append(changes)
        first.lines.extend(_lines(row.a, "del", row.block.a_end - row.block.a))
        second.lines.extend(_lines(row.b, "ins", row.block.b_end - row.block.b))
    notes: tuple[str, ...] = ()
    if not left and not right:
        notes = ("These pages have no text to compare. Overlay one on the other instead.",)
    if len(own) != len(other):
        notes = (*notes, f"{counted(len(own), 'page')} in A, {len(other)} in B.")
    percent = words_shared(rows, left, differs=changes > 0)
    return FileComparison(changes, percent, "words", notes, tuple(_parts(own, other, first, second)))


def _lines(pieces: Sequence[Piece], tag: str, count: int) -> list[str]:
    """The words of so many lines as HTML."""
    lines = [""]
    for piece in pieces:
        for n, text in enumerate(piece.text.split("\n")):
            if n:
                lines.append("")
            lines[-1] += marked([Piece(text, piece.same)], tag) if text else ""
    return lines[:count]


def _parts(own: list[PdfPage], other: list[PdfPage], first: _Words, second: _Words) -> Iterator[ChangedPart]:
    left, right = list(_pages(own, len(other), first)), list(_pages(other, len(own), second))
    last = 0
    for start in range(0, max(len(left), len(right), 1), PAGES):
        page_a, page_b = left[start : start + PAGES], right[start : start + PAGES]
        numbers = [number for page in page_a for number in page[1]]
        low, high = (min(numbers), max(numbers)) if numbers else (last + 1, last)
        last = max(last, high)
        yield ChangedPart.of(
            low, high, Both("".join(page[0] for page in page_a), "".join(page[0] for page in page_b))
        )


def _pages(sheets: Sequence[PdfPage], others: int, words: _Words) -> Iterator[tuple[str, list[int]]]:
    at = 0
    for number, sheet in enumerate(sheets, 1):
        out, begun = [], []
        for run in sheet.runs:
            marks = words.begins.get(at, [])
            begun += marks
            # A change that only the other side shows has a place here too.
            out += [
                f'<i data-change="{mark}" style="left:{run.left:.2f}%;top:{run.top:.2f}%"></i>'
                for mark in marks
            ]
            out.append(f'<span style="{laid(run, sheet)}">{words.lines[at]}</span>\n')
            at += 1
        if number == len(sheets):
            rest = [mark for place, marks in words.begins.items() if place >= at for mark in marks]
            begun += rest
            out += [f'<i data-change="{mark}" style="left:0;top:100%"></i>' for mark in rest]
        source = "src" if number <= 2 else "data-src"
        over = switch = ""
        if number <= others:
            switch = f'<label class="over"><input type="checkbox" id="over{number}"> Lay the other page over it</label>'
            over = f'<img class="second" alt="" {source}="{OTHER_FILE}/page/{number}.png">'
        page = (
            f'<div class="paper"><p class="pageno" data-skip>{number} of {len(sheets)} {switch}</p>'
            f'<div class="sheet" style="aspect-ratio:{sheet.width:.1f}/{sheet.height:.1f}">'
            f'<img alt="Page {number}" {source}="../../page/{number}.png">{over}'
            f'<div class="layer">{"".join(out)}</div></div></div>'
        )
        yield page, begun
