"""A process that works at batches: takes comparisons, has them read with all places busy, gives back what it cannot."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection
from functools import partial

from comparator.domain.errors import ComparatorError, JudgeError, SettingsError, StoreError
from comparator.jobs import dispatch
from comparator.jobs.batches.message_batches import MessageBatchQueue, MessageBatchSender, Suspended
from comparator.jobs.count_changed import count_changed
from comparator.jobs.dispatch import Dispatcher
from comparator.jobs.gate import GatedSender, Halted, new_gate
from comparator.jobs.make_pages import make_pages
from comparator.jobs.measure_outputs import measure_outputs
from comparator.jobs.work_queue import QueueUnusable, WorkQueue
from comparator.judges.choose import Through
from comparator.judges.protocol import Judge
from comparator.store.bulk import batch_items, batches, leases, message_batches
from comparator.store.bulk.batch_items import STRETCH, LeasedItem, Stretch
from comparator.store.bulk.batches import BatchState, JudgeChoice, Via
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit
from comparator.store.judging import rubrics
from comparator.workflow.judging import registry
from comparator.workflow.judging.examining import Examiner
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.load_pairs import Loaded, Refused, load
from comparator.workflow.judging.paying.budgets import PayingBudget, paying_for_model
from comparator.workflow.judging.paying.reservations import PairReservations
from comparator.workflow.judging.project_judge import judge_by
from comparator.workflow.judging.read_pair import PairReading
from comparator.workflow.judging.registry import Membership
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""How soon new work is seen."""
FEW = STRETCH // 4
"""What may be left of a turn when it ends."""
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
        self._ledger = Ledger(services)
        self._gate = new_gate()
        self._message_batches = MessageBatchQueue(
            services, self._ledger, worker=self.id, poll_seconds=poll_seconds
        )
        self._budgets: dict[str, tuple[PayingBudget, ...]] = {}
        self._judges: dict[tuple[JudgeChoice, Via, str], Judge] = {}
        self._examiner = Examiner(services)
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
        """What is being read and was not given back yet."""
        self._rubrics_here: set[str] = set()
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
            held=self._items.copy,
            on_lost=self._lose,
            look=self._halt_paused,
        )
        try:
            async with membership:
                await self._work_among_others(membership)
        finally:
            await asyncio.to_thread(self._ledger.close)

    async def _work_among_others(self, membership: Membership) -> None:
        assert membership.task is not None
        message_batches = asyncio.create_task(self._message_batches.run())
        pages = asyncio.create_task(
            make_pages(self._services, self._ledger, worker=self.id, on_made=self._news.set)
        )
        measuring = asyncio.create_task(measure_outputs(self._services, self._ledger))
        counting = asyncio.create_task(count_changed(self._services))
        try:
            # Somebody waits for these, and the queue takes a second to get ready.
            await self._take_singles()
            if await self._handout.prepare(self._ending):
                self._turns.launch()
                await self._work(membership.task, message_batches, pages)
        except QueueUnusable as error:
            await asyncio.to_thread(self._pause_all, str(error))
            raise
        finally:
            message_batches.cancel()
            pages.cancel()
            measuring.cancel()
            counting.cancel()
            await asyncio.gather(message_batches, pages, measuring, counting, return_exceptions=True)
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
            await self._take_singles()
            waits = await asyncio.to_thread(self._handout.look, frozenset(self._in_hand.values()))
            now = time.monotonic()
            if waits or self._in_hand or self._tasks:
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
                    busy_versions=self._handout.elsewhere(unit.connection),
                    single=True,
                )

        try:
            for stretch in await asyncio.to_thread(look):
                async with self._taking:
                    await self._take(stretch)
        except StoreError as error:
            # The queue hands them out a little later.
            log.warning("pairs that somebody waits for could not be looked up: %s", error)

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
        """Lease and begin what waits in a stretch."""

        def act(unit: Unit) -> tuple[tuple[LeasedItem, ...], frozenset[str]]:
            items = batch_items.lease(
                unit,
                stretch,
                worker=self.id,
                pause=dispatch.TRY_AGAIN_AFTER,
                busy_versions=self._handout.elsewhere(unit.connection),
            )
            if not items:
                return (), frozenset()
            versions = rubrics.unwritten(unit.connection, [item.comparison_id for item in items])
            return items, self._take_rubrics(unit, versions)

        items, mine = await self._ledger.write(act)
        if not items:
            return set()
        loaded, refused = await asyncio.to_thread(self._load, items)
        # Those that go by no rubric that is there, such as an offline check's.
        more = {one.comparison.task_version_id for one in loaded if one.rubric is None} - mine
        if more:
            # Another worker may have written one between the look and the lease.
            self._rubrics_here |= more
            mine |= await self._ledger.write(lambda unit: self._take_rubrics(unit, more))
        for item, error in refused:
            await self._refuse(item, error)
        begun = set()
        for one in loaded:
            if one.rubric is None and one.comparison.task_version_id not in mine:
                # Another worker is writing the rubric of this task at this moment.
                await self._give_back(one.item)
                continue
            begun.add(self._begin(one))
        return begun

    def _take_rubrics(self, unit: Unit, versions: Collection[str]) -> frozenset[str]:
        return leases.take(unit, LeaseKind.RUBRIC, versions, worker=self.id)

    def _load(self, items: tuple[LeasedItem, ...]) -> tuple[list[Loaded], list[Refused]]:
        with self._services.database.read() as connection:
            return load(self._services, connection, items, judge_of=self._judge)

    def _judge(self, item: LeasedItem, via: Via | None = None) -> Judge:
        via = via or item.via
        key = (item.judge, via, item.project_id if item.judge.guidance is not None else "")
        if key not in self._judges:
            through: Through = partial(GatedSender, self._gate)
            if via is Via.BATCHES:
                through = partial(MessageBatchSender, self._message_batches)
            self._judges[key] = judge_by(
                self._services, item.judge, project_id=item.project_id, through=through
            )
        return self._judges[key]

    def _begin(self, one: Loaded) -> asyncio.Task[None]:
        item = one.item
        self._gate.open(item.batch_id)
        self._items[item.comparison_id] = item
        task = asyncio.create_task(self._carry_out(one))
        self._tasks[item.comparison_id] = task
        task.add_done_callback(lambda _: self._done(item))
        return task

    def _done(self, item: LeasedItem) -> None:
        self._tasks.pop(item.comparison_id, None)
        self._given_back(item)

    def _given_back(self, item: LeasedItem) -> None:
        self._items.pop(item.comparison_id, None)

    async def _carry_out(self, one: Loaded) -> None:
        item, services = one.item, self._services
        try:
            reservations = None
            # Message Batches cannot talk back.
            via = Via.MESSAGES if one.with_tools else item.via
            if via is Via.MESSAGES and (paying := await self._paying(item)):
                reservations = PairReservations(
                    services, self._ledger, paying=paying, model=item.judge.model, worker=self.id
                )
            reading = PairReading(
                services,
                self._ledger,
                self._judge(item, via),
                one,
                worker=self.id,
                reservations=reservations,
                saved=self._gate.saved,
                rubrics_here=self._rubrics_here,
                examiner=self._examiner,
                on_finish=lambda: self._given_back(item),
            )
            try:
                await reading.run()
            finally:
                self._given_back(item)
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

    async def _paying(self, item: LeasedItem) -> tuple[PayingBudget, ...]:
        """The budgets that the pair is paid from, looked up once for each batch."""
        found = self._budgets.get(item.batch_id)
        if found is None:
            judge = item.judge
            found = self._budgets[item.batch_id] = await self._ledger.write(
                lambda unit: paying_for_model(
                    self._services,
                    unit,
                    kind=judge.kind,
                    model=judge.model,
                    budget_id=item.budget_id,
                )
            )
        return found

    async def _give_back(self, item: LeasedItem) -> None:
        await self._ledger.write(
            lambda unit: batch_items.give_back(unit, (item.comparison_id,), worker=self.id)
        )

    async def _refuse(self, item: LeasedItem, error: ComparatorError) -> None:
        """What cannot even begin: a set-up that bars the whole batch pauses it, anything else is this pair's own."""
        if isinstance(error, SettingsError | JudgeError) and not item.single:

            def act(unit: Unit) -> None:
                batch_items.give_back(unit, (item.comparison_id,), worker=self.id)
                batches.stop_for(unit.connection, item.batch_id, problem=str(error))

            await self._ledger.write(act)
        else:
            await self._fail(item, str(error))

    async def _fail(self, item: LeasedItem, problem: str) -> None:
        await self._ledger.write(
            lambda unit: batch_items.finish(
                unit,
                item.comparison_id,
                batch_id=item.batch_id,
                worker=self.id,
                problem=problem,
            ),
            comparisons=(item.comparison_id,),
            batches=(item.batch_id,),
        )

    def _halt_paused(self, connection: Connection) -> Callable[[], None]:
        """Find out which batches run no more; nothing further is sent for those."""
        ours = sorted({item.batch_id for item in self._items.copy().values()})
        states = batches.states(connection, ours)

        def after() -> None:
            for batch_id in ours:
                if states.get(batch_id) is not BatchState.RUNNING:
                    self._gate.halt(batch_id)
                    # Its budget may be another one when it goes on.
                    self._budgets.pop(batch_id, None)

        return after

    def _lose(self, comparison_id: str) -> None:
        if task := self._tasks.get(comparison_id):
            task.cancel()

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
            await self._ledger.write(lambda unit: message_batches.sweep(unit.connection))
        await self._message_batches.close()
        await asyncio.to_thread(self._examiner.close)
        for judge in self._judges.values():
            with contextlib.suppress(Exception):
                await judge.close()
