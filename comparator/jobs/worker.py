"""A process that works at batches: it takes what was ordered and is not answered, the most urgent first."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from functools import partial

from comparator.domain.errors import ComparatorError, StoreError
from comparator.store.bulk import batch_items, batches, message_batches, office_pages
from comparator.store.bulk.batch_items import WaitingPair
from comparator.store.pairs import checks
from comparator.workflow.judging.pair_reader import PairReader
from comparator.workflow.judging.registry import GATHER_SECONDS, Ledger, Membership
from comparator.workflow.pictures import make_next
from comparator.workflow.projects.settings import check_some
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""How soon new work is seen, and what a dead worker left behind."""
IDLE_SECONDS = 0.5
"""Between looks at Office pages that nobody has begun; the checks rest twenty times as long."""
STOP_SECONDS = 20.0
"""How long a worker that is to end waits for the answers of what is on the wire."""


class Worker:
    """Works until it is stopped, or until nothing is left to do for `idle_seconds`."""

    def __init__(
        self,
        services: Services,
        *,
        idle_seconds: float | None = None,
        poll_seconds: float = message_batches.POLL_SECONDS,
    ) -> None:
        self._services = services
        self._idle_seconds = idle_seconds
        self._me = Membership(services, gather=GATHER_SECONDS)
        self.id = self._me.id
        self._reader = PairReader(self._me, poll_seconds=poll_seconds)
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
        while not self._ending.is_set():
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
            waits = bool(pairs) or batches.waits(unit) or office_pages.any_open(unit)
        return pairs, waits

    def _take(self, pairs: tuple[WaitingPair, ...]) -> None:
        """Begin with as many as there is room for, and with each that somebody waits for."""
        room = self._at_once - len(self._in_hand)
        for pair in pairs:
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
            await self._me.ledger.write(message_batches.sweep)
        await self._reader.close()


REST = 10
"""After it found nothing, a look rests at least this many times as long as it took: a search of many outputs takes a
while."""


async def make_office_pages(
    services: Services, ledger: Ledger, *, worker: str, on_made: Callable[[], None]
) -> None:
    """Make the pages of one pair after the other until cancelled; what was begun then waits for others."""
    make = partial(make_next, services, worker=worker)
    try:
        await _repeat("pages cannot be made", make, rest=IDLE_SECONDS, on_done=on_made)
    finally:
        await ledger.write(lambda unit: office_pages.give_back(unit, worker=worker))


async def check_outputs(services: Services) -> None:
    """Apply the projects' checks to outputs that came after them, some at a time, until cancelled."""

    def check() -> bool:
        with services.database.read() as connection:
            projects = checks.projects(connection)
        return any(check_some(services, project) for project in projects)

    await _repeat("outputs cannot be checked", check, rest=20 * IDLE_SECONDS)


async def _repeat(
    trouble: str, work: Callable[[], bool], *, rest: float, on_done: Callable[[], None] = lambda: None
) -> None:
    """Do a part after the other, and rest while there is nothing to do."""
    while True:
        begun, done = time.monotonic(), False
        try:
            done = await asyncio.to_thread(work)
        except ComparatorError as error:
            log.warning("%s just now: %s", trouble, error)
        if done:
            on_done()
        else:
            await asyncio.sleep(max(rest, REST * (time.monotonic() - begun)))
