"""Two sequences laid beside each other, and differences of texts: by lines, then by the words of those that differ."""

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rapidfuzz.distance import Indel, Postfix, Prefix

from comparator.outputs.differences.model import Both, DrawnRow, FileComparison, in_parts, percent_of, room
from comparator.outputs.preview.document import NotShown, as_html, reveal

_WINDOW = 10_000
"""Units of either side that are aligned at once: some 0.03 seconds and 15 MB."""


class Block(NamedTuple):
    """Units `a` to `a_end` of A stand beside units `b` to `b_end` of B; ends are not included."""

    same: bool
    a: int
    a_end: int
    b: int
    b_end: int


def align(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Block]:
    """Blocks that cover both sequences in order, the same and differing in turn.

    The alignment is the best one up to 10,000 units between the first and the last difference. Longer sequences are
    aligned window by window, so time and memory are bounded for any lengths.

    >>> [tuple(block) for block in align("abcd", "axd")]
    [(True, 0, 1, 0, 1), (False, 1, 3, 1, 2), (True, 3, 4, 2, 3)]
    """
    numbers: dict[Hashable, int] = {}
    own = [numbers.setdefault(unit, len(numbers)) for unit in a]
    other = [numbers.setdefault(unit, len(numbers)) for unit in b]
    return join_neighbours(_windows(own, other))


def join_neighbours(blocks: Iterable[Block]) -> list[Block]:
    """The blocks with neighbours joined where both are the same or both differ."""
    runs = [[*group] for _, group in groupby(blocks, key=lambda block: block.same)]
    return [run[0]._replace(a_end=run[-1].a_end, b_end=run[-1].b_end) for run in runs]


def _windows(a: list[int], b: list[int]) -> Iterator[Block]:
    n = m = Prefix.similarity(a, b)
    behind = Postfix.similarity(a[n:], b[n:])
    end, other_end = len(a) - behind, len(b) - behind
    if n:
        yield Block(True, 0, n, 0, n)
    while n < end and m < other_end:
        stop, other_stop = min(n + _WINDOW, end), min(m + _WINDOW, other_end)
        blocks = [
            Block(
                opcode.tag == "equal",
                n + opcode.src_start,
                n + opcode.src_end,
                m + opcode.dest_start,
                m + opcode.dest_end,
            )
            for opcode in Indel.opcodes(a[n:stop], b[m:other_stop])
        ]
        if (stop, other_stop) != (end, other_end):
            # What follows the last common unit may have its counterpart in the next window.
            del blocks[max((k for k, block in enumerate(blocks, 1) if block.same), default=len(blocks)) :]
        yield from blocks
        n, m = blocks[-1].a_end, blocks[-1].b_end
    if n < end or m < other_end:
        yield Block(False, n, end, m, other_end)
    if behind:
        yield Block(True, end, len(a), other_end, len(b))


