"""Two sequences laid beside each other: which stretches are the same, changed, removed or added."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Indel

_MOST_AT_ONCE = 400_000_000
"""Product of both lengths up to which the best alignment is looked for: some 0.1 seconds and 50 MB."""
_QUICK = 1_000_000
"""Product up to which this is so quick that nothing shorter is tried."""
_PIECE = 8_000
_DEEPEST = 30


class BlockKind(StrEnum):
    """What became of a stretch of A in B."""

    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"
    FOLDED = "folded"
    """The same, and left out of what is shown of large files."""


class Block(NamedTuple):
    """Units `a` to `a_end` of A stand beside units `b` to `b_end` of B; ends are not included."""

    kind: BlockKind
    a: int
    a_end: int
    b: int
    b_end: int


class BlockSpan(NamedTuple):
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
    return tuple(joined(_aligned(own, other, BlockSpan(0, len(own), 0, len(other)), 0)))


def joined(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks with neighbours joined: the same to the same, and whatever else to one change."""
    kept: Block | None = None
    for block in blocks:
        if block.a == block.a_end and block.b == block.b_end:
            continue
        if kept is None:
            kept = block
        elif (kept.kind is BlockKind.SAME) == (block.kind is BlockKind.SAME):
            kept = Block(kept.kind, kept.a, block.a_end, kept.b, block.b_end)
        else:
            yield _named(kept)
            kept = block
    if kept is not None:
        yield _named(kept)


def _named(block: Block) -> Block:
    if block.kind is BlockKind.SAME:
        return block
    kind = BlockKind.CHANGED
    if block.a == block.a_end:
        kind = BlockKind.ADDED
    elif block.b == block.b_end:
        kind = BlockKind.REMOVED
    return block._replace(kind=kind)


def _aligned(a: list[int], b: list[int], span: BlockSpan, depth: int) -> Iterator[Block]:
    first, first_end, second, second_end = span
    while first < first_end and second < second_end and a[first] == b[second]:
        first, second = first + 1, second + 1
    if first > span.a:
        yield Block(BlockKind.SAME, span.a, first, span.b, second)
    last, last_second = first_end, second_end
    while first < last and second < last_second and a[last - 1] == b[last_second - 1]:
        last, last_second = last - 1, last_second - 1
    left, other_left = last - first, last_second - second
    if left and other_left and left + other_left > 2:
        yield from _middle(a, b, BlockSpan(first, last, second, last_second), depth)
    elif left or other_left:
        yield Block(BlockKind.CHANGED, first, last, second, last_second)
    if last < first_end:
        yield Block(BlockKind.SAME, last, first_end, last_second, second_end)


def _middle(a: list[int], b: list[int], span: BlockSpan, depth: int) -> Iterator[Block]:
    """Blocks of a stretch that is empty on neither side."""
    size, other = span.a_end - span.a, span.b_end - span.b
    best = size * other <= _MOST_AT_ONCE
    quick = size * other <= _QUICK
    runs = [] if quick or depth >= _DEEPEST else _anchored(a, b, span, clear=best)
    if runs:
        at, other_at = span.a, span.b
        for run in runs:
            if at < run.a or other_at < run.b:
                yield from _aligned(a, b, BlockSpan(at, run.a, other_at, run.b), depth + 1)
            yield Block(BlockKind.SAME, *run)
            at, other_at = run.a_end, run.b_end
        yield from _aligned(a, b, BlockSpan(at, span.a_end, other_at, span.b_end), depth + 1)
    elif best:
        for code in Indel.opcodes(a[span.a : span.a_end], b[span.b : span.b_end]):
            kind = BlockKind.SAME if code.tag == "equal" else BlockKind.CHANGED
            yield Block(
                kind,
                span.a + code.src_start,
                span.a + code.src_end,
                span.b + code.dest_start,
                span.b + code.dest_end,
            )
    else:
        yield from _piecewise(a, b, span)


def _anchored(a: list[int], b: list[int], span: BlockSpan, *, clear: bool) -> list[BlockSpan]:
    """Runs of units that stand once in each stretch, in an order that both share: as many as possible. With `clear`
    there are none unless all of them stand in the same order and make half of the shorter stretch."""
    own, other = np.array(a[span.a : span.a_end]), np.array(b[span.b : span.b_end])
    most = int(max(own.max(), other.max())) + 1
    once = (np.bincount(own, minlength=most) == 1) & (np.bincount(other, minlength=most) == 1)
    places = np.zeros(most, dtype=np.int64)
    places[other] = np.arange(len(other))
    at = np.flatnonzero(once[own])
    second = places[own[at]]
    if not len(at) or (clear and 2 * len(at) < min(len(own), len(other))):
        return []
    if (np.diff(second) < 0).any():
        if clear:
            return []
        kept = _rising(second.tolist())
        at, second = at[kept], second[kept]
    ends = np.flatnonzero((np.diff(at) != 1) | (np.diff(second) != 1))
    firsts, lasts = [0, *(ends + 1).tolist()], [*ends.tolist(), len(at) - 1]
    return [
        BlockSpan(
            span.a + int(at[first]),
            span.a + int(at[last]) + 1,
            span.b + int(second[first]),
            span.b + int(second[last]) + 1,
        )
        for first, last in zip(firsts, lasts, strict=True)
    ]


def _rising(values: list[int]) -> list[int]:
    """The places of the longest rising sequence in values that are all different, by patience sorting.

    >>> _rising([3, 0, 1, 4, 2])
    [1, 2, 4]
    """
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        pile = bisect_left(ends, value)
        before.append(tops[pile - 1] if pile else -1)
        if pile == len(ends):
            ends.append(value)
            tops.append(index)
        else:
            ends[pile], tops[pile] = value, index
    found = []
    index = tops[-1] if tops else -1
    while index >= 0:
        found.append(index)
        index = before[index]
    return found[::-1]


def _piecewise(a: list[int], b: list[int], span: BlockSpan) -> Iterator[Block]:
    """Pieces at the same share of both stretches beside each other; not the best, but never slow."""
    size, other = span.a_end - span.a, span.b_end - span.b
    count = max(size, other) // _PIECE + 1
    for n in range(count):
        piece = BlockSpan(
            span.a + size * n // count,
            span.a + size * (n + 1) // count,
            span.b + other * n // count,
            span.b + other * (n + 1) // count,
        )
        yield from _aligned(a, b, piece, _DEEPEST)
