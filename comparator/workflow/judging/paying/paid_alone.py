"""One thing that a judge writes by itself, outside of any pair: paid within the budget, counted at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from comparator.domain.errors import JudgeError
from comparator.domain.usage import Call
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import Judge, Owner
from comparator.store.core.unit import Unit
from comparator.store.judging import budgets
from comparator.workflow.judging.paying.reservations import reservations_for
from comparator.workflow.judging.registry import Membership


class Paid(Protocol):
    """What came back, with all requests that it took."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """The requests."""


R = TypeVar("R", bound=Paid)


async def paid_alone(me: Membership, judge: Judge, ask: Callable[[Owner], Awaitable[R]]) -> R:
    """What the judge writes when it is asked; its cost counts in the budget for everything.

    Raises JudgeError; what a failed try cost counts too. JudgeNotAllowed where the budget is used up.
    """
    identity = judge.identity
    reservations = await reservations_for(me, kind=identity.kind, model=identity.model)
    # Somebody waits for it, as readings wait for a rubric.
    owner = Owner(writes_rubric=True, reserve=reservations.set_aside)

    def count(unit: Unit, calls: tuple[Call, ...]) -> None:
        reservations.close(unit, owner, calls=calls)
        budgets.spend(unit.connection, cost_of_calls(calls))

    try:
        reply = await ask(owner)
        await me.ledger.write(lambda unit: count(unit, reply.calls))
    except JudgeError as error:
        calls = error.calls
        await me.ledger.write(lambda unit: count(unit, calls))
        raise
    finally:
        await reservations.close_rest()
    return reply
