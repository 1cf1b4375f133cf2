"""Figures with their interval, or why there is none; what a plan makes of a rate, and what chance alone gives."""

from collections.abc import Mapping
from enum import StrEnum
from math import ceil, sqrt
from statistics import NormalDist

from comparator.domain.labels import Frozen

ENOUGH = 20
"""Below this many observations an interval's stated level cannot be relied upon, so no rate is given."""

LEAST_TASKS, LEAST_PAIRS = 5, 10
"""Below so many tasks or pairs there is no win rate; below 20 tasks it is given with a wide interval as `few`."""

MANY = 60
"""From this many on the normal quantile does; below it intervals are Student's or corrected bootstraps."""

LEVEL = 0.95
"""The level of every interval."""


class Interval(Frozen):
    """Both ends of an interval, in the unit of its estimate."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


class Estimate(Frozen):
    """A figure, its 95% interval, and the number of observations that it rests on."""

    value: float
    interval: Interval
    n: int
    few: bool = False
    """Whether it rests on fewer than 20 tasks: it is drawn hollow, and nothing is decided by it."""


class TooFew(Frozen):
    """There are too few observations for the figure."""

    n: int
    needed: int = ENOUGH


class Evidence(StrEnum):
    """How sure it is on which side of 50% a rate lies: one scale for sentences, titles and marks."""

    CLEAR = "clear"
    LIKELY = "likely"
    """More than chance, but from fewer than 20 tasks."""
    OPEN = "open"
    """Not told apart from chance."""


def evidence(rate: Estimate | TooFew) -> Evidence:
    """How sure it is that this rate is not 50%."""
    if isinstance(rate, TooFew) or EVEN in rate.interval:
        return Evidence.OPEN
    return Evidence.LIKELY if rate.few else Evidence.CLEAR


class Undefined(Frozen):
    """The figure does not exist for these observations, however many; `reason` says why."""

    n: int
    reason: str


def wilson(successes: float, n: float, *, level: float = LEVEL, units: int | None = None) -> Interval:
    """Wilson's score interval of a share, within 0 to 1. Raises ValueError unless 0 <= successes <= n and n > 0.

    Wilson, E. B. (1927), Journal of the American Statistical Association 22. Neither number need be whole: ties
    count half, and `n` may be an effective number of observations. Where it rests on fewer than 60 `units`, the
    normal quantile is replaced by Student's with units - 1 degrees of freedom (Korn and Graubard 1998).
    """
    if not (n > 0 and 0 <= successes <= n):
        raise ValueError(f"{successes} of {n} is no share")
    z = quantile(level, units=units)
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At 0 and 1 the ends are exact, and rounding must not push the share out of its own interval.
    return Interval(
        low=0.0 if successes == 0 else min(max(middle - half, 0.0), share),
        high=1.0 if successes == n else max(min(middle + half, 1.0), share),
    )


def share(successes: float, n: int) -> Estimate | TooFew:
    """The share of `successes` in `n` independent observations; TooFew below 20."""
    if n < ENOUGH:
        return TooFew(n=n)
    return Estimate(value=successes / n, interval=wilson(successes, n, units=n), n=n)


def quantile(level: float = LEVEL, *, units: int | None = None) -> float:
    """The two-sided quantile: Student's below 60 units, else the normal one."""
    if units is None or units >= MANY:
        return NormalDist().inv_cdf(0.5 + level / 2)
    from scipy.special import stdtrit  # a page without statistics must not load scipy

    return float(stdtrit(units - 1, 0.5 + level / 2))


EVEN = 0.5
FAR = 20
"""More than this many times the reviews there are is no plan but "very many"."""


class DecisionOutcome(StrEnum):
    """What to do."""

    ADOPT = "adopt"
    KEEP = "keep"
    CANNOT_TELL = "cannot_tell"


class PlanDecision(Frozen):
    """What the plan says."""

    outcome: DecisionOutcome
    threshold: float
    """The rate, 0 to 1, that the interval is compared with."""
    more: int | None = None
    """Of how many more pairs the interval would be narrow enough if the rate stays; below 20 tasks, how many tasks are
    missing. None where it is settled, or would need very many."""


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
