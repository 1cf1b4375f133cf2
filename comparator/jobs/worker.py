"""A process that works at batches: it puts what was ordered into the queue, and reads what the queue hands it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable

from comparator.domain.errors import ComparatorError, StoreError
from comparator.jobs.upkeep import check_outputs, make_office_pages
from comparator.jobs.work_queue import QueueUnusable, WorkQueue
from comparator.store.bulk import batch_items, batches, message_batches, office_pages, workers
from comparator.workflow.judging.reader import Reader
from comparator.workflow.judging.registry import GATHER_SECONDS, Membership
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""How soon new work is seen, and what a dead worker or a lost queue left behind."""
STOP_SECONDS = 20.0
"""How long a worker that is to end waits for the answers of what is on the wire."""
UNUSABLE_SECONDS = 10.0
"""How long a worker tries on with a queue that cannot be used."""


class Worker:
    """Works until it is stopped, or until nothing is left to do for `idle_seconds`."""

    def __init__(
        self,
        services: Services,
        *,
        idle_seconds: float | None = None,
        wanted: Callable[[], bool] = lambda: True,
        poll_seconds: float = 60.0,
    ) -> None:
        self._services = services
        self._idle_seconds, self._wanted = idle_seconds, wanted
        self._me = Membership(services, gather=GATHER_SECONDS)
        self.id = self._me.id
        self._reader = Reader(self._me, poll_seconds=poll_seconds)
        # Enough that readings wait while rubrics are written; few enough that memory does not grow with the batch.
        self._at_once = 4 * services.settings.slots + 8
        self._queue = WorkQueue(services, worker=self.id, at_once=self._at_once, read=self._read)
        self._in_hand: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._ended_unnoted: set[str] = set()
        self._ending = asyncio.Event()
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Look at once for pairs that somebody waits for; in the worker's event loop."""
        self._news.set()

    def stop(self) -> None:
        """Send nothing more, keep the answers of what is on the wire, and end."""
        self._ending.set()
        self._news.set()

    async def run(self) -> None:
        """Work. Raises StoreError where the database stays out of reach.

        Where only the queue cannot be used, every batch is paused and says why.
        """
        async with self._me as me:
            beside = [
                asyncio.create_task(work)
                for work in (
                    self._reader.message_batches.run(),
                    make_office_pages(self._services, me.ledger, worker=self.id, on_made=self._news.set),
                    check_outputs(self._services),
                )
            ]
            try:
                await self._work(*beside)
            except QueueUnusable as error:
                problem = str(error)
                # Without the patience of the ledger: where the whole database is away, it is not the queue's fault.
                with contextlib.suppress(StoreError), self._services.write() as unit:
                    batches.stop_all_for(unit.connection, problem=problem)
                raise
            finally:
                for task in beside:
                    task.cancel()
                await asyncio.gather(*beside, return_exceptions=True)
                await self._end()

    async def _work(self, *beside: asyncio.Task[None]) -> None:
        assert self._me.heartbeat is not None
        busy_at = usable_at = time.monotonic()
        while not self._ending.is_set() and self._wanted():
            for task in (self._me.heartbeat, *beside):
                if task.done():
                    task.result()
            self._news.clear()
            waits = True
            try:
                waits = await asyncio.to_thread(self._hand_out)
                # With more workers than places this one waits.
                if self._me.gate.slots:
                    self._queue.launch()
                usable_at = time.monotonic()
            except QueueUnusable as error:
                log.warning("%s", error)
                if time.monotonic() - usable_at >= UNUSABLE_SECONDS:
                    raise
            except StoreError as error:
                # The sign of life tells whether it stays so.
                log.warning("what waits cannot be handed out just now: %s", error)
            now = time.monotonic()
            if waits or self._in_hand:
                busy_at = now
            elif self._idle_seconds is not None and now - busy_at >= self._idle_seconds:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOK_SECONDS)

    def _hand_out(self) -> bool:
        """Put what was ordered and is not answered into the queue, unless it stands there; whether anything is left.

        So nothing is lost by a crash between an order and this, with a lost queue, or with a restored backup.
        """
        self._queue.prepare()
        with self._services.read() as unit:
            number = max(1, len(workers.entered(unit.connection)))
            # More than all workers can take at once.
            pairs = batch_items.waiting(unit, limit=2 * self._at_once * number)
            waits = bool(pairs) or batches.waits(unit.connection) or office_pages.any_open(unit.connection)
        if pairs:
            live = self._queue.live()
            # Looked up after them: whoever had a work item then and is not entered now is gone.
            with self._services.database.read() as connection:
                entered = {each.id for each in workers.entered(connection)}
            gone = [item for item in live if item.worker and item.worker not in entered]
            # What is this worker's own, though it is not at it at two looks: its end could not be noted.
            unnoted = [
                item
                for item in live
                if item.worker == self.id and (item.batch_id, item.comparison_id) not in self._in_hand
            ]
            self._queue.hand_on([*gone, *(item for item in unnoted if item.id in self._ended_unnoted)])
            self._ended_unnoted = {item.id for item in unnoted}
            there = {(item.batch_id, item.comparison_id) for item in live}
            self._queue.offer([pair for pair in pairs if (pair.batch_id, pair.comparison_id) not in there])
        return waits

    async def _read(self, batch_id: str, comparison_id: str) -> None:
        if self._ending.is_set():
            return
        # In a task of its own: cancelling a work item would be the queue's to note.
        task = asyncio.create_task(self._reader.read(batch_id, comparison_id))
        self._in_hand[batch_id, comparison_id] = task
        try:
            await asyncio.wait({task})
            if not task.cancelled():
                task.result()
        finally:
            self._in_hand.pop((batch_id, comparison_id), None)

    async def _end(self) -> None:
        self._ending.set()
        self._me.gate.halt()
        if left := tuple(self._in_hand.values()):
            await asyncio.wait(left, timeout=STOP_SECONDS)
        left = tuple(self._in_hand.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        with contextlib.suppress(ComparatorError):
            await asyncio.to_thread(self._queue.close)
        with contextlib.suppress(ComparatorError):
            await self._me.ledger.write(lambda unit: message_batches.sweep(unit.connection))
        await self._reader.close()
