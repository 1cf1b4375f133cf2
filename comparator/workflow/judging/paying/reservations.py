"""What the requests of one pair are paid from: set aside before each request, closed when the answer is stored."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from comparator.domain.errors import JudgeNotAllowed
from comparator.domain.usage import Call, Usage
from comparator.judges.prices import cost_of, cost_of_calls
from comparator.judges.protocol import Owner
from comparator.store.core.unit import Unit
from comparator.store.judging import budgets
from comparator.store.judging.budgets import MILLION, BudgetUnit
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.paying.budgets import PayingBudget


class OverBudget(JudgeNotAllowed):
    """The budget does not allow a further request."""


class Reservation(NamedTuple):
    """What is set aside for one request in one budget."""

    reservation: str
    unit: BudgetUnit
    amount: Decimal


class PairReservations:
    """Keeps apart what is set aside for each reading of the pair, until what came of it is stored."""

    def __init__(self, ledger: Ledger, *, paying: Sequence[PayingBudget], model: str, worker: str) -> None:
        self._ledger, self._worker = ledger, worker
        self._paying, self._model = tuple(paying), model
        self.open: dict[Owner, list[Reservation]] = {}

    async def set_aside(self, owner: Owner, tokens_in: int, tokens_out: int) -> None:
        """Reserve what a request will cost about, in every budget. Raises OverBudget where one has no room."""
        if not self._paying:
            return
        usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
        money = cost_of(self._model, usage) or Decimal(0)
        amounts = [
            money if each.unit is BudgetUnit.MONEY else Decimal(tokens_in + tokens_out) / MILLION
            for each in self._paying
        ]

        def write(unit: Unit) -> tuple[Reservation, ...] | PayingBudget:
            kept: list[Reservation] = []
            for each, amount in zip(self._paying, amounts, strict=True):
                got = budgets.reserve(unit, each.budget_id, amount, worker=self._worker)
                if got is None:
                    ids = [one.reservation for one in kept]
                    budgets.close_reservations(unit, ids, spent=[Decimal(0)] * len(ids))
                    return each
                kept.append(Reservation(got, each.unit, amount))
            return tuple(kept)

        got = await self._ledger.write(write)
        if isinstance(got, PayingBudget):
            raise OverBudget(
                f"{got.name} does not cover another request (requests under way are counted). "
                "Raise it, then resume."
            )
        self.open.setdefault(owner, []).extend(got)

    def close(self, unit: Unit, owner: Owner, *, calls: Sequence[Call]) -> None:
        """Count what the calls really used in place of what was set aside for them; twice is once."""
        usage = sum((call.usage for call in calls), Usage())
        used = usage.input_tokens + usage.output_tokens + usage.cached_tokens + usage.cache_written_tokens
        real = {
            BudgetUnit.MONEY: cost_of_calls(tuple(calls)) or Decimal(0),
            BudgetUnit.TOKENS: Decimal(used) / MILLION,
        }
        # Repairs have a reservation each; what all of them used is counted once for each budget's unit.
        kept = self.open.get(owner, [])
        spent = [real.pop(one.unit, Decimal(0)) for one in kept]
        budgets.close_reservations(unit, [one.reservation for one in kept], spent=spent)

    def close_unknown(self, unit: Unit) -> None:
        """Count all that is still set aside as spent: its requests were broken off, and may be paid for."""
        left = [one for kept in self.open.values() for one in kept]
        budgets.close_reservations(
            unit, [one.reservation for one in left], spent=[one.amount for one in left]
        )
