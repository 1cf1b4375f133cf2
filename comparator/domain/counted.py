"""A count with its noun, as every message and page says it."""

from __future__ import annotations


def counted(count: int, thing: str) -> str:
    """A count with its noun.

    >>> counted(1, "file"), counted(1200, "file")
    ('1 file', '1,200 files')
    """
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
