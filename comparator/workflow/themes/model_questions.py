"""Putting questions about findings to a model: paid from the budgets, each request kept, as it comes in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TypeVar

from comparator.domain.errors import ComparatorError, JudgeError, JudgeNotAllowed
from comparator.domain.labels import Frozen
from comparator.domain.usage import CHARACTERS_A_TOKEN, Call, Usage
from comparator.judges.choose import is_configured, with_environment
from comparator.judges.model.sender import ANSWER_TOKENS
from comparator.judges.prices import cost_of, cost_of_calls
from comparator.judges.protocol import JudgeIdentity, Model, Owner, Question, QuestionResult
from comparator.store.core.unit import Unit
from comparator.store.judging import inquiries, judgments
from comparator.store.judging.judgments import Problem, TryRecord
from comparator.workflow.judging.paying import reservations_for
from comparator.workflow.judging.registry import Membership
from comparator.workflow.services import Services

T = TypeVar("T")

NEEDS_A_MODEL = (
    "Themes need a model, and none is set up. Set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL, or look at the subjects "
    "that the findings mention, which needs none."
)


class InquiryAsker:
    """Asks the questions of one inquiry; used as a block."""

    def __init__(self, me: Membership, model: Model, *, inquiry_id: str, prompts: Mapping[str, str]) -> None:
        self._me, self._model = me, model
        self._inquiry_id, self._prompts = inquiry_id, dict(prompts)

    async def __aenter__(self) -> InquiryAsker:
        identity = self._model.identity
        self._reservations = await reservations_for(self._me, kind=identity.kind, model=identity.model)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._reservations.close_rest()

    async def ask(self, question: Question[T], *, position: int, keep: Callable[[Unit, T], None]) -> T:
        """The answer, once it is stored: `keep` is called in the transaction that counts what it cost.

        Raises JudgeError; what a failed question cost is kept and counted too.
        """
        owner = Owner(position=position, reserve=self._reservations.set_aside)
        try:
            answered = await self._model.ask(question, on_behalf_of=owner)
        except JudgeError as error:
            calls, problem = error.calls, Problem(kind=type(error).__name__, message=str(error))
            await self._me.ledger.write(lambda unit: self._count(unit, owner, calls, problem=problem))
            self._me.gate.saved(owner)
            raise

        def store(unit: Unit, answered: QuestionResult[T] = answered) -> None:
            self._count(unit, owner, answered.calls, problem=None)
            keep(unit, answered.value)

        await self._me.ledger.write(store)
        # Nothing more is sent while as many answers as there are places wait to be stored.
        self._me.gate.saved(owner)
        return answered.value

    def _count(self, unit: Unit, owner: Owner, calls: tuple[Call, ...], *, problem: Problem | None) -> None:
        self._reservations.close(unit, owner, calls=calls)
        judgments.keep_other_try(
            unit,
            TryRecord(calls=calls, prompts=self._prompts, cost=cost_of_calls(calls), problem=problem),
            inquiry_id=self._inquiry_id,
            model=self._model.identity.model,
        )


async def ask_only(
    me: Membership,
    model: Model,
    question: Question[T],
    inquiry: inquiries.Inquiry,
    *,
    keep: Callable[[Unit, T], None],
) -> None:
    """Ask the only question of an inquiry; where it fails, so has the inquiry. Raises JudgeError."""
    asking = InquiryAsker(me, model, inquiry_id=inquiry.id, prompts=inquiry.request.prompts)
    async with asking as asker:
        try:
            await asker.ask(question, position=0, keep=keep)
        except ComparatorError as error:
            problem = str(error)
            await me.ledger.write(
                lambda unit: inquiries.end(
                    unit, inquiry.id, state=inquiries.InquiryState.FAILED, problem=problem
                )
            )
            raise


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
