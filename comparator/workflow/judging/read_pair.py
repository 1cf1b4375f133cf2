"""Reads one pair, from its rubric to its last reading, wherever it was asked for; each answer is stored at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from comparator.domain.errors import ComparatorError, JudgeError, JudgeNotAllowed
from comparator.domain.labels import Frozen, Label, Order
from comparator.domain.pair.view import Family
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.repetitions import first_round, is_read_again
from comparator.domain.scoring.rubric import Rubric
from comparator.judges.protocol import (
    WAITING,
    Judge,
    Owner,
    PassReply,
    QuestionResult,
    judge_pair,
    missing_passes,
)
from comparator.store.bulk import batch_items, batches, leases
from comparator.store.core.sql import Unit
from comparator.store.judging import judgments
from comparator.store.judging.rubrics import RubricVersion
from comparator.workflow.judging.paying import PairReservations, try_of
from comparator.workflow.judging.registry import Membership
from comparator.workflow.judging.rubrics import LoadedPair, keep_draft, keep_try, rubric_in_force

if TYPE_CHECKING:
    from comparator.judges.tools.examination import Examination
    from comparator.judges.tools.material import Material
    from comparator.workflow.judging.rubrics import Examiner

OnStep = Callable[[str], None]
LOOK_SECONDS = 0.5
"""Between looks at a rubric that another process is writing."""


def quiet(_step: str) -> None:
    """Tells nobody."""


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


@dataclass
class PairReading:
    """Reads one comparison that this process has leased."""

    me: Membership
    judge: Judge
    loaded: LoadedPair
    reservations: PairReservations
    rubric_lock: asyncio.Lock
    """Taken by whoever gets the rubric of this pair's task in this process."""
    examiner: Examiner
    """Gives the judge its tools, where it has any."""
    on_step: OnStep = quiet
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

    async def run(self) -> None:
        """Read what is missing. What a sender raises to end it is raised; the lease is kept then."""
        self._tell("Reading both outputs")
        try:
            await self._read(await self._rubric())
        except JudgeError as error:
            # Of the rubric: without one there is nothing to read.
            await self._end((error,))
        finally:
            for owner in self._owners.values():
                self.me.gate.saved(owner)
            await self.reservations.close_rest()

    def _tell(self, step: str) -> None:
        """Say at which step it is (empty: no longer waiting); it is noted where somebody looks at it."""
        if step:
            self.on_step(step)
        item = self.loaded.item
        if item.single or step.startswith(WAITING) or not step:

            async def write() -> None:
                # What is paid for is worth more than the word of where it is.
                with suppress(ComparatorError):
                    await self.me.ledger.write(
                        lambda unit: leases.note_step(unit, item.comparison_id, worker=self.me.id, step=step)
                    )

            note = asyncio.create_task(write())
            self._notes.add(note)
            note.add_done_callback(self._notes.discard)

    def _owner(self, reading: tuple[Order, int] | None) -> Owner:
        """Whose the requests of a reading are, or (None) those of the rubric."""
        item = self.loaded.item
        if reading not in self._owners:
            self._owners[reading] = Owner(
                comparison_id=item.comparison_id,
                batch_id=item.batch_id,
                urgent=bool(item.single),
                position=item.position,
                writes_rubric=reading is None,
                reserve=self.reservations.set_aside,
                tell=self._tell,
            )
        return self._owners[reading]

    async def _rubric(self) -> RubricVersion:
        """The rubric that holds, written now where there is none. Raises JudgeError; the failed try is stored."""
        if self.loaded.rubric is not None:
            return self.loaded.rubric
        self._tell("Writing the rubric")
        judge, comparison = self.judge, self.loaded.comparison

        def look(unit: Unit) -> RubricVersion | bool:
            """The rubric, or whether this process is to write it."""
            mine = bool(
                leases.take(unit, leases.LeaseKind.RUBRIC, (comparison.task_version_id,), worker=self.me.id)
            )
            # It may have been written between the last look and the lease.
            in_force = rubric_in_force(unit, comparison, judge.identity)
            if mine and in_force is not None:
                self._give_back_rubric(unit)
            return in_force or mine

        async with self.rubric_lock:
            while not (rubric := await self.me.ledger.write(look)):  # noqa: ASYNC110  # another process writes it
                await asyncio.sleep(LOOK_SECONDS)
            if isinstance(rubric, RubricVersion):
                return rubric
            outputs, owner = self.loaded.pair.outputs, self._owner(None)
            # The families of both outputs, in the order of the enumeration; nothing tells them apart.
            present = {file.family for label in Label for file in outputs[label].files}
            families = tuple(family for family in Family if family in present)
            reply: QuestionResult[Rubric] | JudgeError | None = None
            try:
                reply = await judge.write_rubric(comparison.wording, families=families, on_behalf_of=owner)
            except JudgeError as error:
                reply = error
                raise
            finally:
                stored = await asyncio.shield(self.me.ledger.write(partial(self._keep_rubric, reply)))
                self._saved(owner, settled=reply is not None)
            assert stored is not None
            return stored

    def _keep_rubric(
        self, reply: QuestionResult[Rubric] | JudgeError | None, unit: Unit
    ) -> RubricVersion | None:
        """Store what came of a rubric (None: it is still to come), and let others write one."""
        judge, comparison, stored = self.judge, self.loaded.comparison, None
        if isinstance(reply, QuestionResult):
            stored = keep_draft(unit, judge, comparison, reply)
        elif reply is not None and reply.calls:
            keep_try(unit, judge, comparison.task_version_id, reply)
        if reply is not None:
            self.reservations.close(unit, self._owner(None), calls=reply.calls)
        self._give_back_rubric(unit)
        return stored

    def _saved(self, owner: Owner, *, settled: bool = True) -> None:
        """What came of this owner's requests is stored, and where `settled` paid too."""
        self.me.gate.saved(owner)
        if settled:
            self.reservations.open.pop(owner, None)

    def _give_back_rubric(self, unit: Unit) -> None:
        version = self.loaded.comparison.task_version_id
        leases.give_back(unit, leases.LeaseKind.RUBRIC, (version,), worker=self.me.id)

    async def _read(self, rubric: RubricVersion) -> None:
        given = list(self.loaded.read)
        ended = False
        material: Material | None = None
        if self.loaded.with_tools:
            material = await asyncio.to_thread(self.examiner.material, self.loaded)

        def tools_of(order: Order, repetition: int) -> Examination | None:
            if material is None:
                return None
            return self._examinations.setdefault((order, repetition), self.examiner.examination(material))

        async def keep(order: Order, repetition: int, outcome: PassReply | JudgeError) -> None:
            nonlocal ended
            self._left -= 1
            if isinstance(outcome, JudgeError):
                self._problems.append(outcome)
            else:
                self.done += 1
                given.append(Pass(order=order, repetition=repetition, answer=outcome.answer))
            last = not self._left and not self._reads_again(rubric, given)
            owner = self._owner((order, repetition))

            def write(unit: Unit) -> None:
                # Without a request there was no try, and nothing to keep.
                if outcome.calls or not isinstance(outcome, JudgeError):
                    self._keep(unit, rubric, order, repetition, outcome)
                self.reservations.close(unit, owner, calls=outcome.calls)
                if last:
                    self._finish(unit, tuple(self._problems))

            try:
                await self._write(write, last=last)
            finally:
                self._saved(owner)
            ended = last
            if not last:
                self._tell(self._far())

        while not ended:
            self._left = len(missing_passes(tuple(given), repetitions=self._rounds))
            self.done = self.wanted - self._left
            if not self._left:
                if not self._reads_again(rubric, given):
                    await self._end(())
                    return
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

    def _reads_again(self, rubric: RubricVersion, given: Sequence[Pass]) -> bool:
        """Whether another reading in each order follows those that are there."""
        # The offline check says the same each time.
        choice = self.loaded.item.judge
        fixed = choice.repetitions != "auto" or choice.kind == "offline"
        return not fixed and not self._problems and is_read_again(rubric.rubric, given)

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
        judgment_id = judgments.ensure_judgment(
            unit,
            self.loaded.comparison.id,
            view_digests=self.loaded.digests,
            rubric_id=rubric.id,
            judge=self.judge.identity,
            guidance=self.judge.identity.guidance,
            order=order,
            repetition=repetition,
            trial=self.loaded.item.trial,
        )
        calls, prompts = outcome.calls, self.judge.prompt_digests
        error = outcome if isinstance(outcome, JudgeError) else None
        if not isinstance(outcome, JudgeError) and outcome.contradicted is not None:
            before, calls = try_of(calls[: outcome.calls_before], prompts), calls[outcome.calls_before :]
            judgments.keep_contradicted(unit, judgment_id, before, answer=outcome.contradicted)
        examined = self._examinations.get((order, repetition))
        judgments.keep_try(
            unit,
            judgment_id,
            try_of(calls, prompts, error),
            looked_at=examined.calls if examined is not None else None,
            answer=None if isinstance(outcome, JudgeError) else outcome.answer,
        )

    async def _end(self, problems: tuple[JudgeError, ...]) -> None:
        await self._write(lambda unit: self._finish(unit, problems), last=True)

    async def _write(self, write: Callable[[Unit], None], *, last: bool) -> None:
        item = self.loaded.item
        await self.me.ledger.write(
            write, comparisons=(item.comparison_id,), batches=(item.batch_id,) if last else ()
        )

    def _finish(self, unit: Unit, problems: tuple[JudgeError, ...]) -> None:
        """What becomes of the comparison after its last reading; nothing where another worker has it by now."""
        item = self.loaded.item
        # From here on nobody can take it over.
        self.me.held.pop(item.comparison_id, None)
        self.problem = " ".join(dict.fromkeys(str(problem) for problem in problems)) or None
        # Key, rights or money: no other pair of the batch would fare better.
        barred = next((p for p in problems if isinstance(p, JudgeNotAllowed)), None)
        state = batches.ItemState.FAILED if problems else batches.ItemState.DONE
        became: dict[str, Any] = {"state": state, "problem": self.problem}
        if barred is not None and not item.single:
            became = {}
            batches.stop_for(unit, item.batch_id, problem=str(barred))
        batch_items.let_go(unit, item.batch_id, item.comparison_id, worker=self.me.id, **became)
