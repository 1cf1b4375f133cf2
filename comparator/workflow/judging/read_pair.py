"""Having a comparison judged: rubric, then both orders; what is stored already is never paid for again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext

from comparator.domain.errors import ComparatorError, Conflict, JudgeError, StoreError
from comparator.domain.judgment import Pass
from comparator.domain.labels import Frozen, Label, Order, PerOutput
from comparator.domain.view import BlindedPair, Family, OutputView
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import Judge, PassReply
from comparator.judges.two_orders import judge_pair, missing_passes
from comparator.store.core.database import Connection
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.attempts import Problem
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, outputs
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.store.rollup import rollup
from comparator.workflow.judging.allowance import Allowance
from comparator.workflow.judging.leases import ELSEWHERE, INTERRUPTED, Heartbeat, Lost, finish, lease
from comparator.workflow.judging.rubrics import ensure_rubric, suits
from comparator.workflow.services import Services

OnStep = Callable[[str], None]
STORE_PAUSES = (0.2, 1.0, 3.0)
"""Seconds between tries to store an answer in a database that is busy."""


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
    repetitions: int | None = None,
    on_step: OnStep = lambda _: None,
    worker: str | None = None,
    place: AbstractAsyncContextManager[object] | None = None,
) -> Outcome:
    """Have the judge read the comparison. Failures of the judge are stored and told in the outcome.

    `on_step` gets a plain sentence at each step. `worker` is the id under which the comparison was claimed; None
    claims it now. `place` is entered before the judge begins. Raises Conflict where another run has the comparison
    just now, or takes it over.
    """
    worker = worker or lease(services, judge, comparison_id)
    if worker is None:
        raise Conflict(ELSEWHERE)
    repetitions = repetitions or services.settings.repetitions
    problem: str | None = INTERRUPTED
    interrupted = True
    try:
        async with Heartbeat(services, comparison_id, worker=worker) as heart, place or nullcontext():

            def tell(text: str) -> None:
                heart.note(text)
                on_step(text)

            heart.start()
            outcome = await _judge(
                services, judge, comparison_id, repetitions=repetitions, worker=worker, tell=tell
            )
        problem, interrupted = outcome.problem, False
        return outcome
    except Lost:
        raise
    except ComparatorError as error:
        problem, interrupted = str(error), False
        return Outcome(
            comparison_id=comparison_id,
            passes=_stored(services, judge, comparison_id, repetitions=repetitions),
            wanted=repetitions * len(Order),
            problem=problem,
        )
    except Exception:
        # A bug; whoever called logs it.
        problem, interrupted = "Something went wrong while judging; the log has the details.", False
        raise
    finally:
        finish(services, comparison_id, worker=worker, problem=problem, interrupted=interrupted)


def blinded_pair(services: Services, connection: Connection, comparison: Comparison) -> BlindedPair:
    """All that a judge gets of a comparison."""

    stored = outputs.stored_views(connection, comparison.view_ids)
    shows_reference = projects.get(connection, comparison.project_id).settings.show_reference
    return pair_of(services, comparison, stored, shows_reference=shows_reference)


def pair_of(
    services: Services,
    comparison: Comparison,
    stored: Mapping[str, outputs.StoredView],
    *,
    shows_reference: bool,
) -> BlindedPair:
    """The same where the comparison's views have been looked up already. Raises StoreError."""

    def view(view_id: str) -> OutputView:
        return outputs.read_view(stored, view_id, blobs=services.blobs)

    inputs, reference = comparison.input_view, comparison.reference_view
    return BlindedPair(
        task=comparison.wording,
        inputs=None if inputs is None else view(inputs),
        reference=view(reference) if reference is not None and shows_reference else None,
        outputs=PerOutput[OutputView](A=view(comparison.view_a), B=view(comparison.view_b)),
    )


def families_of(pair: BlindedPair) -> tuple[Family, ...]:
    """The file families of both outputs, each once, in the order of the enumeration; nothing tells them apart."""
    present = {file.family for label in Label for file in pair.outputs[label].files}
    return tuple(family for family in Family if family in present)


