"""Differences of two texts: by lines first, then by the words of the lines that differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from comparator.outputs.differences.alignment import Block, aligned, joined
from comparator.outputs.differences.model import Both, DrawnRow, FileComparison, in_parts, percent_of, room
from comparator.outputs.preview.document import shown

# A line feed is a word of its own.
_WORD = re.compile(r"\w+|\s|[^\w\s]")
_LONGEST = 2_000
_ENDS = re.compile(r"(?<=[.;!?>}])(?=\s)|(?<=[>},])(?=[<{\"'\w])")
_MOST_LETTERS = 1_000_000
"""Stretches with more letters than this are not compared by words."""
_LINES = 100
_LIKE = 0.25
"""Stretches that share less than this of their letters are marked whole."""


class TextLine(NamedTuple):
    """A line of a text, or a piece of an overlong one; `number` is 0 for what goes on from the piece before."""

    text: str
    number: int


class Piece(NamedTuple):
    """Some words of one side, and whether the other side has them too."""

    text: str
    same: bool


class TextRow(NamedTuple):
    """Lines that stand side by side, with the words of each side where they differ."""

    block: Block
    a: tuple[Piece, ...] = ()
    b: tuple[Piece, ...] = ()


def compare_texts(a: str, b: str, *, notes: tuple[str, ...] = ()) -> FileComparison:
    """Two texts, by lines and words."""
    own, other = lines_of(a), lines_of(b)
    texts = [line.text for line in own]
    rows = text_rows(texts, [line.text for line in other])
    changes = sum(not row.block.same for row in rows)
    percent = words_shared(rows, texts, differs=changes > 0)
    opening = '<div class="differ">'
    parts = in_parts(_drawn(rows, own, other), opening=Both(opening, opening), closing="</div>")
    return FileComparison(changes, percent, "words", notes, tuple(parts))


def lines_of(text: str) -> list[TextLine]:
    """The lines of a text. Overlong ones are cut behind sentences and elements, so that an early change does not
    shift every later cut."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n") if text else []
    out: list[TextLine] = []
    for number, line in enumerate(lines, 1):
        parts = _ENDS.split(line) if len(line) > _LONGEST else [line]
        pieces = [part[n : n + _LONGEST] for part in parts for n in range(0, len(part) or 1, _LONGEST)]
        out += [TextLine(piece, 0 if n else number) for n, piece in enumerate(pieces)]
    return out


def text_rows(a: Sequence[str], b: Sequence[str]) -> list[TextRow]:
    """Lines of A beside lines of B. Lines hold no line feeds."""
    rows: list[TextRow] = []
    for block in aligned(a, b):
        rows += _in_order(block, lines=a, others=b) if block.same else _by_words(a, b, block)
    return rows


def word_marks(a: str, b: str) -> Both:
    """Both texts as HTML, by what the other has too."""
    if len(a) + len(b) > _MOST_LETTERS:
        return Both(f"<del>{shown(a)}</del>", f"<ins>{shown(b)}</ins>")
    own, other = _WORD.findall(a), _WORD.findall(b)
    blocks = _word_blocks(own, other)
    left = [Piece("".join(own[block.a : block.a_end]), block.same) for block in blocks]
    right = [Piece("".join(other[block.b : block.b_end]), block.same) for block in blocks]
    return Both(marked(left, "del"), marked(right, "ins"))


def words_shared(rows: Sequence[TextRow], a: Sequence[str], *, differs: bool) -> int:
    """The percentage of words in common, counted on both sides."""
    common = total = 0
    for row in rows:
        if row.block.same:
            count = 2 * sum(len(line.split()) for line in a[row.block.a : row.block.a_end])
            common, total = common + count, total + count
        for piece in (*row.a, *row.b):
            count = len(piece.text.split())
            common, total = common + count * piece.same, total + count
    return percent_of(common, total, differs=differs)


def marked(pieces: Sequence[Piece], tag: str) -> str:
    """The pieces of one side as HTML; `tag` is `del` for A and `ins` for B."""
    return "".join(
        shown(piece.text) if piece.same else f"<{tag}>{shown(piece.text)}</{tag}>"
        for piece in pieces
        if piece.text
    )


