"""Differences of two texts: by lines first, then by the words of the lines that differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from comparator.outputs.differences.blocks import Block, BlockKind, aligned, joined

_WORD = re.compile(r"\w+|\s|[^\w\s]")
_LONGEST = 2_000
_ENDS = re.compile(r"(?<=[.;!?>}])(?=\s)|(?<=[>},])(?=[<{\"'\w])")
_MOST_WORDS = 200_000
"""Of a stretch with more words than this, lines are laid beside each other in order."""
_MOST_LETTERS = 5 * _MOST_WORDS
_ROWS = 50
_LIKE = 0.25


class TextLine(NamedTuple):
    """A line of a text, or a piece of an overlong one; `number` is 0 for what goes on from the piece before."""

    text: str
    number: int


class Marked(NamedTuple):
    """Some words of one side; `kind` tells whether the other side has them too."""

    text: str
    kind: BlockKind


def lines_of(text: str) -> list[TextLine]:
    """The lines of a text. Overlong ones are cut behind sentences and elements, so that an early change does not
    shift every later cut."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    out: list[TextLine] = []
    for number, line in enumerate(lines, 1):
        if len(line) <= _LONGEST:
            out.append(TextLine(line, number))
            continue
        out += [TextLine(piece, number if not n else 0) for n, piece in enumerate(_pieces(line))]
    return out


def text_blocks(a: Sequence[str], b: Sequence[str]) -> tuple[Block, ...]:
    """Lines of A beside lines of B; changed stretches are parted where their words show line ends that belong
    together."""
    out: list[Block] = []
    for block in aligned(a, b):
        if block.kind is BlockKind.CHANGED:
            out += _parted(a, b, block)
        else:
            out.append(block)
    return tuple(out)


def words_of(text: str) -> list[str]:
    """A text in words, signs and white space; joined they are the text."""
    return _WORD.findall(text)


def word_marks(a: str, b: str) -> tuple[tuple[Marked, ...], tuple[Marked, ...]]:
    """Both texts with what was removed from A and what was added in B."""
    own, other = words_of(a), words_of(b)
    if len(own) + len(other) > _MOST_WORDS:
        return (Marked(a, BlockKind.REMOVED),), (Marked(b, BlockKind.ADDED),)
    left: list[Marked] = []
    right: list[Marked] = []
    for block in _tidied(aligned(own, other), own, other):
        before, after = "".join(own[block.a : block.a_end]), "".join(other[block.b : block.b_end])
        same = block.kind is BlockKind.SAME
        if before:
            left.append(Marked(before, BlockKind.SAME if same else BlockKind.REMOVED))
        if after:
            right.append(Marked(after, BlockKind.SAME if same else BlockKind.ADDED))
    return tuple(left), tuple(right)


class Shared(NamedTuple):
    """How many words both sides have, and how many words there are on both sides."""

    common: int
    total: int

    def percent(self) -> int:
        """Of hundred words, how many stand on both sides; 100 only where all do."""
        if not self.total or self.common == self.total:
            return 100
        return min(99, round(100 * self.common / self.total))


def words_shared(a: Sequence[str], b: Sequence[str], blocks: Sequence[Block]) -> Shared:
    """Words in common, counted on both sides."""
    common = total = 0
    for block in blocks:
        own = a[block.a : block.a_end]
        if block.kind is BlockKind.SAME:
            count = 2 * sum(len(line.split()) for line in own)
            common, total = common + count, total + count
            continue
        left = Counter(word for line in own for word in line.split())
        right = Counter(word for line in b[block.b : block.b_end] for word in line.split())
        common += 2 * (left & right).total()
        total += left.total() + right.total()
    return Shared(common, total)


def _pieces(line: str) -> Iterator[str]:
    piece = ""
    for part in _ENDS.split(line):
        if piece and len(piece) + len(part) > _LONGEST // 4:
            yield piece
            piece = ""
        piece += part
        while len(piece) > _LONGEST:
            yield piece[:_LONGEST]
            piece = piece[_LONGEST:]
    if piece:
        yield piece


