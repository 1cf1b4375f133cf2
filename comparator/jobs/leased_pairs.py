"""Reads the pairs that a worker has leased, and gives back what it cannot read."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial

from comparator.domain.errors import ComparatorError, JudgeError, SettingsError
from comparator.jobs.batches.message_batches import MessageBatchQueue, MessageBatchSender, Suspended
from comparator.jobs.gate import GatedSender, Halted, RequestGate
from comparator.judges.choose import Through
from comparator.judges.protocol import Judge
from comparator.store.bulk import batch_items, batches
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import BatchState, JudgeChoice, Via
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit
from comparator.workflow.judging.examining import Examiner
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.load_pairs import LoadedPair, UnreadablePair, load
from comparator.workflow.judging.paying.budgets import PayingBudget, paying_for_model
from comparator.workflow.judging.paying.reservations import PairReservations
from comparator.workflow.judging.project_judge import judge_by
from comparator.workflow.judging.read_pair import PairReading
from comparator.workflow.services import Services

log = logging.getLogger(__name__)


class LeasedPairs:
    """What one worker is reading: a task for each pair, with the judges, budgets and places that they share."""

    def __init__(
        self,
        services: Services,
        ledger: Ledger,
        *,
        worker: str,
        gate: RequestGate,
        message_batches: MessageBatchQueue,
    ) -> None:
        self._services, self._ledger, self._worker = services, ledger, worker
        self._gate, self._message_batches = gate, message_batches
        self._examiner = Examiner(services)
        self._budgets: dict[str, tuple[PayingBudget, ...]] = {}
        self._judges: dict[tuple[JudgeChoice, Via, str], Judge] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._items: dict[str, LeasedItem] = {}
        self.rubrics_here: set[str] = set()
        """The task versions whose rubric this worker is to write."""

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """The readings that have not ended."""
        return tuple(self._tasks.values())

    def leased(self) -> dict[str, LeasedItem]:
        """What is being read and was not given back yet, by comparison."""
        return self._items.copy()

    def load(self, items: tuple[LeasedItem, ...]) -> tuple[list[LoadedPair], list[UnreadablePair]]:
        """What a judge needs of these pairs, and those that cannot be read."""
        with self._services.database.read() as connection:
            return load(self._services, connection, items, judge_of=self._judge)

    def begin(self, one: LoadedPair) -> asyncio.Task[None]:
        """Begin to read a pair."""
        item = one.item
        self._gate.open(item.batch_id)
        self._items[item.comparison_id] = item
        task = asyncio.create_task(self._carry_out(one))
        self._tasks[item.comparison_id] = task
        task.add_done_callback(lambda _: self._done(item))
        return task

    async def give_back(self, item: LeasedItem) -> None:
        """Let any worker take the pair again."""
        await self._ledger.write(
            lambda unit: batch_items.give_back(unit, (item.comparison_id,), worker=self._worker)
        )

    async def refuse(self, item: LeasedItem, error: ComparatorError) -> None:
        """What cannot even begin: a set-up that bars the whole batch pauses it, anything else is this pair's own."""
        if isinstance(error, SettingsError | JudgeError) and not item.single:

            def write(unit: Unit) -> None:
                batch_items.give_back(unit, (item.comparison_id,), worker=self._worker)
                batches.stop_for(unit.connection, item.batch_id, problem=str(error))

            await self._ledger.write(write)
        else:
            await self._fail(item, str(error))

    def halt_paused(self, connection: Connection) -> Callable[[], None]:
        """Find out which batches are paused or have ended; what this returns then stops sending for them."""
        ours = sorted({item.batch_id for item in self.leased().values()})
        states = batches.states(connection, ours)

        def after() -> None:
            for batch_id in ours:
                if states.get(batch_id) is not BatchState.RUNNING:
                    self._gate.halt(batch_id)
                    # Its budget may be another one when it goes on.
                    self._budgets.pop(batch_id, None)

        return after

    def lose(self, comparison_id: str) -> None:
        """Stop reading a pair that another worker has taken over."""
        if task := self._tasks.get(comparison_id):
            task.cancel()

    async def close(self) -> None:
        """Close the judges and their tools."""
        await asyncio.to_thread(self._examiner.close)
        for judge in self._judges.values():
            with contextlib.suppress(Exception):
                await judge.close()

    async def _carry_out(self, one: LoadedPair) -> None:
        item, services = one.item, self._services
        try:
            reservations = None
            # Message Batches cannot talk back.
            via = Via.MESSAGES if one.with_tools else item.via
            if via is Via.MESSAGES and (paying := await self._paying(item)):
                reservations = PairReservations(
                    services, self._ledger, paying=paying, model=item.judge.model, worker=self._worker
                )
            reading = PairReading(
                services,
                self._ledger,
                self._judge(item, via),
                one,
                worker=self._worker,
                reservations=reservations,
                saved=self._gate.saved,
                rubrics_here=self.rubrics_here,
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
            await self.give_back(item)
        except JudgeError as error:
            await self.refuse(item, error)
        except ComparatorError as error:
            log.warning("judging %s failed: %s", item.comparison_id, error)
            await self.refuse(item, error)
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

    def _done(self, item: LeasedItem) -> None:
        self._tasks.pop(item.comparison_id, None)
        self._given_back(item)

    def _given_back(self, item: LeasedItem) -> None:
        self._items.pop(item.comparison_id, None)

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

    async def _fail(self, item: LeasedItem, problem: str) -> None:
        await self._ledger.write(
            lambda unit: batch_items.finish(
                unit,
                item.comparison_id,
                batch_id=item.batch_id,
                worker=self._worker,
                problem=problem,
            ),
            comparisons=(item.comparison_id,),
            batches=(item.batch_id,),
        )
