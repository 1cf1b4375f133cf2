"""Asks the budget before a judge is paid, and counts what is under way, so that pairs at a time keep to it."""

from __future__ import annotations

from decimal import Decimal

from comparator.domain.errors import JudgeNotAllowed
from comparator.domain.view import BlindedPair
from comparator.judges.prices import price_of
from comparator.judges.protocol import JudgeIdentity
from comparator.store import judging
from comparator.workflow.estimate import estimate
from comparator.workflow.services import Services
from comparator.workflow.under_way import Promise

UNKNOWN = Decimal(0)


class Allowance:
    """The money for one comparison: asked for before the first paid step, given back at the end of the block."""

    def __init__(self, services: Services, judge: JudgeIdentity, *, pair: BlindedPair) -> None:
        self._services, self._judge = services, judge
        self._promise: Promise | None = None
        about = estimate(
            services,
            judge,
            task=pair.task,
            characters=pair.outputs.map(lambda view: sum(len(file.text) for file in view.files)),
        )
        self._rubric = (about.of_rubric if about else None) or UNKNOWN
        self._reading = (about.of_reading if about else None) or UNKNOWN

    def __enter__(self) -> Allowance:
        return self

    def __exit__(self, *_: object) -> None:
        if self._promise is not None:
            self._services.under_way.give_back(self._promise)
            self._promise = None

    def ask(self, *, rubric: bool, readings: int) -> None:
        """Set money aside for what is to be paid next. What was begun in this block goes on to its end.

        Raises JudgeNotAllowed where the budget is used up, counting what others in this process have under way, or
        where no price is known.
        """
        ceiling = self._services.settings.budget
        if ceiling is None or self._judge.kind == "offline":
            return
        if price_of(self._judge.model) is None:
            raise JudgeNotAllowed(
                f"There is a budget of {ceiling} USD, but no price is known for {self._judge.model}. "
                "Choose a model with a known price, or remove COMPARATOR_BUDGET."
            )
        amount = self._reading * readings + (self._rubric if rubric else 0)
        if self._promise is not None:
            self._promise.amount = amount
            return
        self._promise = self._services.under_way.promise(amount, ceiling=ceiling, spent=self._spent)
        if self._promise is None:
            raise JudgeNotAllowed(
                f"The budget of {ceiling} USD is used up ({self._spent().quantize(Decimal('0.01'))} USD spent, "
                "and what is being judged at this moment). Raise COMPARATOR_BUDGET to go on."
            )

    def read_one(self) -> None:
        """One reading is paid and stored; it need not be kept aside any more."""
        if self._promise is not None:
            self._promise.amount = max(self._promise.amount - self._reading, Decimal(0))

    def _spent(self) -> Decimal:
        with self._services.database.read() as connection:
            return judging.spent(connection)
