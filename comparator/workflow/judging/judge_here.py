"""Judges pairs in this process, by one judge or several: a worker among the others that has one pair in hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal

from comparator.domain.errors import Conflict
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.repetitions import Repetitions
from comparator.judges.protocol import Judge
from comparator.store.bulk import batch_items, batches
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import Batch, BatchState
from comparator.store.core.unit import Unit
from comparator.workflow.judging.office_pages import pages_made
from comparator.workflow.judging.read_pair import JudgingResult, OnStep, quiet
from comparator.workflow.judging.reader import ELSEWHERE, Reader
from comparator.workflow.judging.registry import Membership
from comparator.workflow.judging.single import INTERRUPTED, order, progress_of
from comparator.workflow.judging.which_judges import AskedJudges, choice_of
from comparator.workflow.services import Services

LOOK_SECONDS = 0.5
"""Between looks at a pair that another worker reads."""


@asynccontextmanager
async def reader_here(services: Services) -> AsyncIterator[Reader]:
    """This process as one that reads, for as long as the block lasts."""
    async with Membership(services, single_run=True) as me:
        reader = Reader(me)
        try:
            yield reader
        finally:
            await reader.close()


async def judge_comparison(
    services: Services,
    judge: Judge,
    comparison_id: str,
    *,
    repetitions: Repetitions | None = None,
    on_step: OnStep = quiet,
) -> JudgingResult:
    """Have this very judge read the comparison. Raises Conflict as `judge_here` does."""
    choice = choice_of(judge, services)
    if repetitions is not None:
        choice = choice.model_copy(update={"repetitions": repetitions})
    async with reader_here(services) as reader:
        results = await judge_here(
            reader, comparison_id, AskedJudges((choice,)), judge=judge, on_step=on_step
        )
    return results[choice.model]


async def judge_here(
    reader: Reader,
    comparison_id: str,
    asked: AskedJudges,
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
    begun = await me.ledger.write(lambda unit: _begin(unit, comparison_id, asked, budget, worker=me.id))
    if begun is None:
        raise Conflict(ELSEWHERE)
    ordered, item = begun
    for batch in ordered:
        name = batch.judge.named or batch.judge.model
        item = (
            item
            if item is not None and item.batch_id == batch.id
            else await _lease(reader, batch, comparison_id)
        )

        def tell(step: str, name: str = name) -> None:
            on_step(f"{name}: {step}" if asked.members else step)

        if item is None:
            results[name] = await asyncio.to_thread(_ended_elsewhere, me.services, batch, comparison_id)
            continue
        try:
            results[name] = await reader.read_leased(item, judge=judge, on_step=tell)
        except asyncio.CancelledError:
            await asyncio.shield(reader.interrupt(item, INTERRUPTED))
            raise
    return results


def _begin(
    unit: Unit, comparison_id: str, asked: AskedJudges, budget: Decimal | None, *, worker: str
) -> tuple[tuple[Batch, ...], LeasedItem | None] | None:
    """Ask for the pair and take it at once, so that no other worker does; None where another has it."""
    if progress_of(unit.connection, comparison_id, now=unit.at).state is JudgeState.RUNNING:
        return None
    ordered = order(unit, comparison_id, asked, person_id=None, budget=budget)
    return ordered, batch_items.lease(unit, ordered[0].id, comparison_id, worker=worker)


async def _lease(reader: Reader, batch: Batch, comparison_id: str) -> LeasedItem | None:
    """Take the pair of a batch of one, once no other worker has it; None where another has read it by then."""
    me = reader.me

    def running() -> bool:
        with me.services.database.read() as connection:
            return batches.states(connection, [batch.id]).get(batch.id) is BatchState.RUNNING

    while True:
        item = await me.ledger.write(
            lambda unit: batch_items.lease(unit, batch.id, comparison_id, worker=me.id)
        )
        if item is not None or not await asyncio.to_thread(running):
            return item
        await asyncio.sleep(LOOK_SECONDS)


def _ended_elsewhere(services: Services, batch: Batch, comparison_id: str) -> JudgingResult:
    with services.database.read() as connection:
        failed = batches.failures(connection, batch.id, limit=1)
        problem = failed[0].problem if failed else batches.get(connection, batch.id).problem
    return JudgingResult(comparison_id=comparison_id, passes=0, wanted=int(bool(problem)), problem=problem)