def sorted_json(data: bytes) -> str:
    """JSON as indented text with its keys sorted. Raises NotShown."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotShown("It is not JSON that can be read.") from error
    return reveal(json.dumps(tree, ensure_ascii=False, indent=2, sort_keys=True))


_WORD = re.compile(r"\w+|\s|[^\w\s]")
_LONGEST = 2_000
_ENDS = re.compile(r"(?<=[.;!?>}])(?=\s)|(?<=[>},])(?=[<{\"'\w])")
_MOST_LETTERS = 1_000_000
"""Stretches with more letters than this are not compared by words."""
_LINES = 100
_LIKE = 0.25
"""Stretches that share less than this of their letters are marked whole."""


class Piece(NamedTuple):
    """Some words of one side, and whether the other side has them too."""

    text: str
    same: bool


Line = tuple[str, int]
"""A line of a text, or a piece of an overlong one, and its number; 0 for what goes on from the piece before."""


def compare_texts(a: str, b: str, *, notes: tuple[str, ...] = ()) -> FileComparison:
    """Two texts, by lines and words."""
    own, other = _lines_of(a), _lines_of(b)
    rows: list[DrawnRow] = []
    changes = common = total = 0
    for block in align([text for text, _ in own], [text for text, _ in other]):
        left, right = own[block.a : block.a_end], other[block.b : block.b_end]
        # As many lines as before are taken to be changed one by one; else the stretch is one change.
        step = 1 if not block.same and len(left) == len(right) else _LINES
        for start in range(0, max(len(left), len(right)), step):
            sides = left[start : start + step], right[start : start + step]
            texts = ["".join(f"{text}\n" for text, _ in side) for side in sides]
            if block.same:
                # Escaped in one go: most lines of most texts are the same.
                safe = as_html(texts[0]).split("\n")
                drawn = (
                    "".join(f"<p{_number(line)}>{text}\n</p>" for line, text in zip(side, safe, strict=False))
                    for side in sides
                )
                rows.append(DrawnRow(0, Both(*drawn)))
                count = 2 * len(texts[0].split())
                common, total = common + count, total + count
                continue
            changes += 1
            pieces = _pieces(*texts)
            one, two = pieces_as_html(pieces[0], "del"), pieces_as_html(pieces[1], "ins")
            drawn = (
                f'<p class="{"other" if here else "gap"}" data-change="{changes}"{_number(*side[:1])}>'
                f"{f'<span>{here}</span>' if here else ''}{room(there) if there else ''}</p>"
                for here, there, side in ((one, two, sides[0]), (two, one, sides[1]))
            )
            rows.append(DrawnRow(changes, Both(*drawn)))
            for piece in (*pieces[0], *pieces[1]):
                count = len(piece.text.split())
                common, total = common + count * piece.same, total + count
    percent = percent_of(common, total, differs=changes > 0)
    opening = '<div class="differ">'
    parts = in_parts(rows, opening=Both(opening, opening), closing="</div>")
    return FileComparison(changes, percent, "words", notes, tuple(parts))


def word_marks(a: str, b: str) -> Both:
    """Both texts as HTML, by what the other has too."""
    left, right = _pieces(a, b)
    return Both(pieces_as_html(left, "del"), pieces_as_html(right, "ins"))


def pieces_as_html(pieces: Sequence[Piece], tag: str) -> str:
    """The pieces of one side as HTML; `tag` is `del` for A and `ins` for B."""
    return "".join(
        as_html(piece.text) if piece.same else f"<{tag}>{as_html(piece.text)}</{tag}>"
        for piece in pieces
        if piece.text
    )


def _lines_of(text: str) -> list[Line]:
    """The lines of a text. Overlong ones are cut behind sentences and elements, so that an early change does not
    shift every later cut."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n") if text else []
    out: list[Line] = []
    for number, line in enumerate(lines, 1):
        parts = _ENDS.split(line) if len(line) > _LONGEST else [line]
        pieces = [part[n : n + _LONGEST] for part in parts for n in range(0, len(part) or 1, _LONGEST)]
        out += [(piece, 0 if n else number) for n, piece in enumerate(pieces)]
    return out


def _number(line: Line = ("", 0)) -> str:
    return f' data-n="{line[1]}"' if line[1] else ""


def _pieces(a: str, b: str) -> tuple[list[Piece], list[Piece]]:
    """The words of both texts by what the other has too; each as one piece where that is little, or they are long."""
    own, other = _WORD.findall(a), _WORD.findall(b)
    blocks = _word_blocks(own, other) if len(a) + len(b) <= _MOST_LETTERS else []
    common = sum(_letters(own[block.a : block.a_end]) for block in blocks if block.same)
    if not blocks or common < _LIKE * min(_letters(own), _letters(other)):
        return [Piece(a, False)], [Piece(b, False)]
    return (
        [Piece("".join(own[block.a : block.a_end]), block.same) for block in blocks],
        [Piece("".join(other[block.b : block.b_end]), block.same) for block in blocks],
    )


def _word_blocks(a: Sequence[str], b: Sequence[str]) -> list[Block]:
    """Words beside words. What two changes share by chance, shorter than both of them, belongs to the change."""
    blocks = align(a, b)
    size = [max(_letters(a[block.a : block.a_end]), _letters(b[block.b : block.b_end])) for block in blocks]
    return join_neighbours(
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
