"""What this process has under way with judges: one rubric at a time for a task, and money that is as good as spent."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from decimal import Decimal
from weakref import WeakValueDictionary


class Promise:
    """Money that one run of a judge will spend about; it counts as spent until it is given back."""

    def __init__(self, amount: Decimal) -> None:
        self.amount = amount


class UnderWay:
    """Shared by all that judge in one process, from whichever thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rubrics: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()
        self._promises: set[Promise] = set()

    def writing_rubric(self, task_version_id: str) -> asyncio.Lock:
        """Held by whoever gets a rubric for the task version; kept for as long as somebody has it in hand."""
        # A lock belongs to one event loop.
        key = (id(asyncio.get_running_loop()), task_version_id)
        with self._lock:
            found = self._rubrics.get(key)
            if found is None:
                found = self._rubrics[key] = asyncio.Lock()
            return found

    def promise(self, amount: Decimal, *, ceiling: Decimal, spent: Callable[[], Decimal]) -> Promise | None:
        """Set the amount aside; None where what is spent and what others have set aside reach the ceiling already."""
        with self._lock:
            if spent() + sum((each.amount for each in self._promises), Decimal(0)) >= ceiling:
                return None
            made = Promise(amount)
            self._promises.add(made)
            return made

    def give_back(self, promise: Promise) -> None:
        """What was set aside is spent, or will not be."""
        with self._lock:
            self._promises.discard(promise)
