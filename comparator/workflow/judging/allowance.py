"""Asks the budget of the whole database before a judge is paid, and sets aside what is under way."""

from __future__ import annotations

from decimal import Decimal

from comparator.domain.errors import JudgeNotAllowed
from comparator.domain.labels import PerOutput
from comparator.domain.task import TaskText
from comparator.judges.prices import price_of
from comparator.judges.protocol import JudgeIdentity
from comparator.store.judging import budgets
from comparator.workflow.judging.estimate import estimate
from comparator.workflow.services import Services

UNKNOWN = Decimal(0)


class Allowance:
    """The money for one comparison: asked for before the first paid step, given back at the end of the block."""

    def __init__(
        self,
        services: Services,
        judge: JudgeIdentity,
        *,
        task: TaskText,
        characters: PerOutput[int],
        worker: str,
    ) -> None:
        self._services, self._judge, self._worker = services, judge, worker
        self._begun = False
        self._reservation: str | None = None
        about = estimate(services, judge, task=task, characters=characters)
        self._rubric = (about.of_rubric if about else None) or UNKNOWN
        self._reading = (about.of_reading if about else None) or UNKNOWN

    def __enter__(self) -> Allowance:
        return self

    def __exit__(self, *_: object) -> None:
        self._give_back()

    def ask(self, *, rubric: bool, readings: int) -> None:
        """Set money aside for what is to be paid next. What was begun in this block goes on to its end.

        Raises JudgeNotAllowed where the budget is used up, counting what others have under way, or where no price is
        known.
        """
        ceiling = self._services.settings.budget
        if ceiling is None or self._judge.kind == "offline":
            return
        refuse_without_price(self._judge.model, ceiling=f"{ceiling} USD", remedy="remove COMPARATOR_BUDGET")
        amount = self._reading * readings + (self._rubric if rubric else 0)
        self._give_back()
        services = self._services
        with services.database.write() as connection:
            budgets.ensure_whole(connection, ceiling=ceiling, at=services.now())
            self._reservation = budgets.reserve(
                connection,
                budgets.WHOLE,
                amount,
                worker=self._worker,
                beyond=True,
                new_id=services.new_id,
                at=services.now(),
            )
            spent = budgets.get(connection, budgets.WHOLE).spent
        if self._reservation is None and not self._begun:
            raise JudgeNotAllowed(
                f"The budget of {ceiling} USD is used up ({spent.quantize(Decimal('0.01'))} USD spent, "
                "and what is being judged at this moment). Raise COMPARATOR_BUDGET to go on."
            )
        self._begun = True

    def read_one(self) -> None:
        """One reading is paid and stored; it need not be kept aside any more."""
        if self._reservation is not None:
            with self._services.database.write() as connection:
                budgets.shrink(connection, self._reservation, self._reading)

    def _give_back(self) -> None:
        if self._reservation is not None:
            with self._services.database.write() as connection:
                budgets.settle(connection, (self._reservation,), spent=(UNKNOWN,), at=self._services.now())
            self._reservation = None


def refuse_without_price(model: str, *, ceiling: str, remedy: str) -> None:
    """Raise JudgeNotAllowed where a budget in money could not be kept to, because no price is known for the model."""
    if price_of(model) is None:
        raise JudgeNotAllowed(
            f"There is a budget of {ceiling}, but no price is known for {model}. "
            f"Choose a model with a known price, or {remedy}."
        )
