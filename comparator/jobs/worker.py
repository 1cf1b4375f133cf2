"""A process that works at batches: takes comparisons and has them read with all places busy."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection

from comparator.domain.errors import ComparatorError, StoreError
from comparator.jobs import dispatch
from comparator.jobs.batches.message_batches import MessageBatchQueue
from comparator.jobs.dispatch import Dispatcher
from comparator.jobs.gate import new_gate
from comparator.jobs.leased_pairs import LeasedPairs
from comparator.jobs.upkeep.check_outputs import check_outputs
from comparator.jobs.upkeep.count_changed import count_changed
from comparator.jobs.upkeep.make_office_pages import make_office_pages
from comparator.jobs.upkeep.measure_outputs import measure_outputs
from comparator.jobs.work_queue import QueueUnusable, WorkQueue
from comparator.store.bulk import batch_items, batches, leases, message_batches
from comparator.store.bulk.batch_items import STRETCH, LeasedItem, Stretch
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.unit import Unit
from comparator.store.judging import rubrics
from comparator.workflow.judging import registry
from comparator.workflow.judging.ledger import GATHER_SECONDS, Ledger
from comparator.workflow.judging.registry import Membership
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""How soon new work is seen."""
FEW = STRETCH // 4
"""What may be left of a stretch when its work item ends."""
HEAD_START = 1.0
"""Seconds in which a new worker works on its first pair alone."""
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
        self.id = registry.new_worker_id(services)
        self._ledger = Ledger(services, gather=GATHER_SECONDS)
        self._gate = new_gate()
        self._message_batches = MessageBatchQueue(
            services, self._ledger, worker=self.id, poll_seconds=poll_seconds
        )
        self._pairs = LeasedPairs(
            services, self._ledger, worker=self.id, gate=self._gate, message_batches=self._message_batches
        )
        # Enough that readings wait while rubrics are written; few enough that memory does not grow with the batch.
        self._window = max(4 * services.settings.slots + 8, 2 * STRETCH)
        at_once = -(-self._window // STRETCH)
        self._queue = WorkQueue(services, worker=self.id, at_once=at_once, take=self._read_stretch)
        self._dispatcher = Dispatcher(services, self._queue, worker=self.id, at_once=at_once)
        self._trouble: Exception | None = None
        self._taking = asyncio.Lock()
        self._in_hand: dict[asyncio.Task[None], Stretch] = {}
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
        membership = Membership(
            self._services,
            self._ledger,
            worker=self.id,
            on_share=self._gate.set_share,
            leased=self._pairs.leased,
            on_lost=self._pairs.lose,
            look=self._pairs.halt_paused,
        )
        try:
            async with membership:
                await self._work_among_others(membership)
        finally:
            await asyncio.to_thread(self._ledger.close)

    async def _work_among_others(self, membership: Membership) -> None:
        assert membership.task is not None
        tasks: list[asyncio.Task[None]] = []
        try:
            # Somebody is waiting for these. Getting the rest ready takes a second of processor time.
            await self._take_singles()
            await self._first_sent()
            served = [
                asyncio.create_task(self._message_batches.run()),
                asyncio.create_task(
                    make_office_pages(self._services, self._ledger, worker=self.id, on_made=self._news.set)
                ),
            ]
            counting = (
                measure_outputs(self._services, self._ledger),
                check_outputs(self._services),
                count_changed(self._services),
            )
            tasks += (*served, *map(asyncio.create_task, counting))
            if await self._dispatcher.prepare(self._ending):
                self._queue.launch()
                await self._work(membership.task, *served)
        except QueueUnusable as error:
            await asyncio.to_thread(self._pause_all, str(error))
            raise
        finally:
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._end()

    async def _first_sent(self) -> None:
        """Until a first request is on the wire or one of the pairs has ended; for `HEAD_START` at most."""
        if self._pairs.tasks:
            sent = asyncio.create_task(self._gate.begun.wait())
            await asyncio.wait(
                {sent, *self._pairs.tasks}, timeout=HEAD_START, return_when=asyncio.FIRST_COMPLETED
            )
            sent.cancel()

    def _pause_all(self, problem: str) -> None:
        # Without the patience of the ledger: where the whole database is away, it is not the queue's fault.
        with contextlib.suppress(StoreError), self._services.write() as unit:
            batches.stop_all_for(unit.connection, problem=problem)

    async def _work(self, *tasks: asyncio.Task[None]) -> None:
        busy_at = time.monotonic()
        while not self._ending.is_set() and self._wanted():
            for task in tasks:
                if task.done():
                    task.result()
            if self._trouble is not None:
                raise self._trouble
            self._news.clear()
            await self._take_singles()
            waits = await asyncio.to_thread(self._dispatcher.look, frozenset(self._in_hand.values()))
            now = time.monotonic()
            if waits or self._in_hand or self._pairs.tasks:
                busy_at = now
            elif self._idle_seconds is not None and now - busy_at >= self._idle_seconds:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOK_SECONDS)

    async def _take_singles(self) -> None:
        """Begin with pairs that somebody waits for, without the way through the queue."""

        def look() -> tuple[Stretch, ...]:
            with self._services.read() as unit:
                return batch_items.waiting(
                    unit,
                    limit=STRETCH,
                    pause=dispatch.TRY_AGAIN_AFTER,
                    busy_versions=self._dispatcher.elsewhere(unit.connection),
                    single=True,
                )

        try:
            for stretch in await asyncio.to_thread(look):
                async with self._taking:
                    await self._take(stretch)
        except StoreError as error:
            # The queue hands them out a little later.
            log.warning("pairs that somebody waits for could not be looked up: %s", error)

    async def _read_stretch(self, stretch: Stretch) -> None:
        """Read what waits in a stretch, until each of its comparisons has ended or was given back.

        Where there is room for another stretch, the last few need no work item any more: slow answers hold nobody up.
        """
        if not self._gate.slots:
            # With more workers than places this one waits; another may have the work item.
            await asyncio.sleep(LOOK_SECONDS)
        if self._ending.is_set() or not self._gate.slots:
            return
        this = asyncio.current_task()
        assert this is not None
        self._in_hand[this] = stretch
        try:
            # One after the other: what one of them opens, such as a judge's connections, serves all.
            async with self._taking:
                begun = await self._take(stretch)
            while begun and (len(begun) > FEW or len(self._pairs.tasks) + STRETCH > self._window):
                _, begun = await asyncio.wait(
                    begun, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
        except Exception as error:
            self._trouble = error
            raise
        finally:
            self._in_hand.pop(this, None)
            self._news.set()

    async def _take(self, stretch: Stretch) -> set[asyncio.Task[None]]:
        """Lease and begin what waits in a stretch."""

        def write(unit: Unit) -> tuple[tuple[LeasedItem, ...], frozenset[str]]:
            items = batch_items.lease(
                unit,
                stretch,
                worker=self.id,
                pause=dispatch.TRY_AGAIN_AFTER,
                busy_versions=self._dispatcher.elsewhere(unit.connection),
            )
            if not items:
                return (), frozenset()
            versions = rubrics.unwritten(unit.connection, [item.comparison_id for item in items])
            return items, self._take_rubrics(unit, versions)

        items, mine = await self._ledger.write(write)
        if not items:
            return set()
        loaded, refused = await asyncio.to_thread(self._pairs.load, items)
        # Those that go by no rubric that is there, such as an offline check's.
        more = {one.comparison.task_version_id for one in loaded if one.rubric is None} - mine
        if more:
            # Another worker may have written one between the look and the lease.
            self._pairs.rubrics_here |= more
            mine |= await self._ledger.write(lambda unit: self._take_rubrics(unit, more))
        for item, error in refused:
            await self._pairs.refuse(item, error)
        begun = set()
        for one in loaded:
            if one.rubric is None and one.comparison.task_version_id not in mine:
                # Another worker is writing the rubric of this task at this moment.
                await self._pairs.give_back(one.item)
                continue
            begun.add(self._pairs.begin(one))
        return begun

    def _take_rubrics(self, unit: Unit, versions: Collection[str]) -> frozenset[str]:
        return leases.take(unit, LeaseKind.RUBRIC, versions, worker=self.id)

    async def _end(self) -> None:
        self._ending.set()
        self._gate.halt()
        if left := (*self._in_hand, *self._pairs.tasks):
            await asyncio.wait(left, timeout=STOP_SECONDS)
        left = (*self._in_hand, *self._pairs.tasks)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        with contextlib.suppress(ComparatorError):
            await asyncio.to_thread(self._queue.close)
        with contextlib.suppress(ComparatorError):
            await self._ledger.write(lambda unit: message_batches.sweep(unit.connection))
        await self._message_batches.close()
        await self._pairs.close()
