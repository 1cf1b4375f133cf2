"""Figures with their interval, or why there is none; shares with Wilson's interval."""

from __future__ import annotations

from math import sqrt
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


def share(successes: float, n: int, *, needed: int = ENOUGH) -> Estimate | TooFew:
    """The share of `successes` in `n` independent observations; TooFew below `needed`."""
    if n < needed:
        return TooFew(n=n, needed=needed)
    return Estimate(value=successes / n, interval=wilson(successes, n, units=n), n=n)


def quantile(level: float = LEVEL, *, units: int | None = None) -> float:
    """The two-sided quantile: Student's below 60 units, else the normal one."""
    if units is None or units >= MANY:
        return NormalDist().inv_cdf(0.5 + level / 2)
    from scipy.special import stdtrit  # a page without statistics must not load scipy

    return float(stdtrit(units - 1, 0.5 + level / 2))
