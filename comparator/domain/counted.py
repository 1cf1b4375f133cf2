"""Numbers in words: a count with its noun, as every message and page says it, and names in their order."""

import re
from collections.abc import Sequence


def counted(count: int, thing: str) -> str:
    """A count with its noun.

    >>> counted(1, "file"), counted(1200, "file")
    ('1 file', '1,200 files')
    """
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def listed(names: Sequence[str], *, most: int) -> str:
    """The first of these names, and how many more there are.

    >>> listed(["Ada", "Ben", "Cem"], most=2)
    'Ada, Ben and 1 more'
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def lasting(seconds: float) -> str:
    """About how long.

    >>> lasting(200)
    '3 minutes'
    """
    if seconds < 90:
        return counted(max(1, round(seconds)), "second")
    return counted(round(seconds / 60), "minute") if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def natural(text: str) -> tuple[tuple[int, str], ...]:
    """A key that puts iteration 9 before iteration 10.

    >>> sorted(["iteration-10", "iteration-9"], key=natural)
    ['iteration-9', 'iteration-10']
    """
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", text))
