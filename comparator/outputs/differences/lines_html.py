"""Lines side by side as HTML: each side keeps room for what only the other has, so that both are as high."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from comparator.domain.counted import counted
from comparator.outputs.differences.blocks import Block, BlockKind
from comparator.outputs.differences.model import (
    AlignedRow,
    Both,
    ChangedPart,
    FileComparison,
    bounded,
    cut,
    folded,
    framed,
    numbered,
    paged,
)
from comparator.outputs.differences.stored import StoredLines, StoredTexts
from comparator.outputs.differences.text import (
    Marked,
    Shared,
    TextLine,
    lines_of,
    text_blocks,
    word_marks,
    words_shared,
)
from comparator.outputs.preview.document import shown

_PART = 120_000
_LINES = 200


def compare_texts(a: str, b: str, *, notes: tuple[str, ...] = ()) -> FileComparison:
    """Two texts, by lines and words."""
    own, other = lines_of(a), lines_of(b)
    left, right = [line.text for line in own], [line.text for line in other]
    blocks = text_blocks(left, right)
    shared = words_shared(left, right, blocks)
    rows = list(numbered(cut(blocks, _LINES)))
    parts = list(paged(rows, _weights(rows, left, right), _PART))
    bodies = (_joined(_text_rows(part, own, other)) for part in parts)
    return _result(rows, shared, "words", notes, framed(parts, bodies))


def compare_large_texts(a: bytes, b: bytes, *, notes: tuple[str, ...] = ()) -> FileComparison:
    """Two large texts in UTF-8, by lines and words; what is the same is folded."""
    own, other = StoredLines(a), StoredLines(b)
    left, right = StoredTexts(own), StoredTexts(other)
    blocks = text_blocks(left, right)
    shared = words_shared(left, right, blocks)
    rows = list(folded(numbered(blocks)))
    changes = max((row.change for row in rows), default=0)
    parts, more = bounded(paged(rows, _weights(rows, left, right), _PART), changes)
    bodies = (_joined(_text_rows(part, own, other)) for part in parts)
    return _result(rows, shared, "words", (*notes, *more), framed(parts, bodies))


def _result(
    rows: Sequence[AlignedRow],
    shared: Shared,
    unit: str,
    notes: tuple[str, ...],
    parts: tuple[ChangedPart, ...],
) -> FileComparison:
    changes = max((row.change for row in rows), default=0)
    percent = min(shared.percent(), 99) if changes and shared.percent() == 100 else shared.percent()
    return FileComparison(changes, percent, unit, notes, parts)


def _weights(rows: Sequence[AlignedRow], a: Sequence[str], b: Sequence[str]) -> Iterator[int]:
    for row in rows:
        block = row.block
        if block.kind is BlockKind.FOLDED:
            yield 10
            continue
        own = sum(len(line) + 10 for line in a[block.a : block.a_end])
        other = (
            0 if block.kind is BlockKind.SAME else sum(len(line) + 10 for line in b[block.b : block.b_end])
        )
        yield own + other


def _joined(rows: Iterator[Both]) -> Both:
    left, right = [], []
    for row in rows:
        left.append(row.a)
        right.append(row.b)
    return Both(f'<div class="differ">{"".join(left)}</div>', f'<div class="differ">{"".join(right)}</div>')


def _text_rows(part: Sequence[AlignedRow], a: Sequence[TextLine], b: Sequence[TextLine]) -> Iterator[Both]:
    at = 0
    while at < len(part):
        block, change = part[at]
        at += 1
        match block.kind:
            case BlockKind.SAME:
                # Escaped in one go: most lines of most texts are the same.
                texts = shown("\n".join(line.text for line in a[block.a : block.a_end])).split("\n")
                left = zip(a[block.a : block.a_end], texts, strict=True)
                right = zip(b[block.b : block.b_end], texts, strict=True)
                yield Both(
                    "".join(f"<p{_number(line)}>{text}\n</p>" for line, text in left),
                    "".join(f"<p{_number(line)}>{text}\n</p>" for line, text in right),
                )
            case BlockKind.FOLDED:
                same = counted(block.a_end - block.a, "line")
                fold = f'<p class="fold" data-skip>{same} the same</p>'
                yield Both(fold, fold)
            case BlockKind.CHANGED:
                own = "\n".join(line.text for line in a[block.a : block.a_end])
                other = "\n".join(line.text for line in b[block.b : block.b_end])
                yield _changed(change, _number(a[block.a]), _number(b[block.b]), *_words(own, other))
            case _:
                added = Block(BlockKind.ADDED, block.a_end, block.a_end, block.b, block.b_end)
                follows = block.kind is BlockKind.REMOVED and at < len(part) and not part[at].change
                if follows and part[at].block.kind is BlockKind.ADDED:
                    added = part[at].block
                    at += 1
                yield from _side_by_side(a[block.a : block.a_end], b[added.b : added.b_end], change)


def _side_by_side(a: Sequence[TextLine], b: Sequence[TextLine], change: int) -> Iterator[Both]:
    for n in range(max(len(a), len(b))):
        own = _whole(a[n].text, "del") if n < len(a) else None
        other = _whole(b[n].text, "ins") if n < len(b) else None
        numbers = _number(a[n]) if n < len(a) else "", _number(b[n]) if n < len(b) else ""
        yield _changed(change if n == 0 else 0, *numbers, own, other)


def _changed(change: int, number: str, other_number: str, a: str | None, b: str | None) -> Both:
    mark = f' data-change="{change}"' if change else ""
    return Both(_row(a, b, mark + number), _row(b, a, mark + other_number))


def _row(own: str | None, other: str | None, attributes: str) -> str:
    # What only the other side has takes its room here, unseen, unread and not found.
    room = (
        ""
        if other is None
        else f'<span class="room" data-skip aria-hidden="true">{_unmarked(other)}\n</span>'
    )
    if own is None:
        return f'<p class="gap"{attributes}>{room}</p>'
    return f'<p class="other"{attributes}><span>{own}\n</span>{room}</p>'


def _unmarked(text: str) -> str:
    return text.replace("<del>", "").replace("</del>", "").replace("<ins>", "").replace("</ins>", "")


def _words(a: str, b: str) -> tuple[str, str]:
    own, other = word_marks(a, b)
    return marked(own), marked(other)


def marked(pieces: Sequence[Marked], safe: Callable[[str], str] = shown) -> str:
    """Words of one side with what the other has not in `del` or `ins`."""
    return "".join(
        safe(piece.text)
        if piece.kind is BlockKind.SAME
        else _whole(piece.text, "del" if piece.kind is BlockKind.REMOVED else "ins")
        for piece in pieces
    )


def _whole(text: str, tag: str) -> str:
    return f"<{tag}>{shown(text)}</{tag}>"


def _number(line: TextLine) -> str:
    return f' data-n="{line.number}"' if line.number else ""