async def _judge(
    services: Services, judge: Judge, comparison_id: str, *, repetitions: int, worker: str, tell: OnStep
) -> Outcome:
    tell("Reading both outputs")
    with services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        pair = blinded_pair(services, connection, comparison)
    identity = judge.identity
    digests = pair.outputs.map(lambda view: view.digest)
    problems: list[str] = []
    characters = pair.outputs.map(lambda view: sum(len(file.text) for file in view.files))
    with Allowance(services, identity, task=pair.task, characters=characters, worker=worker) as allowance:
        tell("Writing the rubric")
        async with services.rubric_locks.writing_rubric(comparison.task_version_id):
            if _rubric(services, judge, comparison) is None:
                allowance.ask(rubric=True, readings=repetitions * len(Order))
            rubric = await ensure_rubric(services, judge, comparison_id, families=families_of(pair))
        have = _readings(services, judge, comparison, digests=digests, rubric=rubric)
        wanted = repetitions * len(Order)
        missing = missing_passes(have, repetitions=repetitions)
        done = wanted - len(missing)
        if missing:
            allowance.ask(rubric=False, readings=len(missing))
        tell(f"Judging in both orders: {done} of {wanted} readings done")

        async def keep(order: Order, repetition: int, outcome: PassReply | JudgeError) -> None:
            nonlocal done
            for pause in (*STORE_PAUSES, None):
                try:
                    with services.database.write() as connection:
                        keep_reading(
                            services,
                            connection,
                            judge,
                            comparison_id,
                            digests=digests,
                            rubric=rubric,
                            order=order,
                            repetition=repetition,
                            outcome=outcome,
                        )
                        rollup.refresh(connection, comparison_id, at=services.now())
                    break
                except Conflict:
                    # The database is busy; the answer is paid for and would be lost.
                    if pause is None:
                        raise
                    await asyncio.sleep(pause)
            allowance.read_one()
            if isinstance(outcome, JudgeError):
                problems.append(str(outcome))
            else:
                done += 1
            tell(f"Judging in both orders: {done} of {wanted} readings done")

        await judge_pair(judge, pair, rubric.rubric, have=have, repetitions=repetitions, on_done=keep)
    problem = " ".join(dict.fromkeys(problems)) or None
    return Outcome(comparison_id=comparison_id, passes=done, wanted=wanted, problem=problem)


def keep_reading(
    services: Services,
    connection: Connection,
    judge: Judge,
    comparison_id: str,
    *,
    digests: PerOutput[str],
    rubric: RubricVersion,
    order: Order,
    repetition: int,
    outcome: PassReply | JudgeError,
) -> None:
    """Store an answer, or what went wrong; the caller refreshes the comparison's rollup in the same transaction."""
    failure = outcome if isinstance(outcome, JudgeError) else None
    judgment = judgments.ensure_judgment(
        connection,
        comparison_id,
        view_digests=digests,
        rubric_id=rubric.id,
        judge=judge.identity,
        order=order,
        repetition=repetition,
        new_id=services.new_id,
        at=services.now(),
    )
    calls = outcome.calls
    if isinstance(outcome, PassReply) and outcome.contradicted is not None:
        before, calls = calls[: outcome.calls_before], calls[outcome.calls_before :]
        judgments.keep_contradicted(
            connection,
            judgment.id,
            answer=outcome.contradicted,
            calls=before,
            prompts=judge.prompt_digests,
            cost=cost_of_calls(before),
            new_id=services.new_id,
            at=services.now(),
        )
    judgments.keep_try(
        connection,
        judgment.id,
        answer=None if isinstance(outcome, JudgeError) else outcome.answer,
        problem=None if failure is None else Problem(kind=type(failure).__name__, message=str(failure)),
        calls=calls,
        prompts=judge.prompt_digests,
        cost=cost_of_calls(calls),
        new_id=services.new_id,
        at=services.now(),
    )


def _rubric(services: Services, judge: Judge, comparison: Comparison) -> RubricVersion | None:
    """The rubric that this judge would go by; None where it would have to write one."""
    with services.database.read() as connection:
        held = rubrics.current(
            connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
        )
    return held if held is not None and suits(held, judge) else None


def _readings(
    services: Services,
    judge: Judge,
    comparison: Comparison,
    *,
    digests: PerOutput[str],
    rubric: RubricVersion,
) -> tuple[Pass, ...]:
    whole = judgments.set_digest(
        comparison.id, view_digests=digests, rubric_id=rubric.id, judge=judge.identity
    )
    with services.database.read() as connection:
        return judgments.successful_passes(connection, comparison.id, set_digest=whole)


def _stored(services: Services, judge: Judge, comparison_id: str, *, repetitions: int) -> int:
    """How many of the wanted readings are there, for the report of a failure; 0 where even that cannot be read."""
    try:
        with services.database.read() as connection:
            comparison = comparisons.get(connection, comparison_id)
            views = PerOutput[str](A=comparison.view_a, B=comparison.view_b)
            digests = views.map(lambda view: outputs.load_view(connection, view, blobs=services.blobs).digest)
        rubric = _rubric(services, judge, comparison)
        if rubric is None:
            return 0
        have = _readings(services, judge, comparison, digests=digests, rubric=rubric)
    except StoreError:
        return 0
    return repetitions * len(Order) - len(missing_passes(have, repetitions=repetitions))
