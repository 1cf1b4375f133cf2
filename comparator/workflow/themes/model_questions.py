"""Putting questions about findings to a model: paid from the budgets, each request kept, as it comes in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TypeVar

from comparator.domain.errors import ComparatorError, JudgeError, JudgeNotAllowed
from comparator.domain.labels import Frozen
from comparator.domain.usage import Call, Usage
from comparator.judges.choose import is_configured, with_environment
from comparator.judges.model.sender import ANSWER_TOKENS, CHARACTERS_A_TOKEN
from comparator.judges.prices import cost_of, cost_of_calls
from comparator.judges.protocol import JudgeIdentity, Model, Owner, Question, QuestionResult
from comparator.store.core.unit import Unit
from comparator.store.judging.attempts import Problem, TryRecord
from comparator.store.themes import inquiries
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.paying.budgets import paying_for_model
from comparator.workflow.judging.paying.reservations import PairReservations
from comparator.workflow.services import Services

T = TypeVar("T")

NEEDS_A_MODEL = (
    "Themes need a model, and none is set up. Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL, or look at the subjects "
    "that the findings mention, which needs none."
)


class InquiryAsker:
    """Asks the questions of one inquiry; used as a block."""

    def __init__(
        self,
        services: Services,
        model: Model,
        *,
        inquiry_id: str,
        prompts: Mapping[str, str],
        worker: str,
        saved: Callable[[Owner], None],
    ) -> None:
        self._saved = saved
        self._services, self._model, self._worker = services, model, worker
        self._inquiry_id, self._prompts = inquiry_id, dict(prompts)
        self.ledger = Ledger(services)

    async def __aenter__(self) -> InquiryAsker:
        identity = self._model.identity

        def paying(unit: Unit) -> PairReservations:
            found = paying_for_model(
                self._services,
                unit,
                kind=identity.kind,
                model=identity.model,
                budget_id=None,
            )
            return PairReservations(self.ledger, paying=found, model=identity.model, worker=self._worker)

        try:
            self._reservations = await self.ledger.write(paying)
        except BaseException:
            await asyncio.to_thread(self.ledger.close)
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._reservations.open:
            await self.ledger.write(self._reservations.close_unknown)
        await asyncio.to_thread(self.ledger.close)

    async def ask(self, question: Question[T], *, position: int, keep: Callable[[Unit, T], None]) -> T:
        """The answer, once it is stored: `keep` is called in the transaction that counts what it cost.

        Raises JudgeError; what a failed question cost is kept and counted too.
        """
        owner = Owner(position=position, reserve=self._reservations.set_aside)
        try:
            answered = await self._model.ask(question, on_behalf_of=owner)
        except JudgeError as error:
            calls, problem = error.calls, Problem(kind=type(error).__name__, message=str(error))
            await self.ledger.write(lambda unit: self._count(unit, owner, calls, problem=problem))
            self._saved(owner)
            raise

        def store(unit: Unit, answered: QuestionResult[T] = answered) -> None:
            self._count(unit, owner, answered.calls, problem=None)
            keep(unit, answered.value)

        await self.ledger.write(store)
        # Nothing more is sent while as many answers as there are places wait to be stored.
        self._saved(owner)
        return answered.value

    def _count(self, unit: Unit, owner: Owner, calls: tuple[Call, ...], *, problem: Problem | None) -> None:
        self._reservations.close(unit, owner, calls=calls)
        inquiries.keep_calls(
            unit,
            self._inquiry_id,
            TryRecord(calls=calls, prompts=self._prompts, cost=cost_of_calls(calls), problem=problem),
            position=owner.position,
        )


async def ask_only(
    services: Services,
    model: Model,
    question: Question[T],
    inquiry: inquiries.Inquiry,
    *,
    worker: str,
    saved: Callable[[Owner], None],
    keep: Callable[[Unit, T], None],
) -> None:
    """Ask the only question of an inquiry; where it fails, so has the inquiry. Raises JudgeError."""
    async with InquiryAsker(
        services, model, inquiry_id=inquiry.id, prompts=inquiry.request.prompts, worker=worker, saved=saved
    ) as asker:
        try:
            await asker.ask(question, position=0, keep=keep)
        except ComparatorError as error:
            problem = str(error)
            await asker.ledger.write(
                lambda unit: inquiries.end(
                    unit, inquiry.id, state=inquiries.InquiryState.FAILED, problem=problem
                )
            )
            raise


def answered(
    services: Services, project_id: str, kind: inquiries.InquiryKind, *, of: Sequence[str]
) -> tuple[inquiries.Inquiry, ...]:
    """The answered inquiries about exactly these candidates or this comparison (their ids), the newest first."""
    with services.database.read() as connection:
        every = inquiries.of_project(connection, project_id, kind)
    done = (each for each in every if each.state is inquiries.InquiryState.DONE)
    return tuple(each for each in done if each.result["of"] == sorted(of))


def require_model(identity: JudgeIdentity) -> None:
    """Raise JudgeNotAllowed for a judge that is no model."""
    if identity.kind == "offline":
        raise JudgeNotAllowed(NEEDS_A_MODEL)


class QuestionCost(Frozen):
    """What questions cost about: requests, tokens, and US dollars; None where no price is known."""

    requests: int
    input_tokens: int
    output_tokens: int
    cost: Decimal | None


def cost_of_questions(model: str, *, requests: int, characters: int) -> QuestionCost:
    """What so many requests with so many characters together cost about."""
    tokens = Usage(input_tokens=characters // CHARACTERS_A_TOKEN, output_tokens=ANSWER_TOKENS * requests)
    return QuestionCost(
        requests=requests,
        input_tokens=tokens.input_tokens,
        output_tokens=tokens.output_tokens,
        cost=cost_of(model, tokens),
    )


def model_to_ask(services: Services) -> str | None:
    """The model that the settings choose; None where there is none, and the offline check would judge."""
    settings, options = services.settings, with_environment(services.options(), services.environment)
    if settings.judge == "offline" or not is_configured(options, services.environment):
        return None
    return options.model
