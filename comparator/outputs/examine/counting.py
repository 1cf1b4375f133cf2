"""How often something stands in a text, within a limit of time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import pyarrow as pa
import pyarrow.compute as pc

from comparator.domain.errors import ComparatorError
from comparator.outputs.examine.lines import Pattern

PIECE = 16_000
"""Characters that are looked at in one go: between two of them the time is looked at."""


class TooSlow(ComparatorError):
    """Looking for something took longer than allowed."""


def count_in(
    texts: Iterable[str], pattern: Pattern, *, seconds: float, clock: Callable[[], float] = time.thread_time
) -> int:
    """How often it stands in all these texts, line by line. Raises TooSlow.

    The time is the thread's own: what else the machine does is not held against the pattern. A line of more than 16,000
    characters is looked at in pieces: what stands across two of them is not found.
    """
    end = clock() + seconds
    found = 0
    for text in texts:
        for piece in _pieces(text):
            found += int(pc.sum(pattern.counts(pa.array(piece, pa.string()))).as_py() or 0)
            if clock() > end:
                raise TooSlow(f"It took longer than {seconds:g} s on one output.")
    return found


def _pieces(text: str) -> Iterable[list[str]]:
    piece: list[str] = []
    size = 0
    for line in text.split("\n"):
        for start in range(0, max(len(line), 1), PIECE):
            part = line[start : start + PIECE]
            if size and size + len(part) > PIECE:
                yield piece
                piece, size = [], 0
            piece.append(part)
            size += len(part) + 1
    if piece:
        yield piece
