"""PDF pages side by side: the words that differ are marked on the page, and the other side's page can be laid over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from comparator.domain.counted import counted
from comparator.outputs.differences.blocks import BlockKind
from comparator.outputs.differences.model import AlignedRow, Both, ChangedPart, FileComparison, numbered
from comparator.outputs.differences.text import Marked, text_blocks, word_marks, words_shared
from comparator.outputs.preview.document import shown
from comparator.outputs.preview.pdf import PAGES, PdfPage, all_sheets, laid

_OVER = "../../../\x00"
"""Where the other side's pictures lie; its id is put in when the document is served."""


class _Words(NamedTuple):
    """The words of one side's lines as HTML, and the changes that begin before each line."""

    lines: list[str]
    begins: dict[int, list[int]]


def compare_pdfs(a: bytes, b: bytes) -> FileComparison:
    """Two PDFs, page by page. Raises NotShown."""
    own, other = all_sheets(a), all_sheets(b)
    left = [run.text for sheet in own for run in sheet.runs]
    right = [run.text for sheet in other for run in sheet.runs]
    blocks = text_blocks(left, right)
    shared = words_shared(left, right, blocks)
    rows = list(numbered(blocks))
    first, second = _Words([], defaultdict(list)), _Words([], defaultdict(list))
    for row in rows:
        _write(row, left, right, first, second)
    notes = (
        ()
        if left or right
        else ("These pages hold no words that could be compared; lay one over the other.",)
    )
    if len(own) != len(other):
        notes = (*notes, f"{counted(len(own), 'page')} in A, {len(other)} in B.")
    changes = max((row.change for row in rows), default=0)
    percent = min(shared.percent(), 99) if changes else shared.percent()
    return FileComparison(changes, percent, "words", notes, tuple(_parts(own, other, first, second)))


def _write(row: AlignedRow, a: Sequence[str], b: Sequence[str], first: _Words, second: _Words) -> None:
    block, change = row
    if change:
        first.begins[len(first.lines)].append(change)
        second.begins[len(second.lines)].append(change)
    own, other = a[block.a : block.a_end], b[block.b : block.b_end]
    match block.kind:
        case BlockKind.SAME:
            first.lines.extend(map(shown, own))
            second.lines.extend(map(shown, other))
        case BlockKind.CHANGED:
            left, right = word_marks("\n".join(own), "\n".join(other))
            first.lines.extend(_lines(left))
            second.lines.extend(_lines(right))
        case _:
            first.lines.extend(f"<del>{shown(text)}</del>" for text in own)
            second.lines.extend(f"<ins>{shown(text)}</ins>" for text in other)


def _lines(pieces: Sequence[Marked]) -> Iterator[str]:
    line = ""
    for piece in pieces:
        for n, text in enumerate(piece.text.split("\n")):
            if n:
                yield line
                line = ""
            tag = {BlockKind.REMOVED: "del", BlockKind.ADDED: "ins"}.get(piece.kind)
            line += f"<{tag}>{shown(text)}</{tag}>" if tag and text else shown(text)
    yield line


def _parts(own: list[PdfPage], other: list[PdfPage], first: _Words, second: _Words) -> Iterator[ChangedPart]:
    left, right = list(_pages(own, len(other), first)), list(_pages(other, len(own), second))
    last = 0
    for start in range(0, max(len(left), len(right), 1), PAGES):
        page_a, page_b = left[start : start + PAGES], right[start : start + PAGES]
        numbers = [number for page in page_a for number in page[1]]
        low, high = (min(numbers), max(numbers)) if numbers else (last + 1, last)
        last = max(last, high)
        yield ChangedPart(
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
            over = f'<img class="second" alt="" {source}="{_OVER}/page/{number}.png">'
        page = (
            f'<div class="paper"><p class="pageno" data-skip>{number} of {len(sheets)} {switch}</p>'
            f'<div class="sheet" style="aspect-ratio:{sheet.width:.1f}/{sheet.height:.1f}">'
            f'<img alt="Page {number}" {source}="../../page/{number}.png">{over}'
            f'<div class="layer">{"".join(out)}</div></div></div>'
        )
        yield page, begun
