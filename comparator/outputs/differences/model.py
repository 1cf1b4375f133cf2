"""What a comparison of two files comes to, in parts that a browser shows one at a time, a side in each pane."""

import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from comparator.domain.counted import counted
from comparator.outputs.preview.document import Preview, Span, as_html, message

Side = Literal["a", "b"]
_STYLE = files("comparator.outputs.differences").joinpath("differences.css").read_text(encoding="utf-8")

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
    """A part of both documents, with the numbers of the first and last change in it: a browser shows one at a time."""

    first: int
    last: int
    body: Both


def percent_of(common: int, total: int, *, differs: bool) -> int:
    """The share in common of units counted on both sides; 100 only where nothing differs."""
    if not differs and common == total:
        return 100
    return min(99, round(100 * common / max(total, 1)))


class FileComparison(NamedTuple):
    """Two files compared. `percent` is what they have in common, of `unit`; `problem` says why there is nothing."""

    changes: int = 0
    percent: int = 0
    unit: str = ""
    notes: tuple[str, ...] = ()
    parts: tuple[ChangedPart, ...] = ()
    problem: str = ""

    @property
    def words(self) -> str:
        """The result in one line: `12 changes, 83% of words in common`."""
        changes = counted(self.changes, "change") if self.changes else "No differences"
        in_common = f", {self.percent}% of {self.unit} in common"
        return changes + (in_common if self.changes or self.percent < 100 else "")

    @property
    def summary(self) -> dict[str, Any]:
        """What the panes are told before they show anything."""
        if self.problem:
            return {"problem": self.problem}
        little = self.percent < LITTLE
        return {"changes": self.changes, "percent": self.percent, "words": self.words, "little": little}

    def page_of(self, change: int) -> int:
        """The part in which a change stands (from 1)."""
        return next((n for n, part in enumerate(self.parts, 1) if part.first <= change <= part.last), 1)

    def side(self, side: Side, *, page: int, other: str) -> Preview:
        """One side of a part (from 1, kept within them); `other` is the id of the other file."""
        if self.problem or not self.parts:
            return Preview(message(self.problem or f"{self.words}."))
        page = min(max(page, 1), len(self.parts))
        part = self.parts[page - 1]
        # No text of an output holds this character: it would have been made visible.
        html = getattr(part.body, side).replace("\x00", other)
        legend = (
            f'<p class="facts" data-skip><b>{as_html(self.words)}</b>. <span class="key"><del>Only in A</del> '
            "<ins>Only in B</ins></span></p>"
        )
        return Preview(
            f'<style>{_STYLE}</style><div class="both {side}">{legend}{html}</div>',
            self.notes,
            page,
            len(self.parts),
            span=Span("change", part.first, part.last, self.changes),
        )


def in_parts(
    rows: Iterable[DrawnRow], *, opening: Both, closing: str, before: int = 0
) -> Iterator[ChangedPart]:
    """The rows in parts, at least one, each between `opening` and `closing`; `before` changes came earlier."""
    left: list[str] = []
    right: list[str] = []
    size, last, first = 0, before, before + 1

    def part() -> ChangedPart:
        sides = (
            f"{start}{''.join(side)}{closing}" for start, side in zip(opening, (left, right), strict=True)
        )
        return ChangedPart(first, last, Both(*sides))

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
    unmarked = re.sub("</?(?:del|ins)>", "", other)
    return f'<span class="room" data-skip aria-hidden="true">{unmarked}</span>'
