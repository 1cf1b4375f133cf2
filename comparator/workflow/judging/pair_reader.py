"""Reads pairs for one process, whoever asked for them: a worker's, or the one pair that a command has in hand."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from decimal import Decimal
from functools import partial
from typing import Any

from comparator.domain.errors import ComparatorError, Conflict, JudgeError, SettingsError
from comparator.domain.labels import Order
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.repetitions import Repetitions, first_round
from comparator.domain.scoring.several_judges import JudgeChoice, SeveralJudges
from comparator.judges.choose import Through
from comparator.judges.protocol import Judge
from comparator.store.bulk import batch_items, batches, message_batches
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import Batch, BatchState, ItemState, Via
from comparator.store.core.sql import Unit
from comparator.workflow.judging.asking import INTERRUPTED, judge_by, order, progress_of
from comparator.workflow.judging.gate import GatedSender, Halted
from comparator.workflow.judging.message_batches import MessageBatchQueue, MessageBatchSender, Suspended
from comparator.workflow.judging.paying import PairReservations, reservations_for
from comparator.workflow.judging.read_pair import JudgingResult, OnStep, PairReading, quiet
from comparator.workflow.judging.registry import HeldPair, Membership
from comparator.workflow.judging.rubrics import Examiner, LoadedPair, load
from comparator.workflow.pictures import pages_made
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

ELSEWHERE = "This comparison is being judged elsewhere at this moment. Wait for it to end."
BUG = "Something went wrong while judging; the log has the details."


class PairReader:
    """One for each process: its pairs share judges with their connections, tools, and who writes which rubric."""

    def __init__(self, me: Membership, *, poll_seconds: float = message_batches.POLL_SECONDS) -> None:
        self.me = me
        self.message_batches = MessageBatchQueue(me, poll_seconds=poll_seconds)
        self._examiner = Examiner(me.services)
        self._judges: dict[tuple[JudgeChoice, Via, str], Judge] = {}
        self._loading = asyncio.Lock()
        self._rubric_locks: dict[str, asyncio.Lock] = {}

    async def read(self, batch_id: str, comparison_id: str) -> None:
        """Have the pair of a batch read, unless it does not wait any more or another worker has it."""
        item = await self.me.ledger.write(
            lambda unit: batch_items.lease(unit, batch_id, comparison_id, worker=self.me.id)
        )
        if item is not None:
            with contextlib.suppress(Conflict):
                await self.read_leased(item)

    async def read_leased(
        self, item: LeasedItem, *, judge: Judge | None = None, on_step: OnStep = quiet
    ) -> JudgingResult:
        """Have a pair read that this process has leased, by its batch's judge or a given one, until it has ended or was
        given back. Failures are stored and told. Raises Conflict where another worker takes it over.
        """
        task = asyncio.create_task(self._read(item, judge, on_step))
        held = self.me.held[item.comparison_id] = HeldPair(item.batch_id, task)
        self.me.gate.open(item.batch_id)
        try:
            return await task
        except asyncio.CancelledError:
            if held.lost:
                raise Conflict(ELSEWHERE) from None
            raise
        finally:
            if self.me.held.get(item.comparison_id) is held:
                del self.me.held[item.comparison_id]

    async def close(self) -> None:
        """Close the judges and their tools."""
        await asyncio.to_thread(self._examiner.close)
        await self.message_batches.close()
        for judge in self._judges.values():
            with contextlib.suppress(Exception):
                await judge.close()

    async def _read(self, item: LeasedItem, judge: Judge | None, on_step: OnStep) -> JudgingResult:
        reading: PairReading | None = None
        problem: str | None = None
        became: dict[str, Any] | None = None
        also: Callable[[Unit], None] | None = None
        try:
            # One after another: what the first of them opens, such as a judge's connections, serves all.
            async with self._loading:
                loaded, reads = await asyncio.to_thread(self._load, item, judge)
            reservations = PairReservations(self.me)
            if item.via is Via.MESSAGES or loaded.with_tools:
                reservations = await reservations_for(
                    self.me, kind=item.judge.kind, model=item.judge.model, budget_id=item.budget_id
                )
            reading = PairReading(
                self.me,
                reads,
                loaded,
                reservations=reservations,
                rubric_lock=self._rubric_locks.setdefault(loaded.comparison.task_version_id, asyncio.Lock()),
                examiner=self._examiner,
                on_step=on_step,
            )
            await reading.run()
        except Suspended:
            became = {"state": ItemState.OUT}
            also = partial(message_batches.ask, item=item, questions=self.message_batches.asked_by(item))
        except Halted:
            became = {}
        except ComparatorError as error:
            log.warning("judging %s failed: %s", item.comparison_id, error)
            problem = str(error)
            if isinstance(error, SettingsError | JudgeError) and not item.single:
                # What bars the judge bars the whole batch.
                became, also = {}, partial(batches.stop_for, batch_id=item.batch_id, problem=problem)
        except Exception:
            log.exception("judging %s failed", item.comparison_id)
            problem = BUG
        if became is None and problem is not None:
            became = {"state": ItemState.FAILED, "problem": problem}
        if became is not None:
            await self.give_up(item, became, also=also)
        done, wanted = 0, first_round(item.judge.repetitions) * len(Order)
        if reading is not None:
            done, wanted, problem = reading.done, reading.wanted, problem or reading.problem
        return JudgingResult(comparison_id=item.comparison_id, passes=done, wanted=wanted, problem=problem)

    async def give_up(
        self, item: LeasedItem, became: dict[str, Any], *, also: Callable[[Unit], None] | None = None
    ) -> None:
        """Note what became of a pair that is read no further; it is nobody's to lose then."""

        def write(unit: Unit) -> None:
            self.me.held.pop(item.comparison_id, None)
            if also is not None:
                also(unit)
            batch_items.let_go(unit, item.batch_id, item.comparison_id, worker=self.me.id, **became)

        await self.me.ledger.write(write, comparisons=(item.comparison_id,), batches=(item.batch_id,))

    def _load(self, item: LeasedItem, judge: Judge | None) -> tuple[LoadedPair, Judge]:
        judge = judge or self._judge(item, item.via)
        with self.me.services.read() as connection:
            loaded = load(self.me.services, connection, item, judge)
        if loaded.with_tools and item.via is Via.BATCHES:
            # Message Batches cannot talk back.
            judge = self._judge(item, Via.MESSAGES)
        return loaded, judge

    def _judge(self, item: LeasedItem, via: Via) -> Judge:
        key = (item.judge, via, item.project_id if item.judge.guidance is not None else "")
        if key not in self._judges:
            through: Through = partial(GatedSender, self.me.gate)
            if via is Via.BATCHES:
                through = partial(MessageBatchSender, self.message_batches)
            self._judges[key] = judge_by(
                self.me.services, item.judge, project_id=item.project_id, through=through
            )
        return self._judges[key]


