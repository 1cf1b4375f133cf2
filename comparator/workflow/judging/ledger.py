"""Writes to the database in a thread of its own: many small writes in one commit, again where it is out of reach."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from comparator.domain.errors import ComparatorError, NotFound, StoreError
from comparator.store.bulk import batches
from comparator.store.core.unit import Unit
from comparator.store.facts import fact
from comparator.workflow.services import Services

log = logging.getLogger(__name__)
T = TypeVar("T")

MOST_AT_ONCE = 64
GATHER_SECONDS = 0.02
"""How long a commit waits for further writes where many pairs are read at once."""
PAUSES = (0.05, 0.2, 0.5, 1.0, 2.0, *([5.0] * 60))
"""Seconds between tries while the database is out of reach or busy: about five minutes."""


@dataclass(frozen=True)
class _Entry:
    write: Callable[[Unit], Any]
    comparisons: Collection[str]
    batches: Collection[str]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]

    def tell(self, result: Any) -> None:
        self._later(lambda: self.done.set_result(result))

    def fail(self, error: Exception) -> None:
        self._later(lambda: self.done.set_exception(error))

    def _later(self, call: Callable[[], None]) -> None:
        def unless_given_up() -> None:
            if not self.done.done():
                call()

        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(unless_given_up)


class Ledger:
    """Writes what workers have to store. A write that was awaited is committed.

    Each commit waits `gather` seconds for further writes.
    """

    def __init__(self, services: Services, *, gather: float = 0.0) -> None:
        self._services, self._gather = services, gather
        self._entries: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="ledger", daemon=True)
        self._thread.start()

    async def write(
        self,
        write: Callable[[Unit], T],
        *,
        comparisons: Collection[str] = (),
        batches: Collection[str] = (),
    ) -> T:
        """Do this in a transaction, then derive the facts of `comparisons` anew and close finished `batches`.

        Returns what `write` returned once it is committed. `write` may run more than once, if a commit failed. Raises
        what it raised, or StoreError where the database stays out of reach.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._entries.put(_Entry(write, comparisons, batches, loop, done))
        return await done

    def close(self) -> None:
        """Write what is left, and end the thread."""
        self._entries.put(None)
        self._thread.join()

    def _work(self) -> None:
        open_ = True
        while open_:
            first = self._entries.get()
            if first is None:
                return
            entries = [first]
            time.sleep(self._gather)
            while len(entries) < MOST_AT_ONCE:
                try:
                    entry = self._entries.get_nowait()
                except queue.Empty:
                    break
                if entry is None:
                    open_ = False
                    break
                entries.append(entry)
            self._carry_out(entries)

    def _carry_out(self, entries: Sequence[_Entry]) -> None:
        if len(entries) > 1:
            try:
                results = self._commit(entries)
            except Exception as error:  # noqa: BLE001  which of them it was shows when each is tried alone
                log.info("written one by one: %s", error)
                for entry in entries:
                    self._carry_out([entry])
                return
            for entry, result in zip(entries, results, strict=True):
                entry.tell(result)
            return
        (entry,) = entries
        for pause in (*PAUSES, None):
            try:
                (result,) = self._commit(entries)
            except StoreError as error:
                if pause is None or isinstance(error, NotFound):
                    entry.fail(error)
                    return
                log.warning("the database does not take it just now: %s", error)
                time.sleep(pause)
            except ComparatorError as error:
                entry.fail(error)
                return
            except Exception as error:
                log.exception("a write failed")
                entry.fail(error)
                return
            else:
                entry.tell(result)
                return

    def _commit(self, entries: Sequence[_Entry]) -> list[Any]:
        with self._services.write() as unit:
            results = [entry.write(unit) for entry in entries]
            for comparison_id in sorted({id for entry in entries for id in entry.comparisons}):
                fact.refresh(unit, comparison_id)
            batches.close_finished(unit, [id for entry in entries for id in entry.batches])
        return results
