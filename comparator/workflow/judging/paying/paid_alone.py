"""One thing that a judge writes by itself, outside of any pair: paid within the budget, counted at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from comparator.domain.errors import JudgeError
from comparator.domain.usage import Call
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import Judge, Owner
from comparator.store.core.unit import Unit
from comparator.store.judging import budgets
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.paying.budgets import paying_for_model
from comparator.workflow.judging.paying.reservations import PairReservations
from comparator.workflow.services import Services


class Paid(Protocol):
    """What came back, with all requests that it took."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """The requests."""


R = TypeVar("R", bound=Paid)


async def paid_alone(
    services: Services, judge: Judge, ask: Callable[[Owner], Awaitable[R]], *, worker: str
) -> R:
    """What the judge writes when it is asked; its cost counts in the budget for everything.

    Raises JudgeError; what a failed try cost counts too. JudgeNotAllowed where the budget is used up.
    """
    identity, ledger = judge.identity, Ledger(services)
    try:
        paying = await ledger.write(
            lambda unit: paying_for_model(
                services,
                unit,
                kind=identity.kind,
                model=identity.model,
                budget_id=None,
            )
        )
        reservations = PairReservations(ledger, paying=paying, model=identity.model, worker=worker)
        # Somebody waits for it, as readings wait for a rubric.
        owner = Owner(writes_rubric=True, reserve=reservations.set_aside)
        paid: R | JudgeError | None = None
        try:
            paid = reply = await ask(owner)
        except JudgeError as error:
            paid = error
            raise
        finally:

            def close(unit: Unit) -> None:
                if paid is None:
                    reservations.close_unknown(unit)
                else:
                    reservations.close(unit, owner, calls=paid.calls)
                    budgets.spend(unit.connection, cost_of_calls(paid.calls))

            await ledger.write(close)
    finally:
        await asyncio.to_thread(ledger.close)
    return reply
