"""What a process keeps of what it read of each project, at one revision of it."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any, NamedTuple

MOST_BYTES = 500_000_000
"""All that is kept for a database; the answer that was kept last stays, however large it is."""


class _Kept(NamedTuple):
    revision: int
    answer: Any
    size: int


class Answers:
    """One answer a project, those used last. Threads may share it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, project_id: str, revision: int) -> Any | None:
        """The project's answer at this revision, or None."""
        with self._lock:
            kept = self._kept.get(project_id)
            if kept is None or kept.revision != revision:
                return None
            self._kept.move_to_end(project_id)
            return kept.answer

    def keep(self, project_id: str, revision: int, answer: Any, *, size: int) -> None:
        """Keep an answer of so many bytes in place of the project's; those used longest ago go if all are too large."""
        with self._lock:
            self._kept[project_id] = _Kept(revision, answer, size)
            self._kept.move_to_end(project_id)
            while len(self._kept) > 1 and sum(each.size for each in self._kept.values()) > MOST_BYTES:
                self._kept.popitem(last=False)
