"""A process that works at batches: takes comparisons, has them read with all places busy, gives back what it cannot."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import Callable
from functools import partial

from comparator.domain.errors import ComparatorError, JudgeError, SettingsError, StoreError
from comparator.jobs import dispatch, registry
from comparator.jobs.budgets import PayingBudget, paying_budgets
from comparator.jobs.dispatch import Dispatcher
from comparator.jobs.gate import GatedSender, Halted, RequestGate
from comparator.jobs.ledger import Ledger
from comparator.jobs.loading import Loaded, Refused, load
from comparator.jobs.message_batches import MessageBatchQueue, MessageBatchSender, Suspended
from comparator.jobs.read_pair import PairReading, rubric_key
from comparator.jobs.reservations import PairReservations
from comparator.jobs.work_queue import QueueUnusable, WorkQueue
from comparator.judges.choose import Through
from comparator.judges.protocol import Judge
from comparator.store.bulk import batch_items, batches, message_batches, workers
from comparator.store.bulk.batch_items import STRETCH, LeasedItem, Stretch
from comparator.store.bulk.batches import BatchState, JudgeChoice, Via
from comparator.store.core.database import Connection
from comparator.store.judging import rubrics
from comparator.store.judging.budgets import Unit
from comparator.workflow.judging.allowance import refuse_without_price
from comparator.workflow.judging.leases import STALE_AFTER
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""How soon new work is seen."""
FEW = STRETCH // 4
"""What may be left of a turn when it ends."""
STOP_SECONDS = 20.0
"""How long a worker that is to end waits for the answers of what is on the wire."""


