"""One comparison of a batch, from its rubric to its last reading; every answer is stored as soon as it is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from comparator.domain.errors import JudgeError, JudgeNotAllowed, JudgeUnavailable
from comparator.domain.judgment import Pass, merge
from comparator.domain.labels import Order
from comparator.domain.usage import Call
from comparator.jobs.gate import CURRENT, Passenger
from comparator.jobs.ledger import Ledger
from comparator.jobs.loading import Loaded, read_already, rubric_in_force
from comparator.jobs.reservations import Kept, PairReservations
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import Judge, PassReply, RubricReply
from comparator.judges.two_orders import judge_pair, missing_passes
from comparator.store.bulk import batch_items, batches, workers
from comparator.store.bulk.first_readings import Rows
from comparator.store.core.database import Connection
from comparator.store.judging import judgments
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.rollup import rollup
from comparator.workflow.judging.read_pair import families_of, keep_reading
from comparator.workflow.judging.rubrics import first_rubric, keep_draft, keep_failed_draft
from comparator.workflow.services import Services

MOST_TRIES = 3
"""How often a comparison is taken up again after failures that may pass."""


class Ended(StrEnum):
    """What became of a comparison."""

    DONE = "done"
    FAILED = "failed"
    LATER = "later"
    """It waits to be tried once more."""
    STOPPED = "stopped"
    """The whole batch cannot go on."""


def rubric_key(task_version_id: str) -> str:
    """The lease for writing the rubric of a task version."""
    return f"rubric:{task_version_id}"


@dataclass
class PairReading:
    """Reads one comparison under a claim of this worker."""

    services: Services
    ledger: Ledger
    judge: Judge
    loaded: Loaded
    worker: str
    purse: PairReservations | None = None
    saved: Callable[[], None] = lambda: None
    """Told in the task of a request once what came of it is stored."""
    rubrics_here: set[str] = field(default_factory=set)
    """Task versions for which this worker had rubrics written; shared by its readings."""

    def __post_init__(self) -> None:
        self._problems: list[JudgeError] = []
        self._first: list[tuple[datetime, Pass]] = []
        self._calls: list[Call] = []
        self._left = 0
        self._plain = True
        """Whether every reading so far was one try that succeeded."""

    async def run(self) -> Ended:
        """Reads what is missing. Raises Halted (or what an office raises) where it is to go on later; the claim is
        held then.
        """
        item = self.loaded.item
        passenger = Passenger(item.batch_id, item.priority, item.position, purse=self.purse)
        CURRENT.set(passenger)
        try:
            rubric = await self._rubric()
            passenger.stage = 1
            return await self._read(rubric)
        except JudgeError as error:
            # Of the rubric: without one there is nothing to read.
            return await self._end((error,))
        finally:
            self.saved()
            await self._settle_rest()

    async def _rubric(self) -> RubricVersion:
        """The rubric that holds, written now where there is none. Raises JudgeError; the failed try is stored."""
        if self.loaded.rubric is not None:
            return self.loaded.rubric
        services, judge, comparison = self.services, self.judge, self.loaded.comparison
        async with services.rubric_locks.writing_rubric(comparison.task_version_id):
            if comparison.task_version_id in self.rubrics_here:
                # Another pair of the same task has had it written since this one was loaded.
                held = await asyncio.to_thread(self._rubric_in_force)
                if held is not None:
                    return held
            key = rubric_key(comparison.task_version_id)
            kept: tuple[Kept, ...] = ()
            try:
                reply = await judge.write_rubric(comparison.wording, families=families_of(self.loaded.pair))
            except JudgeError as error:
                failed, kept = error, self._taken()

                def keep_failure(connection: Connection) -> None:
                    if failed.calls:
                        keep_failed_draft(services, connection, judge, comparison, error=failed)
                    self._settle(connection, kept, failed)
                    workers.free_lease(connection, key, worker=self.worker)

                await self.ledger.write(keep_failure)
                raise
            kept = self._taken()
            rows: tuple[Rows, RubricVersion] | None = None
            if self.purse is None and self.loaded.without_rubric:
                first = first_rubric(services, judge, comparison, reply)
                new = Rows(
                    rubrics=[first.rubric],
                    criteria=first.criteria,
                    rubric_attempts=[first.attempt],
                    leases=[key],
                )
                rows = new, first.version

            def keep(connection: Connection) -> RubricVersion:
                stored = keep_draft(services, connection, judge, comparison, reply)
                self._settle(connection, kept, reply)
                workers.free_lease(connection, key, worker=self.worker)
                return stored

            try:
                if rows is None:
                    return await self.ledger.write(keep)
                return await self.ledger.write_rows(*rows, otherwise=keep)
            finally:
                self.rubrics_here.add(comparison.task_version_id)
                self.saved()

    def _rubric_in_force(self) -> RubricVersion | None:
        with self.services.database.read() as connection:
            return rubric_in_force(connection, self.loaded.comparison, self.judge)

    async def _read(self, rubric: RubricVersion) -> Ended:
        def stored() -> tuple[Pass, ...]:
            with self.services.database.read() as connection:
                return read_already(connection, self.loaded, rubric, judge=self.judge)

        have = () if self.loaded.unheard_of else await asyncio.to_thread(stored)
        repetitions = self.loaded.item.judge.repetitions
        self._left = len(missing_passes(have, repetitions=repetitions))
        if not self._left:
            return await self._end(())
        ended: list[Ended] = []

        async def keep(order: Order, repetition: int, outcome: PassReply | JudgeError) -> None:
            self._left -= 1
            if isinstance(outcome, JudgeError):
                self._problems.append(outcome)
            last = not self._left
            kept = self._taken()

            def act(connection: Connection) -> Ended | None:
                # Without a request there was no try, and nothing to keep.
                if outcome.calls or not isinstance(outcome, JudgeError):
                    keep_reading(
                        self.services,
                        connection,
                        self.judge,
                        self.loaded.comparison.id,
                        digests=self.loaded.digests,
                        rubric=rubric,
                        order=order,
                        repetition=repetition,
                        outcome=outcome,
                    )
                self._settle(connection, kept, outcome)
                return self._finish(connection, tuple(self._problems)) if last else None

            try:
                rows = self._rows(rubric, order, repetition, outcome, last=last)
                if rows is None:
                    result = await self._write(act, last=last)
                else:
                    result = await self.ledger.write_rows(
                        rows,
                        Ended.DONE if last else None,
                        otherwise=act,
                        comparisons=(self.loaded.comparison.id,),
                        batches=(self.loaded.item.batch_id,) if last else (),
                    )
            finally:
                self.saved()
            if result is not None:
                ended.append(result)

        await judge_pair(
            self.judge, self.loaded.pair, rubric.rubric, have=have, repetitions=repetitions, on_done=keep
        )
        return ended[0]

    def _rows(
        self,
        rubric: RubricVersion,
        order: Order,
        repetition: int,
        outcome: PassReply | JudgeError,
        *,
        last: bool,
    ) -> Rows | None:
        """The reading as plain rows, where nothing that the database holds could alter them."""
        if isinstance(outcome, JudgeError) or outcome.contradicted is not None:
            self._plain = False
            return None
        if not (self._plain and self.loaded.unheard_of and self.purse is None and not self._problems):
            return None
        services, judge, item = self.services, self.judge.identity, self.loaded.item
        at, cost = services.now(), cost_of_calls(outcome.calls)
        judgment, attempt = judgments.rows_of_first(
            item.comparison_id,
            view_digests=self.loaded.digests,
            rubric_id=rubric.id,
            judge=judge,
            order=order,
            repetition=repetition,
            answer=outcome.answer,
            calls=outcome.calls,
            prompts=self.judge.prompt_digests,
            cost=cost,
            new_id=services.new_id,
            at=at,
        )
        self._first.append((at, Pass(order=order, repetition=repetition, answer=outcome.answer)))
        self._calls.extend(outcome.calls)
        known = cost_of_calls(tuple(self._calls))
        rows = Rows(judgments=[judgment], attempts=[attempt])
        named = {"comparison_id": item.comparison_id}
        if last:
            ordered = sorted(self._first, key=lambda one: (one[0], one[1].order.value, one[1].repetition))
            merged = merge(rubric.rubric, tuple(one for _, one in ordered))
            by = {"batch_id": item.batch_id, "worker": self.worker}
            rows.judged.append(
                named | by | rollup.when_judged(merged, kind=judge.kind, model=judge.model, cost=known)
            )
        else:
            rows.begun.append(named | rollup.when_begun(kind=judge.kind, model=judge.model, cost=known))
        return rows

    async def _end(self, problems: tuple[JudgeError, ...]) -> Ended:
        result = await self._write(lambda connection: self._finish(connection, problems), last=True)
        assert result is not None
        return result

    async def _write(self, act: Callable[[Connection], Ended | None], *, last: bool) -> Ended | None:
        item = self.loaded.item
        return await self.ledger.write(
            act, comparisons=(item.comparison_id,), batches=(item.batch_id,) if last else ()
        )

    def _finish(self, connection: Connection, problems: tuple[JudgeError, ...]) -> Ended:
        """What becomes of the comparison after its last reading; nothing where another worker has it by now."""
        item, at = self.loaded.item, self.services.now()
        if not problems:
            self._note(connection, None)
            return Ended.DONE
        said = " ".join(dict.fromkeys(str(problem) for problem in problems))
        # Key, rights or money: no other pair of the batch would fare better.
        barred = next((p for p in problems if isinstance(p, JudgeNotAllowed)), None)
        if barred is not None:
            batch_items.give_back(connection, (item.comparison_id,), worker=self.worker, at=at)
            batches.stop_for(connection, item.batch_id, problem=str(barred))
            return Ended.STOPPED
        passing = all(isinstance(problem, JudgeUnavailable) for problem in problems)
        if passing and item.tries + 1 < MOST_TRIES:
            batch_items.give_back(connection, (item.comparison_id,), worker=self.worker, tried=True, at=at)
            return Ended.LATER
        self._note(connection, said)
        return Ended.FAILED

    def _note(self, connection: Connection, problem: str | None) -> None:
        item = self.loaded.item
        batch_items.finish(
            connection,
            item.comparison_id,
            batch_id=item.batch_id,
            worker=self.worker,
            problem=problem,
            at=self.services.now(),
        )

    def _taken(self) -> tuple[Kept, ...]:
        return () if self.purse is None else self.purse.take()

    def _settle(
        self, connection: Connection, kept: tuple[Kept, ...], outcome: PassReply | RubricReply | JudgeError
    ) -> None:
        if self.purse is not None and kept:
            self.purse.settle(connection, kept, calls=outcome.calls)

    async def _settle_rest(self) -> None:
        purse = self.purse
        left = purse.take_all() if purse is not None else ()
        if purse is not None and left:
            with suppress(asyncio.CancelledError):
                await asyncio.shield(
                    self.ledger.write(lambda connection: purse.settle_unknown(connection, left))
                )
