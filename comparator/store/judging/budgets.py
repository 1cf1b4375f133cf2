"""Budgets in US dollars: what may be spent, what is spent, and what is set aside for requests under way."""

from collections.abc import Callable, Mapping
from decimal import Decimal

from pydantic import AwareDatetime
from sqlalchemy import bindparam, func, select, type_coerce

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, lock, scalars
from comparator.store.tables.base import MONEY_PLACES

WHOLE = "whole"
"""The id of the budget of everything in the database; its `spent` follows the stored tries."""
MOST = Decimal(9_000_000)
"""Ceilings lie below it: more does not fit the column."""
AT_PROVIDER = "message-batch"
"""Stands for the worker of what lies with the provider: it waits a day and more, and nobody gives signs of life."""


class Reservation(Frozen):
    """What is set aside for one reading or Message Batch, and by which worker."""

    amount: Decimal
    worker: str
    at: AwareDatetime


class Budget(Stored, table=tables.budget):
    """A ceiling; reservations by their ids."""

    id: str
    project_id: str | None
    ceiling: Decimal
    spent: Decimal
    reservations: dict[str, Reservation]
    created_at: AwareDatetime
    created_by: str | None

    @property
    def reserved(self) -> Decimal:
        """All that is set aside."""
        return sum((one.amount for one in self.reservations.values()), Decimal(0))


_budget = tables.budget.c


def add(
    unit: Unit,
    *,
    project_id: str | None,
    ceiling: Decimal | None,
    created_by: str | None,
    id: str | None = None,
    spent: Decimal = Decimal(0),
) -> str | None:
    """A new budget; its id, None where there is no ceiling. One of that id that is there already stays."""
    if ceiling is None:
        return None
    unit.add_new(
        tables.budget,
        id=(id := id or unit.new_id()),
        project_id=project_id,
        ceiling=exact(ceiling),
        spent=spent,
        reservations={},
        created_by=created_by,
    )
    return id


get = Budget.get


def raise_ceiling(unit: Unit, budget_id: str, ceiling: Decimal) -> None:
    """Allow another sum."""
    unit.update(tables.budget, _budget.id == budget_id, ceiling=ceiling)


def ensure_whole(unit: Unit, *, ceiling: Decimal) -> None:
    """Set the ceiling of everything in the database; what was spent before is counted once."""
    whole = Budget.find(unit, _budget.id == WHOLE)
    if whole is None:
        cost = spent(unit)
        add(unit, id=WHOLE, project_id=None, ceiling=ceiling, created_by=None, spent=cost)
    elif whole.ceiling != ceiling:
        raise_ceiling(unit, WHOLE, ceiling)


def spent(connection: Connection) -> Decimal:
    """What all tries so far have cost, in US dollars, those without a known price not counted."""
    cost = tables.attempt.c.cost
    return connection.execute(select(type_coerce(func.sum(cost), cost.type))).scalar() or Decimal(0)


# Built once, as it goes into every commit of a worker.
_SPENT = (
    tables.budget.update()
    .where(_budget.id == WHOLE)
    .values(spent=_budget.spent + bindparam("cost", type_=_budget.spent.type))
)


def spend(connection: Connection, cost: Decimal | None) -> None:
    """Count a stored try in the budget of everything, where there is one."""
    if cost:
        connection.execute(_SPENT, {"cost": exact(cost)})


def reserve(unit: Unit, budget_id: str, id: str, amount: Decimal, *, worker: str) -> bool:
    """Set an amount aside under this id, beside what is there; False where the ceiling would be exceeded."""
    lock(unit, tables.budget, budget_id)
    budget, amount = get(unit, budget_id), exact(amount)
    if budget.spent + budget.reserved + amount > budget.ceiling:
        return False
    if (before := budget.reservations.get(id)) is not None:
        amount += before.amount
    one = Reservation(amount=amount, worker=worker, at=unit.at)
    _save(unit, budget, {**budget.reservations, id: one})
    return True


def settle(unit: Unit, id: str, spent: Decimal | None) -> None:
    """Give back what was set aside under an id, in all budgets, and count what was spent once; None: all of it.

    What was really spent the budget of everything counts by itself, as tries are stored.
    """

    def cost(budget: Budget, one: Reservation) -> Decimal:
        return one.amount if spent is None else Decimal(0) if budget.id == WHOLE else spent

    _settle(unit, lambda of, _: of == id, cost)


def settle_abandoned(unit: Unit) -> None:
    """Count as spent what workers that are gone had set aside: their requests may have reached the provider."""
    there = {AT_PROVIDER, *scalars(unit, select(tables.worker.c.id))}
    _settle(unit, lambda _, one: one.worker not in there, lambda _, one: one.amount)


def _settle(
    unit: Unit, wanted: Callable[[str, Reservation], bool], cost: Callable[[Budget, Reservation], Decimal]
) -> None:
    """Take these reservations out of all budgets, their rows held, and count what each cost."""
    for seen in Budget.all(unit, _budget.reservations != {}, by=[_budget.id]):
        if any(wanted(*reservation) for reservation in seen.reservations.items()):
            lock(unit, tables.budget, seen.id)
            budget = get(unit, seen.id)
            own = {id: one for id, one in budget.reservations.items() if wanted(id, one)}
            left = {id: one for id, one in budget.reservations.items() if id not in own}
            spent = sum((cost(budget, one) for one in own.values()), budget.spent)
            _save(unit, budget, left, spent=exact(spent))


def _save(unit: Unit, budget: Budget, reservations: Mapping[str, Reservation], **values: Decimal) -> None:
    left = {id: one.model_dump(mode="json") for id, one in reservations.items()}
    unit.update(tables.budget, _budget.id == budget.id, reservations=left, **values)


def exact(amount: Decimal) -> Decimal:
    """The amount to as many places as are kept."""
    return amount.quantize(Decimal(1).scaleb(-MONEY_PLACES))
