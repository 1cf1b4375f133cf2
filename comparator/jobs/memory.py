"""The memory of a process that only works at batches, for hours."""

from __future__ import annotations

import ctypes
import gc

ARENA_MAX = -8
"""M_ARENA_MAX of the GNU C library's malloc.h."""
ARENAS = 2


def for_long_work() -> None:
    """Have garbage collected seldom, and memory used again where it was freed.

    What is loaded by now is not looked through by garbage collections. A full one would stop all requests for a tenth
    of a second, again and again. The GNU C library has an arena for each of many threads, and what is freed in one
    serves no other: over 3,000 pairs the process would take 50 MB more.
    """
    # No collection first: imports leave little garbage, and somebody may be waiting for the first pair.
    gc.freeze()
    gc.set_threshold(5_000, 10, 10)
    try:
        ctypes.CDLL(None).mallopt(ARENA_MAX, ARENAS)
    except (AttributeError, OSError, TypeError):
        # Another C library, which has no such thing.
        return
