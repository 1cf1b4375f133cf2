"""PDF pages side by side: the words that differ are marked on the page, and the other side's page can be laid over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from comparator.domain.counted import counted
from comparator.outputs.differences.model import OTHER_FILE, Both, ChangedPart, FileComparison
from comparator.outputs.differences.text import Piece, marked, text_rows, words_shared
from comparator.outputs.preview.document import shown
from comparator.outputs.preview.pdf import PAGES, PdfPage, all_sheets, laid


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
    percent = words_shared(rows, left).percent(differs=changes > 0)
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
            over = f'<img class="second" alt="" {source}="{OTHER_FILE}/page/{number}.png">'
        page = (
            f'<div class="paper"><p class="pageno" data-skip>{number} of {len(sheets)} {switch}</p>'
            f'<div class="sheet" style="aspect-ratio:{sheet.width:.1f}/{sheet.height:.1f}">'
            f'<img alt="Page {number}" {source}="../../page/{number}.png">{over}'
            f'<div class="layer">{"".join(out)}</div></div></div>'
        )
        yield page, begun
