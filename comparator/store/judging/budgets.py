"""Budgets in money or tokens: what may be spent, what is spent, and what is set aside for requests under way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_new, insert_one, one
from comparator.store.core.unit import Unit
from comparator.store.tables.base import MONEY_PLACES

WHOLE = "whole"
"""The id of the budget of everything in the database; its `spent` follows the stored tries."""
MILLION = Decimal(1_000_000)
MOST = Decimal(9_000_000)
"""Ceilings lie below it, in US dollars or in millions of tokens: more does not fit the column."""
AT_PROVIDER = "message-batch:"
"""Begins the worker of what lies with the provider: it waits a day and more, and nobody gives signs of life for it."""


class BudgetUnit(StrEnum):
    """What a budget counts: US dollars, or millions of tokens."""

    MONEY = "money"
    TOKENS = "tokens"


class Budget(Frozen):
    """A ceiling; in US dollars or, for `tokens`, in millions of tokens."""

    id: str
    project_id: str | None
    unit: BudgetUnit
    currency: str | None
    ceiling: Decimal
    spent: Decimal
    reserved: Decimal
    created_at: AwareDatetime
    created_by: str | None


_budget, _reservation = tables.budget.c, tables.reservation.c


def add(
    unit: Unit, *, project_id: str, counted_in: BudgetUnit, ceiling: Decimal, created_by: str | None
) -> str:
    """A new budget; its id."""
    budget_id = unit.new_id()
    _insert(
        unit, budget_id, project_id=project_id, counted_in=counted_in, ceiling=ceiling, created_by=created_by
    )
    return budget_id


def get(connection: sa.Connection, budget_id: str) -> Budget:
    """The budget. Raises NotFound."""
    return one(
        connection, sa.select(tables.budget).where(_budget.id == budget_id), Budget, what="such budget"
    )


def raise_ceiling(connection: sa.Connection, budget_id: str, ceiling: Decimal) -> None:
    """Allow another sum."""
    connection.execute(tables.budget.update().where(_budget.id == budget_id).values(ceiling=ceiling))


def ensure_whole(unit: Unit, *, ceiling: Decimal) -> None:
    """Set the ceiling of everything in the database; what was spent before is counted once."""
    changed = unit.connection.execute(
        tables.budget.update().where(_budget.id == WHOLE, _budget.ceiling != ceiling).values(ceiling=ceiling)
    ).rowcount
    if changed or unit.connection.execute(sa.select(_budget.id).where(_budget.id == WHOLE)).first():
        return
    if _insert(unit, WHOLE, project_id=None, counted_in=BudgetUnit.MONEY, ceiling=ceiling, created_by=None):
        unit.connection.execute(
            tables.budget.update().where(_budget.id == WHOLE).values(spent=spent(unit.connection))
        )


def spent(connection: sa.Connection) -> Decimal:
    """What all tries so far have cost, in US dollars, those without a known price not counted."""
    total = Decimal(0)
    for cost in (tables.attempt.c.cost, tables.rubric_attempt.c.cost, tables.inquiry_call.c.cost):
        total += connection.execute(sa.select(sa.type_coerce(sa.func.sum(cost), cost.type))).scalar() or 0
    return total


# Built once, as it goes into every commit of a worker.
_SPENT = (
    tables.budget.update()
    .where(_budget.id == WHOLE)
    .values(spent=_budget.spent + sa.bindparam("cost", type_=_budget.spent.type))
)


def spend(connection: sa.Connection, cost: Decimal | None) -> None:
    """Count a stored try in the budget of everything, where there is one."""
    if cost:
        connection.execute(_SPENT, {"cost": _exact(cost)})


def reserve(unit: Unit, budget_id: str, amount: Decimal, *, worker: str) -> str | None:
    """Set an amount aside; the reservation's id, or None where the ceiling would be exceeded."""
    amount = _exact(amount)
    # With its type, as a sum of columns passes none on: the bare number would be taken for so many smallest units.
    needed = _budget.spent + _budget.reserved + sa.literal(amount, _budget.spent.type)
    room = needed <= _budget.ceiling
    done = unit.connection.execute(
        tables.budget.update().where(_budget.id == budget_id, room).values(reserved=_budget.reserved + amount)
    )
    if done.rowcount == 0:
        return None
    reservation = unit.new_id()
    insert_one(
        unit.connection,
        tables.reservation,
        id=reservation,
        budget_id=budget_id,
        amount=amount,
        worker=worker,
        at=unit.at,
    )
    return reservation


