"""What a process keeps of what it read: the answers used last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any

MOST = 8
"""Answers kept for each database. The sums of 20,000 pairs take a few megabytes."""


class Answers:
    """At most MOST answers. Threads may share it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Any | None:
        """The answer to this, or None."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Hashable, answer: Any) -> None:
        """Keep an answer. If there are too many, drop the one used longest ago."""
        with self._lock:
            self._kept[key] = answer
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)
