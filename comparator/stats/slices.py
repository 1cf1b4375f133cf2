"""Whether a part of the tasks differs from the rest, with what chance alone would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import erfc, sqrt

LEAST = 5
"""Below so many tasks on either side no difference is tested."""

Points = Mapping[str, tuple[int, int]]
"""By task: its pairs, and the points (2 won, 1 tied, 0 lost) of candidate one in them."""


def chance(part: Points, rest: Points) -> float | None:
    """The two-sided p of no difference between the part's tasks and the rest's; None below five tasks on either side.

    A task's mean is one observation. Where a task is in both, its two means are compared (a t test over such tasks);
    where none is, the tasks' means are (Mann and Whitney's test with ties, normal approximation).
    """
    inside = {task: s / n for task, (n, s) in part.items() if n}
    outside = {task: s / n for task, (n, s) in rest.items() if n}
    shared = inside.keys() & outside.keys()
    if len(shared) >= LEAST:
        return _paired([inside[task] - outside[task] for task in sorted(shared)])
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


def _paired(differences: list[float]) -> float:
    from scipy.special import stdtr  # a page without statistics must not load scipy

    n = len(differences)
    middle = sum(differences) / n
    spread = sqrt(sum((each - middle) ** 2 for each in differences) / (n - 1))
    if not spread:
        return 0.0 if middle else 1.0
    return 2 * float(stdtr(n - 1, -abs(middle) / (spread / sqrt(n))))
