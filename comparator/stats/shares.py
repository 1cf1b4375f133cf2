"""Shares of a count, with Wilson's interval."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from comparator.stats.figures import ENOUGH, LEVEL, MANY, Estimate, Interval, TooFew


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
