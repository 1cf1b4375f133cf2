"""What this process has under way with judges: one rubric at a time for a task."""

from __future__ import annotations

import asyncio
import threading
from weakref import WeakValueDictionary


class RubricLocks:
    """Shared by all that judge in one process, from whichever thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rubrics: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    def writing_rubric(self, task_version_id: str) -> asyncio.Lock:
        """Taken by whoever gets a rubric for the task version; kept for as long as somebody has it in hand."""
        # A lock belongs to one event loop.
        key = (id(asyncio.get_running_loop()), task_version_id)
        with self._lock:
            found = self._rubrics.get(key)
            if found is None:
                found = self._rubrics[key] = asyncio.Lock()
            return found