LOOK_SECONDS = 0.5
"""Between looks at a pair that another worker reads."""


@asynccontextmanager
async def reader_here(services: Services) -> AsyncIterator[PairReader]:
    """This process as one that reads, for as long as the block lasts."""
    async with Membership(services, single_run=True) as me:
        reader = PairReader(me)
        try:
            yield reader
        finally:
            await reader.close()


async def judge_comparison(
    services: Services, judge: Judge, comparison_id: str, *, repetitions: Repetitions | None = None
) -> JudgingResult:
    """Have this very judge read the comparison. Raises Conflict as `judge_here` does."""
    choice = JudgeChoice(**dict(judge.identity), repetitions=repetitions or services.settings.repetitions)
    judges = SeveralJudges(id=services.new_id(), members=(choice,))
    async with reader_here(services) as reader:
        results = await judge_here(reader, comparison_id, judges, judge=judge)
    return results[choice.name]


async def judge_here(
    reader: PairReader,
    comparison_id: str,
    judges: SeveralJudges,
    *,
    judge: Judge | None = None,
    budget: Decimal | None = None,
    on_step: OnStep = quiet,
) -> dict[str, JudgingResult]:
    """Have each judge read the comparison, one after another; how each of them ended, by its name or model.

    Each may spend `budget` US dollars. What another worker takes in between is its to end. `judge` reads in place of
    the one that is asked. Raises Conflict where another worker has the comparison just now, or takes it over.
    """
    me, results = reader.me, {}
    await pages_made(me.services, comparison_id, worker=me.id)

    def begin(unit: Unit) -> tuple[Batch, ...]:
        if progress_of(unit, comparison_id, now=unit.at).state is JudgeState.RUNNING:
            raise Conflict(ELSEWHERE)
        ordered = order(unit, comparison_id, judges, budget=budget)
        # At once, so that no other worker takes it.
        items[ordered[0].id] = batch_items.lease(unit, ordered[0].id, comparison_id, worker=me.id)
        return ordered

    items: dict[str, LeasedItem | None] = {}
    for batch in await me.ledger.write(begin):
        name = batch.judge.name
        item = items.get(batch.id) or await _lease(me, batch.id, comparison_id)

        def tell(step: str, name: str = name) -> None:
            on_step(f"{name}: {step}" if judges.panel else step)

        if item is None:
            # Another has read it by then.
            ended = await me.read(partial(batches.failures, batch_id=batch.id))
            problem = (
                ended[0].problem if ended else (await me.read(partial(batches.get, key=batch.id))).problem
            )
            results[name] = JudgingResult(
                comparison_id=comparison_id, passes=0, wanted=int(bool(problem)), problem=problem
            )
            continue
        try:
            results[name] = await reader.read_leased(item, judge=judge, on_step=tell)
        except asyncio.CancelledError:
            failed = {"state": ItemState.FAILED, "problem": INTERRUPTED}
            await asyncio.shield(reader.give_up(item, failed))
            raise
    return results


async def _lease(me: Membership, batch_id: str, comparison_id: str) -> LeasedItem | None:
    """Take the pair of a batch of one, once no other worker has it; None where another has read it by then."""
    while True:
        item = await me.ledger.write(
            lambda unit: batch_items.lease(unit, batch_id, comparison_id, worker=me.id)
        )
        states = await me.read(lambda connection: batches.states(connection, [batch_id]))
        if item is not None or states.get(batch_id) is not BatchState.RUNNING:
            return item
        await asyncio.sleep(LOOK_SECONDS)
