"""The memory of a process that only works at batches, for hours."""

from __future__ import annotations

import ctypes
import gc

ARENA_MAX = -8
"""M_ARENA_MAX of the GNU C library's malloc.h."""
ARENAS = 2


def for_long_work() -> None:
    """Collect garbage seldom, and reuse freed memory.

    Garbage collections skip what is loaded by now. A full one would stop all requests for a tenth of a second, again
    and again. The GNU C library gives each of many threads an arena of its own, and memory freed in one arena serves
    no other thread. Over 3,000 pairs that would take 50 MB more.
    """
    # No collection first: imports leave little garbage, and somebody may be waiting for the first pair.
    gc.freeze()
    gc.set_threshold(5_000, 10, 10)
    try:
        ctypes.CDLL(None).mallopt(ARENA_MAX, ARENAS)
    except (AttributeError, OSError, TypeError):
        # Another C library.
        return
