"""What the statistics return: an estimate with its interval, or why there is none."""

from __future__ import annotations

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
