"""What a process keeps of what it worked out, within a limit of memory."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any, NamedTuple


class _Kept(NamedTuple):
    revision: int
    answer: Any
    size: int


class Answers:
    """One answer for each thing that was asked, those used last. Threads may share it.

    They come to no more than `most` bytes; the one that was kept last stays, however large it is.
    """

    def __init__(self, *, most: int = 500_000_000) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, what: Hashable, revision: int = 0) -> Any | None:
        """The answer at this revision, or None."""
        with self._lock:
            kept = self._kept.get(what)
            if kept is None or kept.revision != revision:
                return None
            self._kept.move_to_end(what)
            return kept.answer

    def keep(self, what: Hashable, answer: Any, revision: int = 0, *, size: int) -> None:
        """Keep an answer of so many bytes in place of the one before; what was used longest ago makes room for it."""
        with self._lock:
            if what in self._kept:
                self._bytes -= self._kept.pop(what).size
            self._kept[what] = _Kept(revision, answer, size)
            self._bytes += size
            while len(self._kept) > 1 and self._bytes > self._most:
                self._bytes -= self._kept.popitem(last=False)[1].size
