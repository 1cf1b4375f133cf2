"""Garbage collection in a process that only works at batches."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """What is loaded by now is not looked through by garbage collections.

    A full one would stop all requests for a tenth of a second, again and again.
    """
    # No collection first: imports leave little garbage, and somebody may be waiting for the first pair.
    gc.freeze()
    gc.set_threshold(5_000, 10, 10)
