"""What judging is paid from: budgets, what is set aside before each request, and what is counted when it is stored."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from comparator.domain.errors import JudgeError, JudgeNotAllowed
from comparator.domain.usage import Call, Usage
from comparator.judges.prices import cost_of, cost_of_calls, price_of
from comparator.judges.protocol import Judge, Model, Owner, QuestionResult
from comparator.store.bulk.batches import Batch, BatchState
from comparator.store.core.sql import Unit
from comparator.store.judging import budgets
from comparator.store.judging.budgets import Budget
from comparator.store.judging.judgments import TryRecord
from comparator.workflow.judging.registry import Membership
from comparator.workflow.services import Services

NO_PRICE = "cost unknown"


def name_of(budget: Budget) -> str:
    """The budget as a person says it."""
    whole = " for everything (COMPARATOR_BUDGET)" if budget.id == budgets.WHOLE else ""
    return f"The budget of {budget.ceiling.normalize():f} USD{whole}"


def paid(batch: Batch, cost: Decimal | None) -> str:
    """What a batch that a model reads has cost so far, as a person says it."""
    if cost:
        return money(cost)
    if price_of(batch.judge.model) is None:
        return NO_PRICE
    return "nothing paid yet" if batch.state in (BatchState.RUNNING, BatchState.PAUSED) else "nothing paid"


def money(cost: Decimal) -> str:
    """A sum of US dollars; small sums with more places.

    >>> money(Decimal("0.0042"))
    '0.0042 USD'
    """
    places = "0.01" if cost >= Decimal("0.1") or not cost else "0.0001"
    return f"{cost.quantize(Decimal(places))} USD"


def refuse_without_price(model: str, *, ceiling: Decimal) -> None:
    """Raise JudgeNotAllowed where a budget could not be kept to, because no price is known for the model."""
    if price_of(model) is None:
        raise JudgeNotAllowed(
            f"There is a budget of {ceiling} USD, but no price is known for {model}. Choose a model with a known "
            f"price, set COMPARATOR_PRICES to {model}=3/15 (US dollars for a million tokens sent and received), or "
            "remove the budget."
        )


def cost_text(cost: Decimal | None) -> str:
    """What something will cost about, as a person says it."""
    return NO_PRICE if cost is None else f"about {money(cost)}"


def paying_for_model(
    services: Services, unit: Unit, *, kind: str, model: str, budget_id: str | None
) -> tuple[Budget, ...]:
    """The budget of everything, where one is set, and the batch's own; none for a judge that costs nothing.

    Raises JudgeNotAllowed where no price is known.
    """
    if kind == "offline":
        return ()
    ids = [] if budget_id is None else [budget_id]
    if (ceiling := services.settings.budget) is not None:
        budgets.ensure_whole(unit, ceiling=ceiling)
        ids.insert(0, budgets.WHOLE)
    paying = tuple(budgets.get(unit, id) for id in ids)
    for budget in paying:
        refuse_without_price(model, ceiling=budget.ceiling)
    return paying


class OverBudget(JudgeNotAllowed):
    """The budget does not allow a further request."""


@dataclass
class PairReservations:
    """Keeps apart what is set aside for each reading of the pair, until what came of it is stored."""

    me: Membership
    paying: tuple[Budget, ...] = ()
    model: str = ""
    open: dict[Owner, str] = field(default_factory=dict)
    """Under which id the requests of each owner have something set aside."""

    async def set_aside(self, owner: Owner, tokens_in: int, tokens_out: int) -> None:
        """Reserve what a request will cost about, in every budget. Raises OverBudget where one has no room."""
        if self.paying:
            usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
            id = self.open.setdefault(owner, secrets.token_hex(16))
            await self.me.ledger.write(
                lambda unit: reserve(
                    unit,
                    self.paying,
                    id,
                    cost_of(self.model, usage) or Decimal(0),
                    worker=self.me.id,
                    problem="another request (requests under way are counted). Raise it, then resume.",
                )
            )

    def close(self, unit: Unit, owner: Owner, *, calls: Sequence[Call]) -> None:
        """Count what the calls really used in place of what was set aside for them; twice is once."""
        if id := self.open.get(owner):
            budgets.settle(unit, id, cost_of_calls(tuple(calls)) or Decimal(0))

    async def close_rest(self) -> None:
        """Count all that is still set aside as spent: its requests were broken off, and may be paid for."""

        def write(unit: Unit) -> None:
            for id in self.open.values():
                budgets.settle(unit, id, None)

        if self.open:
            with suppress(asyncio.CancelledError):
                await asyncio.shield(self.me.ledger.write(write))


async def reservations_for(
    me: Membership, *, kind: str, model: str, budget_id: str | None = None
) -> PairReservations:
    """For the requests of a model, paid from the budget of everything and this one. Raises JudgeNotAllowed."""
    paying = await me.ledger.write(
        lambda unit: paying_for_model(me.services, unit, kind=kind, model=model, budget_id=budget_id)
    )
    return PairReservations(me, paying, model)


def reserve(
    unit: Unit, paying: Sequence[Budget], id: str, amount: Decimal, *, worker: str, problem: str
) -> None:
    """Set so much aside in every budget. Raises OverBudget where one has no room, so that nothing of it is stored."""
    for budget in paying:
        if not budgets.reserve(unit, budget.id, id, amount, worker=worker):
            raise OverBudget(f"{name_of(budget)} does not cover {problem}")


def try_of(calls: tuple[Call, ...], prompts: Mapping[str, str], error: JudgeError | None = None) -> TryRecord:
    """What is kept of a try, with what went wrong."""
    problem = {"error_kind": type(error).__name__, "message": str(error)} if error else {}
    return TryRecord(calls=calls, prompts=dict(prompts), cost=cost_of_calls(calls), **problem)


T = TypeVar("T")


async def ask_and_pay(
    me: Membership,
    judge: Judge | Model,
    ask: Callable[[Owner], Awaitable[QuestionResult[T]]],
    *,
    position: int = 0,
    keep: Callable[[Unit, QuestionResult[T] | JudgeError], None] = lambda unit, came: budgets.spend(
        unit, cost_of_calls(came.calls)
    ),
) -> QuestionResult[T]:
    """What the judge writes when it is asked; `keep` stores it, or what went wrong, and counts what it cost.

    Raises JudgeError. JudgeNotAllowed where the budget for everything is used up.
    """
    identity = judge.identity
    reservations = await reservations_for(me, kind=identity.kind, model=identity.model)
    # Somebody waits for it, as readings wait for a rubric.
    owner = Owner(position=position, writes_rubric=True, reserve=reservations.set_aside)

    async def store(came: QuestionResult[T] | JudgeError) -> None:
        def write(unit: Unit) -> None:
            reservations.close(unit, owner, calls=came.calls)
            keep(unit, came)

        await me.ledger.write(write)

    try:
        reply = await ask(owner)
        await store(reply)
    except JudgeError as error:
        await store(error)
        raise
    finally:
        # Nothing more is sent while as many answers as there are places wait to be stored.
        me.gate.saved(owner)
        await reservations.close_rest()
    return reply
