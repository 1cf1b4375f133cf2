"""What a plan that was fixed beforehand makes of a win rate, and what chance alone gives two equal candidates."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import ceil, sqrt

from comparator.domain.labels import Frozen
from comparator.stats.figures import ENOUGH, Estimate, Interval, TooFew, quantile

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


WITHIN = 0.95


class NoiseFloor(Frozen):
    """How far apart two runs of one candidate come out, in tenths of a point of the overall score."""

    pairs: int
    decided: int
    """Pairs in which one of the two equal runs was named the winner."""
    median: int
    most: int
    """The lead that 95 of 100 such pairs do not exceed."""

    def rates(self, pairs: int) -> Interval:
        """The win rates that 95 of 100 histories of so many pairs would show if both were equally good."""
        half = quantile() * sqrt(self.decided / self.pairs / pairs) / 2
        return Interval(low=max(0.5 - half, 0.0), high=min(0.5 + half, 1.0))


def noise_floor(leads: Mapping[int, int], *, decided: int) -> NoiseFloor | TooFew:
    """The floor, from how often each lead in tenths occurred; TooFew below 20 pairs."""
    pairs = sum(leads.values())
    if pairs < ENOUGH:
        return TooFew(n=pairs)
    return NoiseFloor(
        pairs=pairs,
        decided=decided,
        median=counted_quantile(leads, 0.5),
        most=counted_quantile(leads, WITHIN),
    )


def counted_quantile(values: Mapping[int, int], level: float) -> int:
    """The smallest value that at least this share of the counted values does not exceed.

    >>> counted_quantile({1: 2, 5: 1, 9: 1}, 0.5)
    1
    """
    needed, reached = ceil(sum(values.values()) * level), 0
    for value in sorted(values):
        reached += values[value]
        if reached >= needed:
            return value
    raise ValueError("nothing was counted")
