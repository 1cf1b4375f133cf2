"""What the requests of one pair are paid from: set aside before each request, closed when the answer is stored."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal

from comparator.domain.errors import JudgeNotAllowed
from comparator.domain.usage import Call, Usage
from comparator.judges.prices import cost_of, cost_of_calls
from comparator.judges.protocol import Owner
from comparator.store.core.unit import Unit
from comparator.store.judging import budgets
from comparator.store.judging.budgets import MILLION, BudgetUnit
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.paying.budgets import PayingBudget, paying_for_model
from comparator.workflow.judging.registry import Membership


class OverBudget(JudgeNotAllowed):
    """The budget does not allow a further request."""


class PairReservations:
    """Keeps apart what is set aside for each reading of the pair, until what came of it is stored."""

    def __init__(self, ledger: Ledger, *, paying: Sequence[PayingBudget], model: str, worker: str) -> None:
        self._ledger, self._worker = ledger, worker
        self._paying, self._model = tuple(paying), model
        self.open: dict[Owner, str] = {}
        """Under which id the requests of each owner have something set aside."""

    async def set_aside(self, owner: Owner, tokens_in: int, tokens_out: int) -> None:
        """Reserve what a request will cost about, in every budget. Raises OverBudget where one has no room."""
        if self._paying:
            usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
            id = self.open.setdefault(owner, secrets.token_hex(16))
            await self._ledger.write(
                lambda unit: reserve(
                    unit,
                    self._paying,
                    id,
                    cost_by_unit(self._model, usage),
                    worker=self._worker,
                    problem="another request (requests under way are counted). Raise it, then resume.",
                )
            )

    def close(self, unit: Unit, owner: Owner, *, calls: Sequence[Call]) -> None:
        """Count what the calls really used in place of what was set aside for them; twice is once."""
        if id := self.open.get(owner):
            spent = cost_by_unit(self._model, sum((call.usage for call in calls), Usage()))
            budgets.settle(unit, id, spent | {BudgetUnit.MONEY: cost_of_calls(tuple(calls)) or Decimal(0)})

    async def close_rest(self) -> None:
        """Count all that is still set aside as spent: its requests were broken off, and may be paid for."""

        def write(unit: Unit) -> None:
            for id in self.open.values():
                budgets.settle(unit, id, None)

        if self.open:
            with suppress(asyncio.CancelledError):
                await asyncio.shield(self._ledger.write(write))


async def reservations_for(
    me: Membership, *, kind: str, model: str, budget_id: str | None = None
) -> PairReservations:
    """For the requests of a model, paid from the budget of everything and this one. Raises JudgeNotAllowed."""
    paying: tuple[PayingBudget, ...] = ()
    if kind != "offline":
        paying = await me.ledger.write(
            lambda unit: paying_for_model(me.services, unit, kind=kind, model=model, budget_id=budget_id)
        )
    return PairReservations(me.ledger, paying=paying, model=model, worker=me.id)


def reserve(
    unit: Unit,
    paying: Sequence[PayingBudget],
    id: str,
    amounts: Mapping[BudgetUnit, Decimal],
    *,
    worker: str,
    problem: str,
) -> None:
    """Set so much aside in every budget. Raises OverBudget where one has no room, so that nothing of it is stored."""
    for budget in paying:
        if not budgets.reserve(unit, budget.budget_id, id, amounts[budget.unit], worker=worker):
            raise OverBudget(f"{budget.name} does not cover {problem}")


def cost_by_unit(model: str, usage: Usage) -> dict[BudgetUnit, Decimal]:
    """What this usage costs in US dollars (nothing where no price is known), and in millions of tokens."""
    used = usage.input_tokens + usage.output_tokens + usage.cached_tokens + usage.cache_written_tokens
    return {
        BudgetUnit.MONEY: cost_of(model, usage) or Decimal(0),
        BudgetUnit.TOKENS: Decimal(used) / MILLION,
    }
