"""From which budgets a batch is paid."""

from __future__ import annotations

from comparator.domain.counted import counted
from comparator.domain.labels import Frozen
from comparator.store import budgets
from comparator.store.budgets import Unit
from comparator.store.database import Connection
from comparator.workflow.services import Services


class Paying(Frozen):
    """One budget that a batch is paid from; `name` is what a person calls it, with its ceiling."""

    budget_id: str
    unit: Unit
    name: str


def paying_for(
    services: Services, connection: Connection, *, kind: str, budget_id: str | None
) -> tuple[Paying, ...]:
    """The budget of everything, where one is set, and the batch's own; none for a judge that costs nothing."""
    if kind == "offline":
        return ()
    found: list[Paying] = []
    ceiling = services.settings.budget
    if ceiling is not None:
        budgets.ensure_whole(connection, ceiling=ceiling, at=services.now())
        name = f"The budget of {ceiling} USD for everything (COMPARATOR_BUDGET)"
        found.append(Paying(budget_id=budgets.WHOLE, unit=Unit.MONEY, name=name))
    if budget_id is not None:
        budget = budgets.get(connection, budget_id)
        found.append(Paying(budget_id=budget.id, unit=budget.unit, name=name_of(budget)))
    return tuple(found)


def name_of(budget: budgets.Budget) -> str:
    """A batch's budget as a person says it."""
    if budget.unit is Unit.MONEY:
        return f"The batch's budget of {budget.ceiling.normalize():f} USD"
    return f"The batch's budget of {counted(int(budget.ceiling * budgets.MILLION), 'token')}"
