"""What a comparison of two files comes to, in parts that a browser shows one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

LITTLE = 35
"""Below so many percent in common, differences are not shown unless asked for again."""

OTHER_FILE = "../../../\x00"
"""Where the other side's pictures lie; its id is put in when the document is served."""

_PART = 300_000
"""Characters of HTML on both sides after which a part ends."""


class Both(NamedTuple):
    """Safe HTML for each side."""

    a: str
    b: str


class DrawnRow(NamedTuple):
    """What stands side by side as HTML, and the number of the change in it (0 for none)."""

    change: int
    body: Both


class ChangedPart(NamedTuple):
    """A part of both documents, with the numbers of the first and last change in it."""

    first: int
    last: int
    body: Both


class Shared(NamedTuple):
    """How many units both sides have in common, and how many there are, counted on both sides."""

    common: int
    total: int

    def percent(self, *, differs: bool) -> int:
        """The share in common; 100 only where nothing differs."""
        if not differs and self.common == self.total:
            return 100
        return min(99, round(100 * self.common / max(self.total, 1)))


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


def in_parts(
    rows: Iterable[DrawnRow], *, opening: Both, closing: str, before: int = 0
) -> Iterator[ChangedPart]:
    """The rows in parts, at least one, each between `opening` and `closing`; `before` changes came earlier."""
    left: list[str] = []
    right: list[str] = []
    size, last, first = 0, before, before + 1

    def part() -> ChangedPart:
        body = Both(
            *(f"{start}{''.join(side)}{closing}" for start, side in zip(opening, (left, right), strict=True))
        )
        return ChangedPart(first, last, body)

    for change, (a, b) in rows:
        if left and size + len(a) + len(b) > _PART:
            yield part()
            left, right, size, first = [], [], 0, last + 1
        left.append(a)
        right.append(b)
        size += len(a) + len(b)
        last = change or last
    yield part()


def room(other: str) -> str:
    """What only the other side has, taking its room here: not seen, read out or found."""
    unmarked = other
    for tag in ("<del>", "</del>", "<ins>", "</ins>"):
        unmarked = unmarked.replace(tag, "")
    return f'<span class="room" data-skip aria-hidden="true">{unmarked}</span>'