def collect_seldom() -> None:
    """In a process that only works at batches: what is loaded by now is not looked through by garbage collections.

    A full one would stop all requests for a tenth of a second, again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 10)


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
        self._ledger = Ledger(services)
        self._gate = RequestGate(clock=time.monotonic)
        self._message_batches = MessageBatchQueue(
            services, self._ledger, worker=self.id, poll_seconds=poll_seconds
        )
        self._judges: dict[tuple[JudgeChoice, Via], Judge] = {}
        # Enough that readings wait while rubrics are written; few enough that memory does not grow with the batch.
        self._window = max(4 * services.settings.slots + 8, 2 * STRETCH)
        at_once = -(-self._window // STRETCH)
        self._turns = WorkQueue(services, worker=self.id, at_once=at_once, take=self._turn)
        self._handout = Dispatcher(services, self._turns, worker=self.id, at_once=at_once)
        self._trouble: Exception | None = None
        self._taking = asyncio.Lock()
        self._in_hand: dict[asyncio.Task[None], Stretch] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._items: dict[str, LeasedItem] = {}
        self._rubrics_here: set[str] = set()
        self._ending = asyncio.Event()
        self._news = asyncio.Event()

    def stop(self) -> None:
        """Send nothing more, keep the answers of what is on the wire, and end."""
        self._ending.set()
        self._news.set()

    async def run(self) -> None:
        """Work. Raises StoreError where the database stays out of reach.

        Where only the queue cannot be used, every batch is paused and says why.
        """
        services = self._services
        await self._ledger.write(lambda connection: registry.join(services, connection, self.id))
        heart = asyncio.create_task(self._beat())
        post = asyncio.create_task(self._message_batches.run())
        try:
            if await self._handout.prepare(self._ending):
                self._turns.launch()
                await self._work(heart, post)
        except QueueUnusable as error:
            await asyncio.to_thread(self._pause_all, str(error))
            raise
        finally:
            heart.cancel()
            post.cancel()
            await asyncio.gather(heart, post, return_exceptions=True)
            await self._end()

    def _pause_all(self, problem: str) -> None:
        # Without the patience of the ledger: where the whole database is away, it is not the queue's fault.
        with contextlib.suppress(StoreError), self._services.database.write() as connection:
            batches.stop_all_for(connection, problem=problem)

    async def _work(self, *beside: asyncio.Task[None]) -> None:
        busy_at = time.monotonic()
        while not self._ending.is_set() and self._wanted():
            for task in beside:
                if task.done():
                    task.result()
            if self._trouble is not None:
                raise self._trouble
            self._news.clear()
            waits = await asyncio.to_thread(self._handout.look, frozenset(self._in_hand.values()))
            now = time.monotonic()
            if waits or self._in_hand or self._tasks:
                busy_at = now
            elif self._idle_seconds is not None and now - busy_at >= self._idle_seconds:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOK_SECONDS)

    async def _turn(self, stretch: Stretch) -> None:
        """Read what waits in a stretch, until each of its comparisons has ended or was given back.

        Where there is room for another stretch, the last few need no turn any more: slow answers hold nobody up.
        """
        if not self._gate.slots:
            # With more workers than places this one waits; another may have the turn.
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
            while begun and (len(begun) > FEW or len(self._tasks) + STRETCH > self._window):
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
        """Claim and begin what waits in a stretch."""
        services = self._services

        def act(
            connection: Connection,
        ) -> tuple[tuple[LeasedItem, ...], tuple[PayingBudget, ...], frozenset[str]]:
            items = batch_items.lease(
                connection,
                stretch,
                worker=self.id,
                pause=dispatch.TRY_AGAIN_AFTER,
                stale_after=STALE_AFTER,
                at=services.now(),
                busy_versions=self._handout.elsewhere(connection),
            )
            if not items:
                return (), (), frozenset()
            paying = paying_budgets(
                services, connection, kind=items[0].judge.kind, budget_id=items[0].budget_id
            )
            versions = rubrics.unwritten(connection, [item.comparison_id for item in items])
            keys = [rubric_key(version) for version in versions]
            return items, paying, workers.take_leases(connection, keys, worker=self.id, at=services.now())

        items, paying, mine = await self._ledger.write(act)
        if not items:
            return set()
        loaded, refused = await asyncio.to_thread(self._load, items)
        # Those that go by no rubric that is there, such as an offline check's.
        more = {rubric_key(one.comparison.task_version_id) for one in loaded if one.rubric is None} - mine
        if more:
            # Another worker may have written one between the look and the lease.
            self._rubrics_here |= {key.removeprefix(rubric_key("")) for key in more}
            mine |= await self._ledger.write(
                lambda connection: workers.take_leases(
                    connection, sorted(more), worker=self.id, at=services.now()
                )
            )
        for item, error in refused:
            await self._refuse(item, error)
        begun = set()
        for one in loaded:
            if one.rubric is None and rubric_key(one.comparison.task_version_id) not in mine:
                # Another worker is writing the rubric of this task at this moment.
                await self._give_back(one.item)
                continue
            begun.add(self._begin(one, paying))
        return begun

    def _load(self, items: tuple[LeasedItem, ...]) -> tuple[list[Loaded], list[Refused]]:
        with self._services.database.read() as connection:
            return load(self._services, connection, items, judge_of=self._judge)

    def _judge(self, item: LeasedItem) -> Judge:
        key = (item.judge, item.via)
        if key not in self._judges:
            through: Through = partial(GatedSender, self._gate)
            if item.via is Via.BATCHES:
                through = partial(MessageBatchSender, self._message_batches)
            self._judges[key] = self._services.judge(item.judge.kind, item.judge.model, through=through)
        return self._judges[key]

    def _begin(self, one: Loaded, paying: tuple[PayingBudget, ...]) -> asyncio.Task[None]:
        item = one.item
        self._gate.open(item.batch_id)
        self._items[item.comparison_id] = item
        task = asyncio.create_task(self._carry_out(one, paying))
        self._tasks[item.comparison_id] = task
        task.add_done_callback(lambda _: self._done(item))
        return task

    def _done(self, item: LeasedItem) -> None:
        self._tasks.pop(item.comparison_id, None)
        self._items.pop(item.comparison_id, None)

    async def _carry_out(self, one: Loaded, paying: tuple[PayingBudget, ...]) -> None:
        item, services = one.item, self._services
        purse = None
        try:
            if paying and item.via is Via.MESSAGES:
                for each in paying:
                    if each.unit is Unit.MONEY:
                        refuse_without_price(item.judge.model, ceiling=each.name, remedy="a budget in tokens")
                purse = PairReservations(
                    services, self._ledger, paying=paying, model=item.judge.model, worker=self.id
                )
            reading = PairReading(
                services,
                self._ledger,
                self._judge(item),
                one,
                worker=self.id,
                purse=purse,
                saved=self._gate.saved,
                rubrics_here=self._rubrics_here,
            )
            await reading.run()
        except Suspended:
            await self._message_batches.take_in(item)
        except Halted:
            await self._give_back(item)
        except JudgeError as error:
            await self._refuse(item, error)
        except ComparatorError as error:
            log.warning("judging %s failed: %s", item.comparison_id, error)
            await self._refuse(item, error)
        except Exception:
            log.exception("judging %s failed", item.comparison_id)
            await self._fail(item, "Something went wrong while judging; the worker's log has the details.")

    async def _give_back(self, item: LeasedItem) -> None:
        services = self._services
        await self._ledger.write(
            lambda connection: batch_items.give_back(
                connection, (item.comparison_id,), worker=self.id, at=services.now()
            )
        )

    async def _refuse(self, item: LeasedItem, error: ComparatorError) -> None:
        """What cannot even begin: a set-up that bars the whole batch pauses it, anything else is this pair's own."""
        if isinstance(error, SettingsError | JudgeError):
            services = self._services

            def act(connection: Connection) -> None:
                batch_items.give_back(connection, (item.comparison_id,), worker=self.id, at=services.now())
                batches.stop_for(connection, item.batch_id, problem=str(error))

            await self._ledger.write(act)
        else:
            await self._fail(item, str(error))

    async def _fail(self, item: LeasedItem, problem: str) -> None:
        services = self._services
        await self._ledger.write(
            lambda connection: batch_items.finish(
                connection,
                item.comparison_id,
                batch_id=item.batch_id,
                worker=self.id,
                problem=problem,
                at=services.now(),
            ),
            comparisons=(item.comparison_id,),
            batches=(item.batch_id,),
        )

    async def _beat(self) -> None:
        services = self._services
        while True:
            held = tuple(self._tasks)
            ours = sorted({item.batch_id for item in self._items.values()})

            def act(
                connection: Connection, held: tuple[str, ...] = held, ours: list[str] = ours
            ) -> tuple[registry.Beat, dict[str, BatchState]]:
                found = registry.beat(services, connection, self.id, held=held)
                return found, batches.states(connection, ours)

            found, states = await self._ledger.write(act)
            self._gate.set_share(found.share)
            for comparison_id in held if not found.entered else found.lost:
                if task := self._tasks.get(comparison_id):
                    task.cancel()
            if not found.entered:
                # Taken for dead, after a sleep of the machine: others have the work. Begin anew.
                await self._ledger.write(lambda connection: registry.join(services, connection, self.id))
            for batch_id in ours:
                if states.get(batch_id) is not BatchState.RUNNING:
                    self._gate.halt(batch_id)
            await asyncio.sleep(registry.BEAT_SECONDS)

    async def _end(self) -> None:
        self._ending.set()
        self._gate.halt()
        if left := (*self._in_hand, *self._tasks.values()):
            await asyncio.wait(left, timeout=STOP_SECONDS)
        left = (*self._in_hand, *self._tasks.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        with contextlib.suppress(ComparatorError):
            await asyncio.to_thread(self._turns.close)
        with contextlib.suppress(ComparatorError):
            await self._ledger.write(self._leave)
        await self._message_batches.close()
        for judge in self._judges.values():
            with contextlib.suppress(Exception):
                await judge.close()
        await asyncio.to_thread(self._ledger.close)

    def _leave(self, connection: Connection) -> None:
        registry.leave(self._services, connection, self.id)
        message_batches.sweep(connection)
