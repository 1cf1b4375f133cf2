"""Having a comparison judged: rubric, then both orders; what is stored already is never paid for again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

from comparator.domain.errors import Conflict, JudgeError, JudgeNotAllowed, SettingsError, StoreError
from comparator.domain.labels import Frozen, Label, Order, PerOutput
from comparator.domain.view import BlindedPair, Family, OutputView
from comparator.judges.prices import cost_of_calls, price_of
from comparator.judges.protocol import Judge, PassReply
from comparator.judges.two_orders import judge_pair, missing_passes
from comparator.store import comparisons, judging, outputs, progress, projects
from comparator.store.comparisons import Comparison
from comparator.store.database import Connection
from comparator.store.tries import Problem
from comparator.workflow.rubrics import ensure_rubric
from comparator.workflow.services import Services

STALE_AFTER = timedelta(seconds=30)
"""A judge without a sign of life for this long is taken for dead."""
BEAT_SECONDS = 5.0

OnStep = Callable[[str], None]


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


def worker_name() -> str:
    """This process, for the progress table."""
    return f"{socket.gethostname()}:{os.getpid()}"


async def judge_comparison(
    services: Services,
    judge: Judge,
    comparison_id: str,
    *,
    repetitions: int | None = None,
    on_step: OnStep = lambda _: None,
) -> Outcome:
    """Have the judge read the comparison. Failures of the judge are stored and told in the outcome.

    `on_step` gets a plain sentence at each step. Raises Conflict where another process judges it just now.
    """
    worker = worker_name()
    with services.database.write() as connection:
        if not progress.begin(
            connection, comparison_id, worker=worker, stale_after=STALE_AFTER, at=services.now()
        ):
            raise Conflict("This comparison is being judged elsewhere at this moment. Wait for it to end.")
    problem: str | None = "Judging was interrupted. Start it again; what is done is not paid for twice."
    try:
        async with _heartbeat(services, comparison_id, worker) as step:

            def tell(text: str) -> None:
                step(text)
                on_step(text)

            outcome = await _judge(
                services,
                judge,
                comparison_id,
                repetitions=repetitions or services.settings.repetitions,
                tell=tell,
            )
        problem = outcome.problem
        return outcome
    except (JudgeError, StoreError, SettingsError) as error:
        problem = str(error)
        return Outcome(comparison_id=comparison_id, passes=0, wanted=1, problem=problem)
    finally:
        with services.database.write() as connection:
            progress.end(connection, comparison_id, worker=worker, problem=problem, at=services.now())


def blinded_pair(services: Services, connection: Connection, comparison: Comparison) -> BlindedPair:
    """All that a judge gets of a comparison."""

    def view(view_id: str | None) -> OutputView | None:
        return None if view_id is None else outputs.load_view(connection, view_id, blobs=services.blobs)

    shows_reference = projects.get(connection, comparison.project_id).settings.show_reference
    a, b = view(comparison.view_a), view(comparison.view_b)
    assert a is not None
    assert b is not None
    return BlindedPair(
        task=comparison.wording,
        inputs=view(comparison.input_view),
        reference=view(comparison.reference_view) if shows_reference else None,
        outputs=PerOutput[OutputView](A=a, B=b),
    )


def families_of(pair: BlindedPair) -> tuple[Family, ...]:
    """The file families of both outputs, each once, in the order of the enumeration; nothing tells them apart."""
    present = {file.family for label in Label for file in pair.outputs[label].files}
    return tuple(family for family in Family if family in present)


async def _judge(
    services: Services, judge: Judge, comparison_id: str, *, repetitions: int, tell: OnStep
) -> Outcome:
    tell("Reading both outputs")
    with services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        pair = blinded_pair(services, connection, comparison)
    _refuse_over_budget(services, judge)
    tell("Writing the rubric")
    rubric = await ensure_rubric(services, judge, comparison_id, families=families_of(pair))
    digests = pair.outputs.map(lambda view: view.digest)
    identity = judge.identity
    whole = judging.set_digest(comparison_id, view_digests=digests, rubric_id=rubric.id, judge=identity)
    with services.database.read() as connection:
        have = judging.successful_passes(connection, comparison_id, set_digest=whole)
    wanted = repetitions * len(Order)
    done = wanted - len(missing_passes(have, repetitions=repetitions))
    problems: list[str] = []
    tell(f"Judging in both orders: {done} of {wanted} readings done")

    async def keep(order: Order, repetition: int, outcome: PassReply | JudgeError) -> None:
        nonlocal done
        failed = isinstance(outcome, JudgeError)
        cost = cost_of_calls(outcome.calls)
        with services.database.write() as connection:
            judgment = judging.ensure_judgment(
                connection,
                comparison_id,
                view_digests=digests,
                rubric_id=rubric.id,
                judge=identity,
                order=order,
                repetition=repetition,
                new_id=services.new_id,
                at=services.now(),
            )
            judging.add_attempt(
                connection,
                judgment.id,
                answer=None if isinstance(outcome, JudgeError) else outcome.answer,
                problem=Problem(kind=type(outcome).__name__, message=str(outcome)) if failed else None,
                calls=outcome.calls,
                prompts=judge.prompt_digests,
                cost=cost,
                new_id=services.new_id,
                at=services.now(),
            )
        if failed:
            problems.append(str(outcome))
        else:
            done += 1
        tell(f"Judging in both orders: {done} of {wanted} readings done")

    await judge_pair(judge, pair, rubric.rubric, have=have, repetitions=repetitions, on_done=keep)
    problem = " ".join(dict.fromkeys(problems)) or None
    return Outcome(comparison_id=comparison_id, passes=done, wanted=wanted, problem=problem)


def _refuse_over_budget(services: Services, judge: Judge) -> None:
    ceiling = services.settings.budget
    if ceiling is None or judge.identity.kind == "offline":
        return
    if price_of(judge.identity.model) is None:
        raise JudgeNotAllowed(
            f"There is a budget of {ceiling} USD, but no price is known for {judge.identity.model}. "
            "Choose a model with a known price, or remove COMPARATOR_BUDGET."
        )
    with services.database.read() as connection:
        spent = judging.spent(connection)
    if spent >= ceiling:
        raise JudgeNotAllowed(
            f"The budget of {ceiling} USD is used up ({spent.quantize(Decimal('0.01'))} USD spent). "
            "Raise COMPARATOR_BUDGET to go on."
        )


class _heartbeat:  # noqa: N801  # reads like contextlib's own managers
    """Shows that this process is alive while it judges; entering gives a function that notes the present step."""

    def __init__(self, services: Services, comparison_id: str, worker: str) -> None:
        self._services, self._comparison_id, self._worker = services, comparison_id, worker
        self._step: str | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> OnStep:
        self._task = asyncio.create_task(self._beat())
        return self._note

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def _note(self, step: str) -> None:
        self._step = step
        self._write()

    def _write(self) -> None:
        with self._services.database.write() as connection:
            progress.beat(
                connection, self._comparison_id, worker=self._worker, step=self._step, at=self._services.now()
            )

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self._write()
