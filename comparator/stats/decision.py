"""What a plan that was fixed beforehand makes of a win rate: adopt, keep, or cannot tell yet."""

from __future__ import annotations

from enum import StrEnum
from math import ceil

from comparator.domain.labels import Frozen
from comparator.stats.figures import ENOUGH, Estimate, TooFew
from comparator.stats.shares import quantile

EVEN = 0.5
FAR = 20
"""More than this many times the reviews there are is no plan but "very many"."""


class DecisionOutcome(StrEnum):
    """What to do."""

    ADOPT = "adopt"
    KEEP = "keep"
    CANNOT_TELL = "cannot_tell"


class PlanDecision(Frozen):
    """What the plan says; `more` pairs would settle it if the rate stays as it is (None: settled, or very many)."""

    outcome: DecisionOutcome
    threshold: float
    more: int | None = None


def decide(rate: Estimate | TooFew, *, tasks: int, smallest_difference: float) -> PlanDecision:
    """Adopt where the whole interval lies above 50% plus the smallest difference that matters, keep where it lies
    below; else, and with fewer than 20 tasks, it cannot be told yet."""
    threshold = EVEN + smallest_difference
    if isinstance(rate, TooFew) or rate.few:
        return PlanDecision(outcome=DecisionOutcome.CANNOT_TELL, threshold=threshold, more=ENOUGH - tasks)
    if rate.interval.low > threshold:
        return PlanDecision(outcome=DecisionOutcome.ADOPT, threshold=threshold)
    if rate.interval.high < threshold:
        return PlanDecision(outcome=DecisionOutcome.KEEP, threshold=threshold)
    return PlanDecision(outcome=DecisionOutcome.CANNOT_TELL, threshold=threshold, more=_more(rate, threshold))


def _more(rate: Estimate, threshold: float) -> int | None:
    """Pairs that are missing until the interval, narrowing with the root of n, no longer reaches the threshold."""
    away = abs(rate.value - threshold)
    reach = (
        rate.value - rate.interval.low if rate.value > threshold else rate.interval.high - rate.value
    ) or quantile() / (2 * rate.n**0.5)
    if not away:
        return None
    needed = ceil(rate.n * (reach / away) ** 2)
    return max(needed - rate.n, 1) if needed <= rate.n * FAR else None
