"""What changed in a history: the step in a rate, and tasks that turned, with what chance alone would give."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import comb, sqrt

from comparator.domain.labels import Frozen
from comparator.stats.figures import ENOUGH
from comparator.stats.multiple_testing import LEVEL

LEAST_SIDE = 3
"""A step needs so many iterations on both sides."""

Series = Sequence[float | None]
"""One value an iteration, in order; None where the task was not done."""


class LevelStep(Frozen):
    """From place `at` on the values are higher (or lower) than before; `p` allows for every place that was tried."""

    at: int
    before: float
    after: float
    p: float


def common_step(shares: Series) -> LevelStep | None:
    """The iteration from which the shares are higher or lower, if that is more than chance gives; else None.

    For each place with three iterations on both sides the two means are compared by Student's t test; the smallest p
    is multiplied by the number of places (Bonferroni).
    """
    from scipy.special import stdtr  # a page without statistics must not load scipy

    known = [(at, value) for at, value in enumerate(shares) if value is not None]
    values = [value for _, value in known]
    n = len(values)
    found: list[LevelStep] = []
    for cut in range(LEAST_SIDE, n - LEAST_SIDE + 1):
        before, after = values[:cut], values[cut:]
        first, second = sum(before) / cut, sum(after) / (n - cut)
        squares = sum((x - first) ** 2 for x in before) + sum((x - second) ** 2 for x in after)
        error = sqrt(squares / (n - 2) * (1 / cut + 1 / (n - cut)))
        if first == second:
            continue
        p = 2 * float(stdtr(n - 2, -abs(second - first) / error)) if error else 0.0
        found.append(LevelStep(at=known[cut][0], before=first, after=second, p=p))
    if not found:
        return None
    best = min(found, key=lambda each: (each.p, -abs(each.after - each.before)))
    p = min(1.0, best.p * len(found))
    return best.model_copy(update={"p": p}) if p < LEVEL else None


def turning_point(series: Series) -> LevelStep | None:
    """Where one task's wins (values above 0) turned into losses (below 0), or the other way round; with its p.

    Fisher's exact test of won and lost before and after each place; the smallest p is multiplied by the number of
    places. None where nothing was both won and lost. The p says whether it is more than chance, not this function.
    """
    places = [at for at, value in enumerate(series) if value]
    won = [(series[at] or 0) > 0 for at in places]
    if len(set(won)) < 2:
        return None
    n, all_won = len(won), sum(won)
    found = []
    for cut, a in enumerate(accumulate(won[:-1]), 1):
        b = all_won - a
        found.append((_fisher(a, cut - a, b, n - cut - b), a / cut, b / (n - cut), places[cut]))
    p, before, after, at = min(found, key=lambda each: (each[0], -abs(each[2] - each[1])))
    return LevelStep(at=at, before=before, after=after, p=min(1.0, p * len(found)))


def usual_change(tasks: Sequence[Series]) -> float | None:
    """What 95 of 100 changes from one iteration to the next do not exceed, over all tasks; None below 20 changes.

    The quantile allows for one more change, which if nothing is different exceeds it at most 5 times in 100 on average
    (Vovk, Gammerman and Shafer 2005).
    """
    changes = sorted(
        abs(after - before)
        for each in tasks
        for before, after in pairwise(each)
        if before is not None and after is not None
    )
    if len(changes) < ENOUGH:
        return None
    return changes[-(-(len(changes) + 1) * 95 // 100) - 1]


@lru_cache(maxsize=1 << 14)
def _fisher(a: int, b: int, c: int, d: int) -> float:
    """The two-sided chance of a table at least as unlikely as this one, with its margins."""
    first, second, won = a + b, c + d, a + c
    total = comb(first + second, won)
    chances = [
        comb(first, x) * comb(second, won - x) for x in range(max(0, won - second), min(first, won) + 1)
    ]
    own = comb(first, a) * comb(second, c)
    return sum(each for each in chances if each <= own) / total
