"""A process that works at batches: it takes what was ordered and is not answered, the most urgent first."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from functools import partial

from comparator.domain.errors import ComparatorError, StoreError
from comparator.jobs.upkeep import check_outputs, make_office_pages
from comparator.store.bulk import batch_items, batches, message_batches, office_pages
from comparator.store.bulk.batch_items import WaitingPair
from comparator.workflow.judging.reader import Reader
from comparator.workflow.judging.registry import GATHER_SECONDS, Membership
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""How soon new work is seen, and what a dead worker left behind."""
STOP_SECONDS = 20.0
"""How long a worker that is to end waits for the answers of what is on the wire."""


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
        self._in_hand: dict[WaitingPair, asyncio.Task[None]] = {}
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
        """Work. Raises StoreError where the database stays out of reach."""
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
            finally:
                for task in beside:
                    task.cancel()
                await asyncio.gather(*beside, return_exceptions=True)
                await self._end()

    async def _work(self, *beside: asyncio.Task[None]) -> None:
        assert self._me.heartbeat is not None
        busy_at = time.monotonic()
        while not self._ending.is_set() and self._wanted():
            for task in (self._me.heartbeat, *beside):
                if task.done():
                    task.result()
            self._news.clear()
            waits = True
            try:
                pairs, waits = await asyncio.to_thread(self._waiting)
                self._take(pairs)
            except StoreError as error:
                # The sign of life tells whether it stays so.
                log.warning("what waits cannot be looked up just now: %s", error)
            now = time.monotonic()
            if waits or self._in_hand:
                busy_at = now
            elif self._idle_seconds is not None and now - busy_at >= self._idle_seconds:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOK_SECONDS)

    def _waiting(self) -> tuple[tuple[WaitingPair, ...], bool]:
        """Pairs that can be begun, as many as this worker can take, and whether anything at all is left to do."""
        with self._services.read() as unit:
            pairs = batch_items.waiting(unit, limit=2 * self._at_once)
            waits = bool(pairs) or batches.waits(unit.connection) or office_pages.any_open(unit.connection)
        return pairs, waits

    def _take(self, pairs: tuple[WaitingPair, ...]) -> None:
        """Begin with as many as there is room for, and with each that somebody waits for."""
        room = self._at_once - len(self._in_hand)
        # With more workers than places on the wire the last ones wait.
        for pair in pairs if self._me.gate.slots else ():
            if pair not in self._in_hand and room > (-self._at_once if pair.single else 0):
                room -= 1
                reading = asyncio.create_task(self._reader.read(pair.batch_id, pair.comparison_id))
                self._in_hand[pair] = reading
                reading.add_done_callback(partial(self._ended, pair))

    def _ended(self, pair: WaitingPair, task: asyncio.Task[None]) -> None:
        del self._in_hand[pair]
        if not task.cancelled() and (error := task.exception()) is not None:
            # Where the database is out of reach, the signs of life end this worker, and others go on with the pair.
            log.error("reading %s ended: %s", pair.comparison_id, error, exc_info=error)
        if 2 * len(self._in_hand) <= self._at_once:
            self._news.set()

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
            await self._me.ledger.write(lambda unit: message_batches.sweep(unit.connection))
        await self._reader.close()
