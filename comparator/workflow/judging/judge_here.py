"""Judges a pair in this process, by one judge or several: a worker among the others, with this one pair in hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial

from comparator.domain.errors import ComparatorError, Conflict
from comparator.domain.labels import Frozen, Order
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.repetitions import Repetitions, first_round
from comparator.judges.choose import Through
from comparator.judges.protocol import Judge
from comparator.store.bulk import batch_items, batches, leases, pair_batches
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import Batch, BatchState, JudgeChoice
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.unit import Unit
from comparator.store.judging import budgets
from comparator.store.judging.budgets import BudgetUnit
from comparator.store.pairs import comparisons
from comparator.store.pairs.comparisons import Comparison
from comparator.workflow.judging import registry
from comparator.workflow.judging.examining import Examiner
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.load_pairs import LoadedPair, load, rubric_in_force
from comparator.workflow.judging.office_pages import pages_made
from comparator.workflow.judging.paying.budgets import paying_for_model
from comparator.workflow.judging.paying.reservations import PairReservations
from comparator.workflow.judging.paying.shares import NoGate, SendingGate
from comparator.workflow.judging.progress import INTERRUPTED, progress_of
from comparator.workflow.judging.project_judge import choice_of, judge_by
from comparator.workflow.judging.read_pair import PairReading
from comparator.workflow.judging.registry import Membership
from comparator.workflow.judging.several_judges import AskedJudges
from comparator.workflow.judging.single import add_several, add_single
from comparator.workflow.services import Services

OnStep = Callable[[str], None]
ELSEWHERE = "This comparison is being judged elsewhere at this moment. Wait for it to end."
LOOK_SECONDS = 0.5
"""Between looks at a rubric that another process is writing."""


class JudgingResult(Frozen):
    """How judging ended: which passes are there now, and what failed."""

    comparison_id: str
    passes: int
    wanted: int
    problem: str | None = None

    @property
    def complete(self) -> bool:
        """Whether every wanted pass is there."""
        return self.passes >= self.wanted


@dataclass(frozen=True)
class _SingleRun:
    """This process as a worker that has one comparison in hand, or none."""

    services: Services
    ledger: Ledger
    worker: str
    gate: SendingGate
    examiner: Examiner
    budget: Decimal | None = None
    """US dollars that each judge may spend on the comparison."""
    leased: list[str] = field(default_factory=list)

    async def take(self, batch_id: str) -> LeasedItem | None:
        """The pair of a batch of one, once no other worker has it; None where another has read it by then."""

        def running() -> bool:
            with self.services.database.read() as connection:
                return batches.get(connection, batch_id).state is BatchState.RUNNING

        while True:
            item = await self.ledger.write(
                lambda unit: batch_items.lease_single(unit, batch_id, worker=self.worker)
            )
            if item is not None or not await asyncio.to_thread(running):
                return item
            await asyncio.sleep(LOOK_SECONDS)

    async def read(self, judge: Judge, item: LeasedItem, *, on_step: OnStep) -> JudgingResult:
        """Have the judge read what was leased, and note how it ended."""
        self.leased.append(item.comparison_id)
        problem, interrupted, noted = INTERRUPTED, True, False
        reading: PairReading | None = None
        try:
            loaded = await _loaded(self.services, self.ledger, judge, item, worker=self.worker)
            reservations = await self.ledger.write(partial(self._reservations, judge=judge, item=item))
            reading = PairReading(
                self.services,
                self.ledger,
                judge,
                loaded,
                worker=self.worker,
                on_step=on_step,
                reservations=reservations,
                saved=self.gate.saved,
                examiner=self.examiner,
                on_finish=self.leased.clear,
            )
            await reading.run()
            noted = True
            return JudgingResult(
                comparison_id=item.comparison_id,
                passes=reading.done,
                wanted=reading.wanted,
                problem=reading.problem,
            )
        except ComparatorError as error:
            problem, interrupted = str(error), False
            return JudgingResult(
                comparison_id=item.comparison_id,
                passes=0 if reading is None else reading.done,
                wanted=first_round(item.judge.repetitions) * len(Order),
                problem=problem,
            )
        except Exception:
            # A bug; whoever called logs it.
            problem, interrupted = "Something went wrong while judging; the log has the details.", False
            raise
        finally:
            if not noted:
                self.leased.clear()
                await asyncio.shield(_note_end(self.ledger, item, self.worker, problem, interrupted))

    def _reservations(self, unit: Unit, *, judge: Judge, item: LeasedItem) -> PairReservations:
        identity, budget_id = judge.identity, item.budget_id
        if self.budget is not None:
            budget_id = budgets.add(
                unit,
                project_id=comparisons.get(unit.connection, item.comparison_id).project_id,
                counted_in=BudgetUnit.MONEY,
                ceiling=self.budget,
                created_by=None,
            )
        found = paying_for_model(
            self.services, unit, kind=identity.kind, model=identity.model, budget_id=budget_id
        )
        return PairReservations(
            self.services, self.ledger, paying=found, model=identity.model, worker=self.worker
        )


async def judge_comparison(
    services: Services,
    judge: Judge,
    comparison_id: str,
    *,
    choice: JudgeChoice | None = None,
    repetitions: Repetitions | None = None,
    budget: Decimal | None = None,
    on_step: OnStep = lambda _: None,
    gate: SendingGate | None = None,
) -> JudgingResult:
    """Have the judge read the comparison, for `budget` US dollars at most. Failures of the judge are stored and told in
    the outcome.

    `choice` is what the judge was made by, where that was a choice. `on_step` gets a plain sentence at each step;
    `gate` is the one that the judge's requests pass, if they do.
    Raises Conflict where another worker has the comparison just now, or takes it over.
    """
    choice = choice or choice_of(judge, services)
    if repetitions is not None:
        choice = choice.model_copy(update={"repetitions": repetitions})
    async with _single_run(services, gate or NoGate(), budget=budget) as run:
        await pages_made(services, comparison_id, worker=run.worker)
        item = await run.ledger.write(lambda unit: _begin(unit, comparison_id, choice, worker=run.worker))
        if item is None:
            raise Conflict(ELSEWHERE)
        return await run.read(judge, item, on_step=on_step)


async def judge_together(
    services: Services,
    asked: AskedJudges,
    comparison_id: str,
    *,
    through: Through | None = None,
    budget: Decimal | None = None,
    on_step: OnStep = lambda _: None,
    gate: SendingGate | None = None,
) -> dict[str, str]:
    """Have each of several judges read the comparison, one after another; the problem of each that failed, by name.

    Each may spend `budget` US dollars. Where judges are to read it already, those are. What another worker takes in
    between is its to end. Raises Conflict where another worker has the comparison just now, or takes it over.
    """
    problems: dict[str, str] = {}
    async with _single_run(services, gate or NoGate(), budget=budget) as run:
        await pages_made(services, comparison_id, worker=run.worker)
        begun = await run.ledger.write(lambda unit: _begin_all(unit, comparison_id, asked))
        for batch in begun:
            name = batch.judge.named or batch.judge.model
            item = await run.take(batch.id)
            if item is not None:
                judge = await asyncio.to_thread(
                    judge_by, services, batch.judge, project_id=batch.project_id, through=through
                )
                try:
                    await run.read(judge, item, on_step=partial(_step_of, on_step, name))
                finally:
                    await judge.close()
            if problem := await asyncio.to_thread(_problem_of, services, batch.id):
                problems[name] = problem
    return problems


def _step_of(on_step: OnStep, name: str, step: str) -> None:
    on_step(f"{name}: {step}")


def _problem_of(services: Services, batch_id: str) -> str | None:
    with services.database.read() as connection:
        failed = batches.failures(connection, batch_id, limit=1)
        return failed[0].problem if failed else batches.get(connection, batch_id).problem


@asynccontextmanager
async def _single_run(
    services: Services, gate: SendingGate, *, budget: Decimal | None
) -> AsyncIterator[_SingleRun]:
    """This process as a worker among the others, for as long as it reads one comparison."""
    here = asyncio.current_task()
    assert here is not None
    lost: list[str] = []

    def gone(id: str) -> None:
        if not lost:
            lost.append(id)
            here.cancel()

    ledger, examiner = Ledger(services), Examiner(services)
    run = _SingleRun(services, ledger, registry.new_single_run_id(services), gate, examiner, budget)
    try:
        async with Membership(
            services,
            ledger,
            worker=run.worker,
            on_share=gate.set_share,
            leased=run.leased.copy,
            on_lost=gone,
        ):
            yield run
    except asyncio.CancelledError:
        # As asyncio.timeout does it: only our own cancelling becomes an error of ours, not one from outside.
        if lost and here.uncancel() == 0:
            raise Conflict(ELSEWHERE) from None
        raise
    finally:
        await asyncio.to_thread(examiner.close)
        await asyncio.to_thread(ledger.close)


def _begin(unit: Unit, comparison_id: str, choice: JudgeChoice, *, worker: str) -> LeasedItem | None:
    """Ask for the pair and take it at once, so that no other worker does; None where another has it."""
    if progress_of(unit.connection, comparison_id, now=unit.at).state is JudgeState.RUNNING:
        return None
    batch = add_single(unit, comparison_id, choice, person_id=None)
    return batch_items.lease_single(unit, batch.id, worker=worker)


def _begin_all(unit: Unit, comparison_id: str, asked: AskedJudges) -> tuple[Batch, ...]:
    """Ask each of the judges for the pair; the batches that wait, one a judge. Raises Conflict where it is read."""
    if progress_of(unit.connection, comparison_id, now=unit.at).state is JudgeState.RUNNING:
        raise Conflict(ELSEWHERE)
    project_id = comparisons.get(unit.connection, comparison_id).project_id
    add_several(unit, comparison_id, asked, project_id=project_id, person_id=None)
    waiting = pair_batches.waiting_singles(unit.connection, comparison_id)
    return tuple(batches.get(unit.connection, batch_id) for batch_id in waiting)


async def _note_end(ledger: Ledger, item: LeasedItem, worker: str, problem: str, interrupted: bool) -> None:
    await ledger.write(
        lambda unit: batch_items.finish(
            unit,
            item.comparison_id,
            batch_id=item.batch_id,
            worker=worker,
            problem=problem,
            interrupted=interrupted,
        ),
        comparisons=(item.comparison_id,),
        batches=(item.batch_id,),
    )


async def _loaded(
    services: Services, ledger: Ledger, judge: Judge, item: LeasedItem, *, worker: str
) -> LoadedPair:
    """The pair, once its rubric is there or this process may write it. Raises ComparatorError."""

    def look() -> LoadedPair:
        with services.database.read() as connection:
            loaded, refused = load(services, connection, (item,), judge_of=lambda _: judge)
        if refused:
            raise refused[0].error
        return loaded[0]

    def take(unit: Unit, comparison: Comparison) -> bool:
        version = (comparison.task_version_id,)
        if not leases.take(unit, LeaseKind.RUBRIC, version, worker=worker):
            return False
        if rubric_in_force(unit.connection, comparison, judge) is None:
            return True
        # It was written between the look and the lease.
        leases.give_back(unit.connection, LeaseKind.RUBRIC, version, worker=worker)
        return False

    while True:
        found = await asyncio.to_thread(look)
        if found.rubric is not None or await ledger.write(partial(take, comparison=found.comparison)):
            return found
        await asyncio.sleep(LOOK_SECONDS)
