"""Judges a pair in this process, as a worker among the others that has this one pair in hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from comparator.domain.errors import ComparatorError, Conflict
from comparator.domain.labels import Frozen, Order
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.repetitions import Repetitions, first_round
from comparator.judges.protocol import Judge
from comparator.store.bulk import batch_items, leases
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import JudgeChoice
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.unit import Unit
from comparator.store.pairs.comparisons import Comparison
from comparator.workflow.judging import registry
from comparator.workflow.judging.examining import Examiner
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.load_pairs import Loaded, load, rubric_in_force
from comparator.workflow.judging.office_pages import ensure_made
from comparator.workflow.judging.paying.budgets import paying_for_model
from comparator.workflow.judging.paying.reservations import PairReservations
from comparator.workflow.judging.paying.shares import Gate, NoGate
from comparator.workflow.judging.progress import INTERRUPTED, progress_of
from comparator.workflow.judging.project_judge import choice_of
from comparator.workflow.judging.read_pair import PairReading
from comparator.workflow.judging.registry import Membership
from comparator.workflow.judging.single import add_single
from comparator.workflow.services import Services

OnStep = Callable[[str], None]
ELSEWHERE = "This comparison is being judged elsewhere at this moment. Wait for it to end."
LOOK_SECONDS = 0.5
"""Between looks at a rubric that another process is writing."""


class Outcome(Frozen):
    """How judging ended: which passes are there now, and what failed."""

    comparison_id: str
    passes: int
    wanted: int
    problem: str | None = None

    @property
    def complete(self) -> bool:
        """Whether every wanted pass is there."""
        return self.passes >= self.wanted


async def judge_comparison(
    services: Services,
    judge: Judge,
    comparison_id: str,
    *,
    repetitions: Repetitions | None = None,
    on_step: OnStep = lambda _: None,
    gate: Gate | None = None,
) -> Outcome:
    """Have the judge read the comparison. Failures of the judge are stored and told in the outcome.

    `on_step` gets a plain sentence at each step; `gate` is the one that the judge's requests pass, if they do.
    Raises Conflict where another worker has the comparison just now, or takes it over.
    """
    here = asyncio.current_task()
    assert here is not None
    lost: list[str] = []

    def gone(id: str) -> None:
        if not lost:
            lost.append(id)
            here.cancel()

    ledger, gate, examiner = Ledger(services), gate or NoGate(), Examiner(services)
    worker = registry.new_guest_id(services)
    held: list[str] = []
    try:
        async with Membership(
            services, ledger, worker=worker, on_share=gate.set_share, held=held.copy, on_lost=gone
        ):
            choice = choice_of(judge, services)
            if repetitions is not None:
                choice = choice.model_copy(update={"repetitions": repetitions})
            await asyncio.to_thread(ensure_made, services, comparison_id, worker=worker)
            item = await ledger.write(
                lambda unit: _begin(
                    services,
                    unit,
                    comparison_id,
                    choice,
                    worker=worker,
                )
            )
            if item is None:
                raise Conflict(ELSEWHERE)
            held.append(comparison_id)
            return await _read(
                services,
                ledger,
                judge,
                item,
                worker=worker,
                on_step=on_step,
                gate=gate,
                examiner=examiner,
                on_finish=held.clear,
            )
    except asyncio.CancelledError:
        # As asyncio.timeout does it: only our own cancelling becomes an error of ours, not one from outside.
        if lost and here.uncancel() == 0:
            raise Conflict(ELSEWHERE) from None
        raise
    finally:
        await asyncio.to_thread(examiner.close)
        await asyncio.to_thread(ledger.close)


def _begin(
    services: Services, unit: Unit, comparison_id: str, choice: JudgeChoice, *, worker: str
) -> LeasedItem | None:
    """Ask for the pair and take it at once, so that no other worker does; None where another has it."""
    if progress_of(unit.connection, comparison_id, now=services.now()).state is JudgeState.RUNNING:
        return None
    batch = add_single(unit, comparison_id, choice, person_id=None)
    return batch_items.lease_single(unit, batch.id, worker=worker)


async def _read(
    services: Services,
    ledger: Ledger,
    judge: Judge,
    item: LeasedItem,
    *,
    worker: str,
    on_step: OnStep,
    gate: Gate,
    examiner: Examiner,
    on_finish: Callable[[], None],
) -> Outcome:
    problem, interrupted, noted = INTERRUPTED, True, False
    reading: PairReading | None = None
    try:
        loaded = await _loaded(services, ledger, judge, item, worker=worker)

        def paying(unit: Unit) -> PairReservations:
            identity = judge.identity
            found = paying_for_model(
                services,
                unit,
                kind=identity.kind,
                model=identity.model,
                budget_id=None,
            )
            return PairReservations(services, ledger, paying=found, model=identity.model, worker=worker)

        reservations = await ledger.write(paying)
        reading = PairReading(
            services, ledger, judge, loaded,
            worker=worker, on_step=on_step, reservations=reservations, saved=gate.saved, examiner=examiner,
            on_finish=on_finish,
        )  # fmt: skip
        await reading.run()
        noted = True
        return Outcome(
            comparison_id=item.comparison_id,
            passes=reading.done,
            wanted=reading.wanted,
            problem=reading.problem,
        )
    except ComparatorError as error:
        problem, interrupted = str(error), False
        return Outcome(
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
            on_finish()
            await asyncio.shield(_note_end(ledger, item, worker, problem, interrupted))


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
) -> Loaded:
    """The pair, once its rubric is there or this process may write it. Raises ComparatorError."""

    def look() -> Loaded:
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
