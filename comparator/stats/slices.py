"""Whether a part of the tasks differs from the rest, with what chance alone would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import erfc, sqrt
from typing import NamedTuple

LEAST = 5
"""Below so many tasks on either side no difference is tested."""
TINY = 1e-12
"""A variance of nothing, but for rounding."""


class Ended(NamedTuple):
    """How many pairs of a task candidate one won, tied and lost."""

    won: int
    tied: int
    lost: int

    @property
    def n(self) -> int:
        """Its pairs."""
        return self.won + self.tied + self.lost

    @property
    def share(self) -> float:
        """The share of points, ties as half. Raises ZeroDivisionError for no pairs."""
        return (self.won + self.tied / 2) / self.n


ByTask = Mapping[str, Ended]


def chance(part: ByTask, rest: ByTask) -> float | None:
    """The two-sided p of no difference between the part's tasks and the rest's; None below five tasks on either side.

    A task's mean is one observation. Where a task is in both, its two means are compared: the larger p of a t test over
    such tasks and of a stratified randomisation test, which asks how far the means lie apart if the part's pairs are
    drawn from all pairs of their tasks (Neyman 1923, normal approximation). A t test alone names every part that a
    strong candidate happens to win throughout, as its differences hardly vary. Where no task is in both, the tasks'
    means are compared (Mann and Whitney's test with ties, normal approximation).
    """
    inside = {task: each.share for task, each in part.items() if each.n}
    outside = {task: each.share for task, each in rest.items() if each.n}
    shared = sorted(inside.keys() & outside.keys())
    if len(shared) >= LEAST:
        differences = [inside[task] - outside[task] for task in shared]
        drawn = sum(_drawn(part[task], rest[task]) for task in shared)
        return max(_paired(differences), _normal(sum(differences), drawn))
    first = [value for task, value in inside.items() if task not in shared]
    second = [value for task, value in outside.items() if task not in shared]
    if min(len(first), len(second)) < LEAST:
        return None
    return mann_whitney(first, second)


def mann_whitney(first: list[float], second: list[float]) -> float:
    """The two-sided p of Mann and Whitney's U, with corrections for ties and continuity.

    >>> round(mann_whitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]), 4)
    0.0122
    """
    both = sorted((value, side) for side, values in enumerate((first, second)) for value in values)
    ties = Counter(value for value, _ in both)
    rank: dict[float, float] = {}
    below = 0
    for value in sorted(ties):
        rank[value] = below + (ties[value] + 1) / 2
        below += ties[value]
    m, n = len(first), len(second)
    u = sum(rank[value] for value in first) - m * (m + 1) / 2
    total = m + n
    tied = sum(number**3 - number for number in ties.values())
    variance = m * n / 12 * (total + 1 - tied / (total * (total - 1)))
    if variance <= 0:
        return 1.0
    z = max(abs(u - m * n / 2) - 0.5, 0.0) / sqrt(variance)
    return erfc(z / sqrt(2))


def _drawn(part: Ended, rest: Ended) -> float:
    """The variance of the difference of both shares if the part's pairs are drawn from all pairs of the task."""
    whole = Ended(part.won + rest.won, part.tied + rest.tied, part.lost + rest.lost)
    squares = whole.won + whole.tied / 4 - whole.n * whole.share**2
    return squares / (whole.n - 1) * (1 / part.n + 1 / rest.n)


def _normal(value: float, variance: float) -> float:
    """The two-sided p of such a value about 0."""
    # Where all pairs of each task are alike, nothing can differ.
    return erfc(abs(value) / sqrt(2 * variance)) if variance > TINY else 1.0


def _paired(differences: list[float]) -> float:
    from scipy.special import stdtr  # a page without statistics must not load scipy

    n = len(differences)
    middle = sum(differences) / n
    spread = sqrt(sum((each - middle) ** 2 for each in differences) / (n - 1))
    if not spread:
        return 0.0 if middle else 1.0
    return 2 * float(stdtr(n - 1, -abs(middle) / (spread / sqrt(n))))
