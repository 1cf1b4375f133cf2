"""A count with its noun, as every message and page says it."""


def counted(count: int, thing: str) -> str:
    """A count with its noun.

    >>> counted(1, "file"), counted(1200, "file")
    ('1 file', '1,200 files')
    """
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def lasting(seconds: float) -> str:
    """About how long.

    >>> lasting(200)
    '3 minutes'
    """
    if seconds < 90:
        return counted(max(1, round(seconds)), "second")
    return counted(round(seconds / 60), "minute") if seconds < 5400 else f"{seconds / 3600:.1f} hours"
