"""What a comparison of two files comes to, and the rows that carry their numbers of changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from comparator.outputs.differences.blocks import Block, BlockKind

LITTLE = 35
"""Below so many percent in common, differences are not shown unless asked for again."""


_AROUND = 3
_MOST_PARTS = 250
"""Of a large file so many parts are shown, some 30 MB of text or 100,000 rows."""


class Both(NamedTuple):
    """Safe HTML for each side."""

    a: str
    b: str


class ChangedPart(NamedTuple):
    """A part of both documents, with the numbers of the first and last change in it."""

    first: int
    last: int
    body: Both


class FileComparison(NamedTuple):
    """Two files compared. `percent` is what they have in common, of `unit`."""

    changes: int
    percent: int
    unit: str
    notes: tuple[str, ...]
    parts: tuple[ChangedPart, ...]

    @property
    def words(self) -> str:
        """The result in one line: `12 changes, 83% of words in common`."""
        if not self.changes:
            return "No differences" + (
                "" if self.percent == 100 else f", {self.percent}% of {self.unit} in common"
            )
        changes = f"{self.changes:,} change{'' if self.changes == 1 else 's'}"
        return f"{changes}, {self.percent}% of {self.unit} in common"


class AlignedRow(NamedTuple):
    """What stands side by side, and the number of the change that begins here (0 for none)."""

    block: Block
    change: int


def numbered(blocks: Iterable[Block]) -> Iterator[AlignedRow]:
    """Each block with its number; lines added right behind removed ones belong to the same change."""
    count, before = 0, BlockKind.SAME
    for block in blocks:
        if block.kind is BlockKind.SAME or (before is BlockKind.REMOVED and block.kind is BlockKind.ADDED):
            yield AlignedRow(block, 0)
        else:
            count += 1
            yield AlignedRow(block, count)
        before = block.kind


def each_numbered(blocks: Iterable[Block]) -> Iterator[AlignedRow]:
    """Each block that is no sameness as a change of its own."""
    count = 0
    for block in blocks:
        same = block.kind is BlockKind.SAME
        count += not same
        yield AlignedRow(block, 0 if same else count)


def cut(blocks: Iterable[Block], most: int) -> Iterator[Block]:
    """The blocks with long stretches that are the same cut into pieces of `most` units."""
    for block in blocks:
        if block.kind is not BlockKind.SAME:
            yield block
            continue
        for n in range(block.a, block.a_end, most):
            end = min(n + most, block.a_end)
            yield Block(BlockKind.SAME, n, end, block.b + n - block.a, block.b + end - block.a)


def folded(rows: Iterable[AlignedRow]) -> Iterator[AlignedRow]:
    """The rows with all that is the same folded, but for a little before and behind each change."""
    kept: AlignedRow | None = None
    first = True
    for row in rows:
        if kept is not None:
            yield from _folded(kept, before=first, behind=False)
            first = False
        kept = row
    if kept is not None:
        yield from _folded(kept, before=first, behind=True)


def _folded(row: AlignedRow, *, before: bool, behind: bool) -> Iterator[AlignedRow]:
    (kind, a, a_end, b, b_end), _ = row
    start, end = (0 if before else _AROUND), (0 if behind else _AROUND)
    if kind is not BlockKind.SAME or a_end - a <= start + end + 1:
        yield row
        return
    if start:
        yield AlignedRow(Block(kind, a, a + start, b, b + start), 0)
    yield AlignedRow(Block(BlockKind.FOLDED, a + start, a_end - end, b + start, b_end - end), 0)
    if end:
        yield AlignedRow(Block(kind, a_end - end, a_end, b_end - end, b_end), 0)


def bounded(
    parts: Iterable[list[AlignedRow]], changes: int
) -> tuple[list[list[AlignedRow]], tuple[str, ...]]:
    """The parts of a large file that are shown, and a sentence where that is not all of its changes."""
    kept = list(islice(parts, _MOST_PARTS))
    last = max((row.change for part in kept for row in part), default=0)
    if last >= changes:
        return kept, ()
    return kept, (f"Only the first {last:,} of {changes:,} changes are shown.",)


def paged(rows: Iterable[AlignedRow], weights: Iterable[int], most: int) -> Iterator[list[AlignedRow]]:
    """Rows in parts of about `most` in weight."""
    part: list[AlignedRow] = []
    size = 0
    for row, weight in zip(rows, weights, strict=True):
        if part and size + weight > most and not (row.block.kind is BlockKind.ADDED and not row.change):
            yield part
            part, size = [], 0
        part.append(row)
        size += weight
    if part:
        yield part


def framed(
    parts: Sequence[Sequence[AlignedRow]], bodies: Iterable[Both], *, before: int = 0
) -> tuple[ChangedPart, ...]:
    """Parts with the numbers of their changes; `before` is how many there were already."""
    out = []
    last = before
    for part, body in zip(parts, bodies, strict=True):
        numbers = [row.change for row in part if row.change]
        out.append(ChangedPart(numbers[0] if numbers else last + 1, numbers[-1] if numbers else last, body))
        last = numbers[-1] if numbers else last
    return tuple(out)
