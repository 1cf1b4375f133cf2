"""Shares of a judge's budget: how much of each file is given, and how a cut is marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

_SMALLEST_SHARE = 400
_HEAD_SHARE = 0.7


class Cut(NamedTuple):
    """A text as it is given, and how many characters are missing from it."""

    text: str
    omitted: int


def caps(lengths: Mapping[str, int], *, total: int, order: Sequence[str]) -> dict[str, int]:
    """How many characters each file may have so that all fit into `total`.

    Short files are given whole and long ones share what is left; where that would leave only scraps, files are given in
    `order` until nothing is left.
    """
    if sum(lengths.values()) <= total:
        return dict(lengths)
    level = _level(sorted(lengths.values()), total)
    if level >= _SMALLEST_SHARE:
        return {name: min(length, level) for name, length in lengths.items()}
    given: dict[str, int] = {}
    for name in order:
        given[name] = min(lengths[name], _SMALLEST_SHARE, total)
        total -= given[name]
    return given


def cut(text: str, limit: int) -> Cut:
    """The beginning and the end of a text that is longer than `limit`, with a mark for what is left out.

    >>> cut("abcdefghij", 5).text
    'abc\\n[… 5 characters left out here …]\\nij'
    """
    if len(text) <= limit:
        return Cut(text, 0)
    omitted = len(text) - limit
    head = int(limit * _HEAD_SHARE)
    tail = limit - head
    mark = f"\n[… {omitted:,} characters left out here …]\n"
    return Cut(text[:head] + mark + (text[-tail:] if tail else ""), omitted)


def _level(lengths: Sequence[int], total: int) -> int:
    left = total
    for index, length in enumerate(lengths):
        share = left // (len(lengths) - index)
        if length > share:
            return share
        left -= length
    return lengths[-1] if lengths else total
