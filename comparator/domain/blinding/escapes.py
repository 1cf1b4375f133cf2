"""Texts with backslash escapes, as they read once the escapes are resolved."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([abfnrtv0\"'/\\]))")
_BLANKS = frozenset("abfnrtv0")


class Resolved(NamedTuple):
    """The text as it reads, and where in it each escape begins and how far the places have moved by then."""

    text: str
    begins: list[int]
    moved: list[int]

    def place(self, at: int) -> int:
        """Where a place of the resolved text is in the original."""
        index = bisect_right(self.begins, at) - 1
        return at if index < 0 else at + self.moved[index]


def resolved(text: str) -> Resolved:
    r"""The text with each escape as the one character that it stands for; blanks as a space.

    >>> resolved(r"a\nb").text, resolved(r"a\nb").place(2)
    ('a b', 3)
    """
    pieces: list[str] = []
    begins: list[int] = []
    moved: list[int] = []
    done = length = 0
    for match in _ESCAPE.finditer(text):
        pieces.append(text[done : match.start()])
        length += match.start() - done
        character = chr(int(match[1], 16)) if match[1] else " " if match[2] in _BLANKS else match[2]
        pieces.append(character)
        length += 1
        done = match.end()
        begins.append(length)
        moved.append(done - length)
    return Resolved("".join((*pieces, text[done:])), begins, moved)
