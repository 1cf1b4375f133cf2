"""How shares, coefficients and differences are said with their intervals, or why there is none."""

from comparator.stats.intervals import ENOUGH, Estimate, Evidence, TooFew, Undefined

CLAIMS = {Evidence.CLEAR: "", Evidence.LIKELY: "probably ", Evidence.OPEN: "perhaps "}
"""What stands before "wins" or "loses", in every sentence and title."""
HOW_SURE = {
    Evidence.CLEAR: "More than chance: the 95% interval of the win rate is {}",
    Evidence.LIKELY: "Likely: the 95% interval of the win rate is {}, but from fewer than 20 tasks",
    Evidence.OPEN: "Cannot tell: the 95% interval of the win rate is {}, which includes 50%",
}


def interval(estimate: Estimate | TooFew | Undefined) -> str:
    """A share with its interval, or why there is none."""
    if isinstance(estimate, TooFew):
        return "too few for a rate"
    if isinstance(estimate, Undefined):
        return estimate.reason
    ends = estimate.interval
    return f"{percent(estimate.value)}, 95% interval {ends.low * 100:.0f} to {ends.high * 100:.0f}"


def percent(value: float) -> str:
    """A share as whole percent.

    >>> percent(2 / 3)
    '67%'
    """
    # Of the four digits that a table has; half to even, so that a share and what is left of it make 100.
    return f"{round(round(value * 100, 2))}%"


def share_or_counts(some: int, n: int) -> str:
    """A share as whole percent; of few, the counts.

    >>> share_or_counts(30, 40), share_or_counts(3, 4)
    ('75%', '3 of 4')
    """
    return percent(some / n) if n >= ENOUGH else f"{some:,} of {n:,}"


def figure(estimate: Estimate | TooFew | Undefined) -> str:
    """A coefficient with its interval, or why there is none."""
    if isinstance(estimate, Estimate):
        return f"{estimate.value:z.2f} ({estimate.interval.low:z.2f} to {estimate.interval.high:z.2f})"
    return interval(estimate)