def _by_words(a: Sequence[str], b: Sequence[str], block: Block) -> Iterator[TextRow]:
    """A stretch that differs, in rows that end where both sides have the same line end."""
    lines, others = a[block.a : block.a_end], b[block.b : block.b_end]
    if not lines or not others or sum(map(len, lines)) + sum(map(len, others)) > _MOST_LETTERS:
        yield from _in_order(block, lines=a, others=b)
        return
    own, other = (
        [word for line in side for word in (*_WORD.findall(line), "\n")] for side in (lines, others)
    )
    stretches = _word_blocks(own, other)
    common = sum(_letters(own[stretch.a : stretch.a_end]) for stretch in stretches if stretch.same)
    if common < _LIKE * min(_letters(own), _letters(other)):
        yield from _in_order(block, lines=a, others=b)
        return
    left: list[Piece] = []
    right: list[Piece] = []
    row, at, second = Block(False, block.a, block.a, block.b, block.b), block.a, block.b
    for stretch in stretches:
        before, after = own[stretch.a : stretch.a_end], other[stretch.b : stretch.b_end]
        if not stretch.same:
            left.append(Piece("".join(before), False))
            right.append(Piece("".join(after), False))
            at, second = at + before.count("\n"), second + after.count("\n")
            continue
        for n, text in enumerate("".join(before).split("\n")):
            if n:
                at, second = at + 1, second + 1
                yield _row(row._replace(a_end=at, b_end=second), left, right)
                row, left, right = Block(False, at, at, second, second), [], []
            left.append(Piece(text, True))
            right.append(Piece(text, True))
    if at > row.a or second > row.b:
        yield _row(row._replace(a_end=at, b_end=second), left, right)


def _row(block: Block, left: Sequence[Piece], right: Sequence[Piece]) -> TextRow:
    own, other = (tuple(piece for piece in side if piece.text) for side in (left, right))
    same = all(piece.same for piece in (*own, *other))
    return TextRow(block._replace(same=True)) if same else TextRow(block, own, other)


def _in_order(block: Block, *, lines: Sequence[str], others: Sequence[str]) -> Iterator[TextRow]:
    """The block in rows of some lines each, marked whole where it differs."""
    _, a, end, b, other_end = block
    while a < end or b < other_end:
        piece = Block(block.same, a, min(a + _LINES, end), b, min(b + _LINES, other_end))
        a, b = piece.a_end, piece.b_end
        if piece.same:
            yield TextRow(piece)
        else:
            own, other = "\n".join(lines[piece.a : a]), "\n".join(others[piece.b : b])
            yield TextRow(piece, (Piece(own, False),), (Piece(other, False),))


def _word_blocks(a: Sequence[str], b: Sequence[str]) -> list[Block]:
    """Words beside words. What two changes share by chance, shorter than both of them, belongs to the change."""
    blocks = aligned(a, b)
    size = [max(_letters(a[block.a : block.a_end]), _letters(b[block.b : block.b_end])) for block in blocks]
    return joined(
        block._replace(same=False)
        if block.same
        and 0 < n < len(blocks) - 1
        and 2 * size[n] <= min(size[n - 1], size[n + 1])
        and "\n" not in a[block.a : block.a_end]
        else block
        for n, block in enumerate(blocks)
    )


def _letters(words: Sequence[str]) -> int:
    return sum(len(word) for word in words if not word.isspace())


def _drawn(rows: Sequence[TextRow], a: Sequence[TextLine], b: Sequence[TextLine]) -> Iterator[DrawnRow]:
    changes = 0
    for (_, at, end, other, other_end), left, right in rows:
        if not left and not right:
            # Escaped in one go: most lines of most texts are the same.
            texts = shown("\n".join(line.text for line in a[at:end])).split("\n")
            yield DrawnRow(0, Both(_lines(a[at:end], texts), _lines(b[other:other_end], texts)))
            continue
        changes += 1
        one = f"{marked(left, 'del')}\n" if at < end else ""
        two = f"{marked(right, 'ins')}\n" if other < other_end else ""
        yield DrawnRow(
            changes,
            Both(
                _changed(one, two, f' data-change="{changes}"{_number(a[at:end])}'),
                _changed(two, one, f' data-change="{changes}"{_number(b[other:other_end])}'),
            ),
        )


def _lines(lines: Sequence[TextLine], texts: Sequence[str]) -> str:
    return "".join(f"<p{_number([line])}>{text}\n</p>" for line, text in zip(lines, texts, strict=True))


def _changed(own: str, other: str, attributes: str) -> str:
    if not own:
        return f'<p class="gap"{attributes}>{room(other)}</p>'
    return f'<p class="other"{attributes}><span>{own}</span>{room(other) if other else ""}</p>'


def _number(lines: Sequence[TextLine]) -> str:
    return f' data-n="{lines[0].number}"' if lines and lines[0].number else ""
