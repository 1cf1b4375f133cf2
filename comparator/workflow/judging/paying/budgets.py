"""From which budgets a batch is paid."""

from __future__ import annotations

from decimal import Decimal

from comparator.domain.counted import counted
from comparator.domain.errors import JudgeNotAllowed
from comparator.domain.labels import Frozen
from comparator.judges.prices import price_of
from comparator.store.bulk.batches import Batch, BatchState
from comparator.store.core.unit import Unit
from comparator.store.judging import budgets
from comparator.store.judging.budgets import BudgetUnit
from comparator.workflow.services import Services

NO_PRICE = "no known price"


class PayingBudget(Frozen):
    """One budget that a batch is paid from; `name` is what a person calls it, with its ceiling."""

    budget_id: str
    unit: BudgetUnit
    name: str


def paying_budgets(
    services: Services, unit: Unit, *, kind: str, budget_id: str | None
) -> tuple[PayingBudget, ...]:
    """The budget of everything, where one is set, and the batch's own; none for a judge that costs nothing."""
    if kind == "offline":
        return ()
    found: list[PayingBudget] = []
    ceiling = services.settings.budget
    if ceiling is not None:
        budgets.ensure_whole(unit, ceiling=ceiling)
        name = f"The budget of {ceiling} USD for everything (COMPARATOR_BUDGET)"
        found.append(PayingBudget(budget_id=budgets.WHOLE, unit=BudgetUnit.MONEY, name=name))
    if budget_id is not None:
        budget = budgets.get(unit.connection, budget_id)
        found.append(PayingBudget(budget_id=budget.id, unit=budget.unit, name=name_of(budget)))
    return tuple(found)


def name_of(budget: budgets.Budget) -> str:
    """The budget of a batch or a pair as a person says it."""
    if budget.unit is BudgetUnit.MONEY:
        return f"The budget of {budget.ceiling.normalize():f} USD"
    return f"The budget of {counted(int(budget.ceiling * budgets.MILLION), 'token')}"


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
    return f"{cost:.2f} USD" if cost >= 1 or not cost else f"{cost:.4f} USD"


def refuse_without_price(model: str, *, ceiling: str, remedy: str) -> None:
    """Raise JudgeNotAllowed where a budget in money could not be kept to, because no price is known for the model."""
    if price_of(model) is None:
        raise JudgeNotAllowed(
            f"There is a budget of {ceiling}, but no price is known for {model}. "
            f"Choose a model with a known price, or {remedy}."
        )


def paying_for_model(
    services: Services, unit: Unit, *, kind: str, model: str, budget_id: str | None
) -> tuple[PayingBudget, ...]:
    """The budgets that a model is paid from. Raises JudgeNotAllowed for one in money where no price is known."""
    paying = paying_budgets(services, unit, kind=kind, budget_id=budget_id)
    for each in paying:
        if each.unit is BudgetUnit.MONEY:
            refuse_without_price(model, ceiling=each.name, remedy="a budget in tokens")
    return paying
