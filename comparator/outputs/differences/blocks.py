"""Two sequences laid beside each other: which stretches are the same, changed, removed or added."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from rapidfuzz.distance import Indel

_MOST_AT_ONCE = 400_000_000
"""Product of both lengths up to which the best alignment is looked for: some 0.1 seconds and 50 MB."""
_PIECE = 8_000
_DEEPEST = 30


class Kind(StrEnum):
    """What became of a stretch of A in B."""

    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"
    FOLDED = "folded"
    """The same, and left out of what is shown of large files."""


class Block(NamedTuple):
    """Units `a` to `a_end` of A stand beside units `b` to `b_end` of B; ends are not included."""

    kind: Kind
    a: int
    a_end: int
    b: int
    b_end: int


class Span(NamedTuple):
    """A stretch in both sequences."""

    a: int
    a_end: int
    b: int
    b_end: int


def aligned(a: Sequence[Hashable], b: Sequence[Hashable]) -> tuple[Block, ...]:
    """Blocks that cover both sequences in order; bounded in time and memory for any lengths."""
    numbers: dict[Hashable, int] = {}
    own = [numbers.setdefault(unit, len(numbers)) for unit in a]
    other = [numbers.setdefault(unit, len(numbers)) for unit in b]
    return tuple(joined(_aligned(own, other, Span(0, len(own), 0, len(other)), 0)))


def joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks with neighbours joined: the same to the same, and whatever else to one change."""
    kept: Block | None = None
    for block in blocks:
        if block.a == block.a_end and block.b == block.b_end:
            continue
        if kept is None:
            kept = block
        elif (kept.kind is Kind.SAME) == (block.kind is Kind.SAME):
            kept = Block(kept.kind, kept.a, block.a_end, kept.b, block.b_end)
        else:
            yield _named(kept)
            kept = block
    if kept is not None:
        yield _named(kept)


def _named(block: Block) -> Block:
    if block.kind is Kind.SAME:
        return block
    kind = Kind.CHANGED
    if block.a == block.a_end:
        kind = Kind.ADDED
    elif block.b == block.b_end:
        kind = Kind.REMOVED
    return block._replace(kind=kind)


def _aligned(a: list[int], b: list[int], span: Span, depth: int) -> Iterator[Block]:
    first, first_end, second, second_end = span
    while first < first_end and second < second_end and a[first] == b[second]:
        first, second = first + 1, second + 1
    yield Block(Kind.SAME, span.a, first, span.b, second)
    last, last_second = first_end, second_end
    while first < last and second < last_second and a[last - 1] == b[last_second - 1]:
        last, last_second = last - 1, last_second - 1
    yield from _middle(a, b, Span(first, last, second, last_second), depth)
    yield Block(Kind.SAME, last, first_end, last_second, second_end)


def _middle(a: list[int], b: list[int], span: Span, depth: int) -> Iterator[Block]:
    size, other = span.a_end - span.a, span.b_end - span.b
    if not size or not other:
        yield Block(Kind.CHANGED, *span)
        return
    if size * other <= _MOST_AT_ONCE:
        for code in Indel.opcodes(a[span.a : span.a_end], b[span.b : span.b_end]):
            kind = Kind.SAME if code.tag == "equal" else Kind.CHANGED
            yield Block(
                kind,
                span.a + code.src_start,
                span.a + code.src_end,
                span.b + code.dest_start,
                span.b + code.dest_end,
            )
        return
    anchors = _anchors(a, b, span) if depth < _DEEPEST else []
    if not anchors:
        yield from _piecewise(a, b, span)
        return
    at, other_at = span.a, span.b
    for own, second in anchors:
        if at < own or other_at < second:
            yield from _aligned(a, b, Span(at, own, other_at, second), depth + 1)
        yield Block(Kind.SAME, own, own + 1, second, second + 1)
        at, other_at = own + 1, second + 1
    yield from _aligned(a, b, Span(at, span.a_end, other_at, span.b_end), depth + 1)


def _anchors(a: list[int], b: list[int], span: Span) -> list[tuple[int, int]]:
    """Places of units that stand once in each stretch, in an order that both share: as many as possible."""
    counts = Counter(a[span.a : span.a_end])
    others = Counter(b[span.b : span.b_end])
    places = {b[n]: n for n in range(span.b, span.b_end) if others[b[n]] == 1}
    pairs = [(n, places[a[n]]) for n in range(span.a, span.a_end) if counts[a[n]] == 1 and a[n] in places]
    # The longest rising sequence of places in B, by patience sorting.
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        pile = bisect_left(ends, place)
        before.append(tops[pile - 1] if pile else -1)
        if pile == len(ends):
            ends.append(place)
            tops.append(index)
        else:
            ends[pile], tops[pile] = place, index
    found = []
    index = tops[-1] if tops else -1
    while index >= 0:
        found.append(pairs[index])
        index = before[index]
    return found[::-1]


def _piecewise(a: list[int], b: list[int], span: Span) -> Iterator[Block]:
    """Pieces at the same share of both stretches beside each other; not the best, but never slow."""
    size, other = span.a_end - span.a, span.b_end - span.b
    count = max(size, other) // _PIECE + 1
    for n in range(count):
        piece = Span(
            span.a + size * n // count,
            span.a + size * (n + 1) // count,
            span.b + other * n // count,
            span.b + other * (n + 1) // count,
        )
        yield from _middle(a, b, piece, _DEEPEST)
