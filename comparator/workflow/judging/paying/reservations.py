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
from comparator.workflow.services import Services


class OverBudget(JudgeNotAllowed):
    """The budget does not allow a further request."""


class Reservation(NamedTuple):
    """What is set aside for one request in one budget."""

    reservation: str
    unit: BudgetUnit
    amount: Decimal


class PairReservations:
    """Keeps apart what is set aside for each reading of the pair."""

    def __init__(
        self, services: Services, ledger: Ledger, *, paying: Sequence[PayingBudget], model: str, worker: str
    ) -> None:
        self._services, self._ledger, self._worker = services, ledger, worker
        self._paying, self._model = tuple(paying), model
        self._kept: dict[Owner, list[Reservation]] = {}

    async def set_aside(self, owner: Owner, tokens_in: int, tokens_out: int) -> None:
        """Reserve what a request will cost about, in every budget. Raises OverBudget where one has no room."""
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
        self._kept.setdefault(owner, []).extend(got)

    def take(self, owner: Owner) -> tuple[Reservation, ...]:
        """What is set aside for this owner's requests and still open; the caller closes it."""
        return tuple(self._kept.pop(owner, ()))

    def take_all(self) -> tuple[Reservation, ...]:
        """What is left of all owners."""
        left = tuple(one for kept in self._kept.values() for one in kept)
        self._kept.clear()
        return left

    def close(self, unit: Unit, kept: Sequence[Reservation], *, calls: Sequence[Call]) -> None:
        """Count what the calls really used in place of what was set aside for them."""
        usage = sum((call.usage for call in calls), Usage())
        used = usage.input_tokens + usage.output_tokens + usage.cached_tokens + usage.cache_written_tokens
        real = {
            BudgetUnit.MONEY: cost_of_calls(tuple(calls)) or Decimal(0),
            BudgetUnit.TOKENS: Decimal(used) / MILLION,
        }
        counted: set[BudgetUnit] = set()
        spent: list[Decimal] = []
        for one in kept:
            # Repairs have a reservation each; what all of them used is counted once for each budget's unit.
            spent.append(Decimal(0) if one.unit in counted else real[one.unit])
            counted.add(one.unit)
        self._close(unit, kept, spent)

    def close_unknown(self, unit: Unit, kept: Sequence[Reservation]) -> None:
        """Count what was set aside as spent: its request was broken off, and may be paid for."""
        self._close(unit, kept, [one.amount for one in kept])

    def _close(self, unit: Unit, kept: Sequence[Reservation], spent: Sequence[Decimal]) -> None:
        budgets.close_reservations(unit, [one.reservation for one in kept], spent=spent)