def close_reservations(unit: Unit, reservations: Sequence[str], *, spent: Sequence[Decimal]) -> None:
    """Give back what was set aside and count what was spent, once; in the order of the reservations.

    The budget of everything counts stored tries by itself.
    """
    for id, amount in sorted(zip(reservations, spent, strict=True)):
        row = unit.connection.execute(
            sa.select(_reservation.budget_id, _reservation.amount)
            .where(_reservation.id == id, _reservation.settled_at.is_(None))
            .with_for_update()
        ).first()
        if row is None:
            continue
        used = _exact(amount)
        counted = Decimal(0) if row.budget_id == WHOLE else used
        unit.connection.execute(
            tables.reservation.update().where(_reservation.id == id).values(spent=used, settled_at=unit.at)
        )
        unit.connection.execute(
            tables.budget.update()
            .where(_budget.id == row.budget_id)
            .values(reserved=_budget.reserved - row.amount, spent=_budget.spent + counted)
        )


def close_reservations_of(unit: Unit, worker: str) -> None:
    """Count as spent what a dead worker had set aside: its requests may have reached the provider."""
    rows = unit.connection.execute(
        sa.select(_reservation.id, _reservation.budget_id, _reservation.amount)
        .where(_reservation.worker == worker, _reservation.settled_at.is_(None))
        .order_by(_reservation.budget_id, _reservation.id)
        .with_for_update()
    ).all()
    for row in rows:
        unit.connection.execute(
            tables.reservation.update()
            .where(_reservation.id == row.id)
            .values(spent=row.amount, settled_at=unit.at)
        )
        unit.connection.execute(
            tables.budget.update()
            .where(_budget.id == row.budget_id)
            .values(reserved=_budget.reserved - row.amount, spent=_budget.spent + row.amount)
        )


def open_reservations(connection: sa.Connection, worker: str) -> tuple[tuple[str, BudgetUnit], ...]:
    """What somebody has set aside: each reservation with the unit of its budget."""
    query = (
        sa.select(_reservation.id, _budget.unit)
        .join_from(tables.reservation, tables.budget, _budget.id == _reservation.budget_id)
        .where(_reservation.worker == worker, _reservation.settled_at.is_(None))
        .order_by(_reservation.id)
    )
    return tuple((row.id, BudgetUnit(row.unit)) for row in connection.execute(query))


def silent_workers(connection: sa.Connection, *, since: datetime) -> frozenset[str]:
    """Who has something set aside, all of it longer ago than `since`, and gave no sign of life from then on.

    What lies with a provider is nobody's; it is left out.
    """
    worker = tables.worker.c
    query = (
        sa.select(_reservation.worker)
        .where(
            _reservation.settled_at.is_(None),
            ~_reservation.worker.startswith(AT_PROVIDER, autoescape=True),
            ~sa.exists().where(worker.id == _reservation.worker, worker.beat_at >= since),
        )
        .group_by(_reservation.worker)
        .having(sa.func.max(_reservation.at) < since)
    )
    return frozenset(connection.execute(query).scalars())


def _insert(
    unit: Unit,
    budget_id: str,
    *,
    project_id: str | None,
    counted_in: BudgetUnit,
    ceiling: Decimal,
    created_by: str | None,
) -> bool:
    return insert_new(
        unit.connection,
        tables.budget,
        {
            "id": budget_id,
            "project_id": project_id,
            "unit": counted_in.value,
            "currency": "USD" if counted_in is BudgetUnit.MONEY else None,
            "ceiling": _exact(ceiling),
            "spent": Decimal(0),
            "reserved": Decimal(0),
            "created_at": unit.at,
            "created_by": created_by,
        },
    )


def _exact(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-MONEY_PLACES))
