"""Rich Text without the groups that tell who wrote it, with which program, and when."""

from __future__ import annotations

import re

_TELLS = re.compile(
    rb"\{\s*(?:\\\*\s*)?\\(?:info|generator|company|manager|author|operator|userprops|docvar|revtbl|atnauthor|atnid|"
    rb"xmlnstbl|rsidtbl|datastore|themedata|template)\b"
)
_BRACE = re.compile(rb"\\.|[{}]", re.DOTALL)
BEGINS = b"{\\rtf"


def without_authors(data: bytes) -> bytes:
    r"""The same text without these groups; an unclosed one reaches to the end.

    >>> without_authors(rb"{\rtf1{\info{\author Anna \{x\}}}words}")
    b'{\\rtf1words}'
    """
    out: list[bytes] = []
    at = 0
    while found := _TELLS.search(data, at):
        out.append(data[at : found.start()])
        at = _end(data, found.start())
    return b"".join([*out, data[at:]])


def _end(data: bytes, begin: int) -> int:
    """Behind the brace that closes the group."""
    depth = 0
    for found in _BRACE.finditer(data, begin):
        depth += {b"{": 1, b"}": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return len(data)
