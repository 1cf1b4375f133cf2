"""Reads one pair, from its rubric to its last reading, wherever it was asked for; each answer is stored at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from comparator.domain.errors import JudgeError, JudgeNotAllowed, JudgeUnavailable
from comparator.domain.labels import Label, Order
from comparator.domain.pair.view import BlindedPair, Family
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.repetitions import first_round, why_again
from comparator.domain.usage import Call
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import WAITING, Judge, Owner, PassReply, RubricReply
from comparator.judges.two_orders import judge_pair, missing_passes
from comparator.store.bulk import batch_items, batches, leases
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit
from comparator.store.judging import judgments
from comparator.store.judging.attempts import Problem, TryRecord
from comparator.store.judging.rubrics import RubricVersion
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.load_pairs import LoadedPair, rubric_in_force
from comparator.workflow.judging.paying.reservations import PairReservations, Reservation
from comparator.workflow.judging.rubrics import keep_draft, keep_failed_draft
from comparator.workflow.services import Services

if TYPE_CHECKING:
    from comparator.judges.tools.examination import Examination
    from comparator.judges.tools.material import Material
    from comparator.workflow.judging.examining import Examiner

log = logging.getLogger(__name__)

MOST_TRIES = 3
"""How often a comparison is taken up again after failures that may pass."""


class PairEnd(StrEnum):
    """What became of a comparison."""

    DONE = "done"
    FAILED = "failed"
    LATER = "later"
    """It waits to be tried once more."""
    STOPPED = "stopped"
    """The whole batch cannot go on."""


def families_of(pair: BlindedPair) -> tuple[Family, ...]:
    """The file families of both outputs, each once, in the order of the enumeration; nothing tells them apart."""
    present = {file.family for label in Label for file in pair.outputs[label].files}
    return tuple(family for family in Family if family in present)


@dataclass
class PairReading:
    """Reads one comparison that this worker has leased."""

    services: Services
    ledger: Ledger
    judge: Judge
    loaded: LoadedPair
    worker: str
    reservations: PairReservations | None = None
    saved: Callable[[Owner], None] = lambda _: None
    """Told whose answer is stored."""
    examiner: Examiner | None = None
    """Gives the judge its tools, where it has any."""
    rubrics_here: set[str] = field(default_factory=set)
    """Task versions for which this worker had rubrics written; shared by its readings."""
    on_finish: Callable[[], None] = lambda: None
    """Told when the lease is given back, which nobody has taken then."""
    on_step: Callable[[str], None] = lambda _: None
    """Told a plain sentence at each step."""

    def __post_init__(self) -> None:
        self.problem: str | None = None
        """What went wrong, once it has ended."""
        self.done = 0
        """How many readings are stored."""
        self._problems: list[JudgeError] = []
        self._left = 0
        self._rounds = first_round(self.loaded.item.judge.repetitions)
        self._notes: set[asyncio.Task[None]] = set()
        self._owners: dict[tuple[Order, int] | None, Owner] = {}
        self._examinations: dict[tuple[Order, int], Examination] = {}

    async def run(self) -> PairEnd:
        """Reads what is missing. What a sender raises to end it is raised; the lease is kept then."""
        self._tell("Reading both outputs")
        try:
            rubric = await self._rubric()
            return await self._read(rubric)
        except JudgeError as error:
            # Of the rubric: without one there is nothing to read.
            return await self._end((error,))
        finally:
            for owner in self._owners.values():
                self.saved(owner)
            await self._close_rest()

    def _tell(self, step: str) -> None:
        """Say at which step it is (empty: no longer waiting); it is noted where somebody looks at it."""
        if step:
            self.on_step(step)
        item = self.loaded.item
        if item.single or step.startswith(WAITING) or not step:
            note = asyncio.create_task(
                self.ledger.write(
                    lambda unit: leases.note_step(
                        unit.connection, item.comparison_id, worker=self.worker, step=step
                    )
                )
            )
            self._notes.add(note)
            note.add_done_callback(self._noted)

    def _noted(self, note: asyncio.Task[None]) -> None:
        self._notes.discard(note)
        if not note.cancelled() and (error := note.exception()) is not None:
            # What is paid for is worth more than the word of where it is.
            log.warning("a step could not be noted: %s", error)

    def _owner(self, reading: tuple[Order, int] | None) -> Owner:
        """Whose the requests of a reading are, or (None) those of the rubric."""
        item = self.loaded.item
        if reading not in self._owners:
            self._owners[reading] = Owner(
                comparison_id=item.comparison_id,
                batch_id=item.batch_id,
                priority=item.priority,
                position=item.position,
                writes_rubric=reading is None,
                reserve=None if self.reservations is None else self.reservations.set_aside,
                tell=self._tell,
            )
        return self._owners[reading]

    async def _rubric(self) -> RubricVersion:
        """The rubric that holds, written now where there is none. Raises JudgeError; the failed try is stored."""
        if self.loaded.rubric is not None:
            return self.loaded.rubric
        self._tell("Writing the rubric")
        services, judge, comparison = self.services, self.judge, self.loaded.comparison
        async with services.rubric_locks.writing_rubric(comparison.task_version_id):
            if comparison.task_version_id in self.rubrics_here:
                # Another pair of the same task has had it written since this one was loaded.
                in_force = await asyncio.to_thread(self._rubric_in_force)
                if in_force is not None:
                    return in_force
            owner = self._owner(None)
            kept: tuple[Reservation, ...] = ()
            try:
                reply = await judge.write_rubric(
                    comparison.wording, families=families_of(self.loaded.pair), on_behalf_of=owner
                )
            except JudgeError as error:
                failed, kept = error, self._taken(owner)

                def keep_failure(unit: Unit) -> None:
                    if failed.calls:
                        keep_failed_draft(unit, judge, comparison, error=failed)
                    self._close(unit, kept, failed)
                    self._give_back_rubric(unit.connection)

                await self.ledger.write(keep_failure)
                raise
            kept = self._taken(owner)

            def keep(unit: Unit) -> RubricVersion:
                stored = keep_draft(unit, judge, comparison, reply)
                self._close(unit, kept, reply)
                self._give_back_rubric(unit.connection)
                return stored

            try:
                return await self.ledger.write(keep)
            finally:
                self.rubrics_here.add(comparison.task_version_id)
                self.saved(owner)

    def _give_back_rubric(self, connection: Connection) -> None:
        version = self.loaded.comparison.task_version_id
        leases.give_back(connection, LeaseKind.RUBRIC, (version,), worker=self.worker)

    def _rubric_in_force(self) -> RubricVersion | None:
        with self.services.database.read() as connection:
            return rubric_in_force(connection, self.loaded.comparison, self.judge)

    async def _read(self, rubric: RubricVersion) -> PairEnd:
        given = list(self.loaded.read)
        ended: list[PairEnd] = []
        material: Material | None = None
        if self.examiner is not None and self.loaded.with_tools:
            material = await asyncio.to_thread(self.examiner.material, self.loaded)

        def tools_of(order: Order, repetition: int) -> Examination | None:
            if material is None or self.examiner is None:
                return None
            return self._examinations.setdefault((order, repetition), self.examiner.examination(material))

        async def keep(order: Order, repetition: int, outcome: PassReply | JudgeError) -> None:
            self._left -= 1
            if isinstance(outcome, JudgeError):
                self._problems.append(outcome)
            else:
                self.done += 1
                given.append(Pass(order=order, repetition=repetition, answer=outcome.answer))
            last = not self._left and not self._reads_again(rubric, given)
            owner = self._owner((order, repetition))
            kept = self._taken(owner)

            def write(unit: Unit) -> PairEnd | None:
                # Without a request there was no try, and nothing to keep.
                if outcome.calls or not isinstance(outcome, JudgeError):
                    self._keep(unit, rubric, order, repetition, outcome)
                self._close(unit, kept, outcome)
                return self._finish(unit, tuple(self._problems)) if last else None

            try:
                result = await self._write(write, last=last)
            finally:
                self.saved(owner)
            if result is not None:
                ended.append(result)
            else:
                self._tell(self._far())

        while not ended:
            self._left = len(missing_passes(tuple(given), repetitions=self._rounds))
            self.done = self.wanted - self._left
            if not self._left:
                if not self._reads_again(rubric, given):
                    return await self._end(())
                self._rounds += 1
                continue
            self._tell(self._far())
            await judge_pair(
                self.judge,
                self.loaded.pair,
                rubric.rubric,
                have=tuple(given),
                repetitions=self._rounds,
                on_done=keep,
                owner_of=lambda order, repetition: self._owner((order, repetition)),
                tools_of=tools_of,
            )
        return ended[0]

    def _reads_again(self, rubric: RubricVersion, given: Sequence[Pass]) -> bool:
        """Whether another reading in each order follows those that are there."""
        # The offline check says the same each time.
        choice = self.loaded.item.judge
        fixed = choice.repetitions != "auto" or choice.kind == "offline"
        return not fixed and not self._problems and bool(why_again(rubric.rubric, given))

    @property
    def wanted(self) -> int:
        """How many readings there are to be."""
        return self._rounds * len(Order)

    def _far(self) -> str:
        return f"Judging in both orders: {self.done} of {self.wanted} readings done"

    def _keep(
        self,
        unit: Unit,
        rubric: RubricVersion,
        order: Order,
        repetition: int,
        outcome: PassReply | JudgeError,
    ) -> None:
        """Store an answer, or what went wrong."""
        judgment = judgments.ensure_judgment(
            unit,
            self.loaded.comparison.id,
            view_digests=self.loaded.digests,
            rubric_id=rubric.id,
            judge=self.judge.identity,
            order=order,
            repetition=repetition,
            trial=self.loaded.item.trial,
        )
        problem, calls = None, outcome.calls
        if isinstance(outcome, JudgeError):
            problem = Problem(kind=type(outcome).__name__, message=str(outcome))
        elif outcome.contradicted is not None:
            before, calls = calls[: outcome.calls_before], calls[outcome.calls_before :]
            judgments.keep_contradicted(
                unit,
                judgment.id,
                self._tried(before),
                answer=outcome.contradicted,
            )
        examined = self._examinations.get((order, repetition))
        judgments.keep_try(
            unit,
            judgment.id,
            self._tried(calls, problem),
            looked_at=examined.looked_at() if examined is not None else None,
            answer=None if isinstance(outcome, JudgeError) else outcome.answer,
        )

    def _tried(self, calls: tuple[Call, ...], problem: Problem | None = None) -> TryRecord:
        return TryRecord(
            calls=calls, prompts=self.judge.prompt_digests, cost=cost_of_calls(calls), problem=problem
        )

    async def _end(self, problems: tuple[JudgeError, ...]) -> PairEnd:
        result = await self._write(lambda unit: self._finish(unit, problems), last=True)
        assert result is not None
        return result

    async def _write(self, write: Callable[[Unit], PairEnd | None], *, last: bool) -> PairEnd | None:
        item = self.loaded.item
        return await self.ledger.write(
            write, comparisons=(item.comparison_id,), batches=(item.batch_id,) if last else ()
        )

    def _finish(self, unit: Unit, problems: tuple[JudgeError, ...]) -> PairEnd:
        """What becomes of the comparison after its last reading; nothing where another worker has it by now."""
        item = self.loaded.item
        self.on_finish()
        if not problems:
            self._note(unit, None)
            return PairEnd.DONE
        self.problem = why = " ".join(dict.fromkeys(str(problem) for problem in problems))
        # Key, rights or money: no other pair of the batch would fare better.
        barred = next((p for p in problems if isinstance(p, JudgeNotAllowed)), None)
        if barred is not None and not item.single:
            batch_items.give_back(unit, (item.comparison_id,), worker=self.worker)
            batches.stop_for(unit.connection, item.batch_id, problem=str(barred))
            return PairEnd.STOPPED
        passing = all(isinstance(problem, JudgeUnavailable) for problem in problems)
        if passing and not item.single and item.tries + 1 < MOST_TRIES:
            batch_items.try_again_later(unit, item, worker=self.worker)
            return PairEnd.LATER
        self._note(unit, why)
        return PairEnd.FAILED

    def _note(self, unit: Unit, problem: str | None) -> None:
        item = self.loaded.item
        batch_items.finish(
            unit,
            item.comparison_id,
            batch_id=item.batch_id,
            worker=self.worker,
            problem=problem,
        )

    def _taken(self, owner: Owner) -> tuple[Reservation, ...]:
        return () if self.reservations is None else self.reservations.take(owner)

    def _close(
        self, unit: Unit, kept: tuple[Reservation, ...], outcome: PassReply | RubricReply | JudgeError
    ) -> None:
        if self.reservations is not None and kept:
            self.reservations.close(unit, kept, calls=outcome.calls)

    async def _close_rest(self) -> None:
        reservations = self.reservations
        left = reservations.take_all() if reservations is not None else ()
        if reservations is not None and left:
            with suppress(asyncio.CancelledError):
                await asyncio.shield(self.ledger.write(lambda unit: reservations.close_unknown(unit, left)))