def _parted(a: Sequence[str], b: Sequence[str], block: Block) -> list[Block]:
    own, other = list(a[block.a : block.a_end]), list(b[block.b : block.b_end])
    if sum(map(len, own)) + sum(map(len, other)) > _MOST_LETTERS:
        return list(_in_order(block))
    before = [token for line in own for token in (*words_of(line), "\n")]
    after = [token for line in other for token in (*words_of(line), "\n")]
    if len(before) + len(after) > _MOST_WORDS:
        return list(_in_order(block))
    found = _tidied(aligned(before, after), before, after)
    common = sum(_weight(before, same.a, same.a_end) for same in found if same.kind is BlockKind.SAME)
    weights = _weight(before, 0, len(before)), _weight(after, 0, len(after))
    if common < _LIKE * min(weights):
        return _apart(block)
    out: list[Block] = []
    at, second = block.a, block.b
    row, column, letters = block.a, block.b, 0
    for stretch in found:
        if stretch.kind is not BlockKind.SAME:
            at += before[stretch.a : stretch.a_end].count("\n")
            second += after[stretch.b : stretch.b_end].count("\n")
            continue
        for word in before[stretch.a : stretch.a_end]:
            if word != "\n":
                letters += _letters(word)
                continue
            at, second = at + 1, second + 1
            out += _row(a, b, Block(BlockKind.CHANGED, row, at, column, second), letters)
            row, column, letters = at, second, 0
    out += _row(a, b, Block(BlockKind.CHANGED, row, block.a_end, column, block.b_end), letters)
    return out


def _row(a: Sequence[str], b: Sequence[str], row: Block, common: int) -> list[Block]:
    """One row of the stretch; lines that share hardly a word (`common` letters) stand for themselves."""
    own, other = "\n".join(a[row.a : row.a_end]), "\n".join(b[row.b : row.b_end])
    if row.a == row.a_end and row.b == row.b_end:
        return []
    if list(a[row.a : row.a_end]) == list(b[row.b : row.b_end]):
        return [row._replace(kind=BlockKind.SAME)]
    least = min(_letters(own), _letters(other))
    if (
        not own.strip()
        or not other.strip()
        or common < _LIKE * least
        or (not least and own.strip() != other.strip())
    ):
        return _apart(row)
    return [row]


def _apart(block: Block) -> list[Block]:
    out = []
    if block.a < block.a_end:
        out.append(Block(BlockKind.REMOVED, block.a, block.a_end, block.b, block.b))
    if block.b < block.b_end:
        out.append(Block(BlockKind.ADDED, block.a_end, block.a_end, block.b, block.b_end))
    return out


def _in_order(block: Block) -> Iterator[Block]:
    a, b = block.a, block.b
    while a < block.a_end or b < block.b_end:
        a_end, b_end = min(a + _ROWS, block.a_end), min(b + _ROWS, block.b_end)
        yield from _apart(Block(BlockKind.CHANGED, a, a_end, b, b_end))
        a, b = a_end, b_end


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _weight(tokens: Sequence[str], start: int, end: int) -> int:
    return sum(len(token) for token in tokens[start:end] if not token.isspace())


def _tidied(blocks: Sequence[Block], a: Sequence[str], b: Sequence[str]) -> tuple[Block, ...]:
    """Without words that two changes share by chance: what is shorter than both changes around it joins them."""
    kept = list(blocks)
    for index in range(1, len(kept) - 1):
        same = kept[index]
        if same.kind is not BlockKind.SAME:
            continue
        letters = _weight(a, same.a, same.a_end)
        around = [
            max(_weight(a, near.a, near.a_end), _weight(b, near.b, near.b_end))
            for near in (kept[index - 1], kept[index + 1])
        ]
        if letters * 2 <= min(around) and "\n" not in a[same.a : same.a_end]:
            kept[index] = same._replace(kind=BlockKind.CHANGED)
    return tuple(joined(kept))
