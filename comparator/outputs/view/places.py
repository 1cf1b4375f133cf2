"""The original words of a redacted text, kept by place, and put back from there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_PIECE = re.compile(r"\w+|\s+|.", re.DOTALL)
_MOST_PIECES = 1_500
"""Lines of more pieces are not taken apart: one place holds all between the first and the last difference."""


class OriginalWords(NamedTuple):
    """From `start` to `end` of the redacted text, `words` stood originally."""

    start: int
    end: int
    words: str


def places_between(original: str, redacted: str) -> tuple[OriginalWords, ...]:
    """Where the redacted text differs, in order, and what stood there; `restored` gives the original again.

    >>> places_between("by nova for us", "by reed for us")
    (OriginalWords(start=3, end=7, words='nova'),)
    """
    if original == redacted:
        return ()
    before, after = original.split("\n"), redacted.split("\n")
    if len(before) != len(after):
        before, after = [original], [redacted]
    found: list[OriginalWords] = []
    at = 0
    for line, new in zip(before, after, strict=True):
        if line != new:
            found.extend(
                OriginalWords(at + start, at + end, words) for start, end, words in _in_line(line, new)
            )
        at += len(new) + 1
    return tuple(found)


def restored(text: str, places: Sequence[OriginalWords]) -> str:
    """The text with the original words in their places."""
    pieces: list[str] = []
    done = 0
    for start, end, words in places:
        pieces += (text[done:start], words)
        done = end
    return "".join((*pieces, text[done:]))


def after_cut(places: Sequence[OriginalWords], *, whole: str, given: str) -> tuple[OriginalWords, ...]:
    """The places in a text of which the middle was left out, where they are in what is left."""
    if whole == given or not places:
        return tuple(places)
    head = _alike(whole, given)
    tail = _alike(whole[head:][::-1], given[head:][::-1])
    moved = len(given) - len(whole)
    return tuple(
        place if place.end <= head else OriginalWords(place.start + moved, place.end + moved, place.words)
        for place in places
        if place.end <= head or place.start >= len(whole) - tail
    )


def _in_line(line: str, new: str) -> Iterator[tuple[int, int, str]]:
    head = _alike(line, new)
    # Back to where a word begins: "bundle" and "beacon" share a letter, and so may a name and its noun.
    while head and line[head - 1].isalnum():
        head -= 1
    tail = _alike(line[head:][::-1], new[head:][::-1])
    while tail and line[len(line) - tail].isalnum():
        tail -= 1
    old, middle = line[head : len(line) - tail], new[head : len(new) - tail]
    a, b = _PIECE.findall(old), _PIECE.findall(middle)
    if max(len(a), len(b)) > _MOST_PIECES:
        yield head, len(new) - tail, old
        return
    ends = [head]
    for piece in b:
        ends.append(ends[-1] + len(piece))
    for kind, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind != "equal":
            yield ends[k], ends[m], "".join(a[i:j])


def _alike(one: str, two: str) -> int:
    most = min(len(one), len(two))
    if one[:most] == two[:most]:
        return most
    low, high = 0, most
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if one[:middle] == two[:middle] else (low, middle)
    return low
