"""What changed in a history: the levels of a rate, and tasks that turned, with what chance alone would give."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from math import comb, sqrt

from comparator.domain.labels import Frozen
from comparator.stats.slices import FAMILY_LEVEL

LEAST_SIDE = 2
"""A level needs so many iterations."""
LEAST_EFFECT = 0.25
"""Rates of iterations that are alike by chance vary as those of four times their pairs would, not less."""

Series = Sequence[float | None]
"""One value an iteration, in order; None where the task was not done."""


class Level(Frozen):
    """The iterations from place `at` up to, not including, `end` have one mean; `p` is the chance of the step to it."""

    at: int
    end: int
    mean: float
    p: float


class Turn(Frozen):
    """From place `at` on a task ended otherwise than before; `p` allows for every place that was tried."""

    at: int
    fell: bool
    p: float


def levels(shares: Series, *, pairs: float) -> tuple[Level, ...]:
    """The history as one level, or as many as are more than chance; an iteration has so many `pairs` on average.

    For each place with two iterations on both sides the two means are compared by Student's t test, whose variance is
    no smaller than a quarter of the binomial one; the smallest p is multiplied by the number of places (Bonferroni).
    What lies before and after a step is tested again, each at half the level of significance, so that a history without
    a step is told of one in at most 5 of 100 cases.
    """
    known = [(at, share) for at, share in enumerate(shares) if share is not None]
    overall = sum(share for _, share in known) / len(known) if known else 0.0
    found = _split(known, FAMILY_LEVEL, p=0.0, least=LEAST_EFFECT * overall * (1 - overall) / max(pairs, 1.0))
    starts = [0, *(own[0][0] for own, _ in found[1:])]
    return tuple(
        Level(at=start, end=end, mean=sum(share for _, share in own) / len(own), p=p)
        for (own, p), start, end in zip(found, starts, [*starts[1:], len(shares)], strict=True)
        if own
    )


Known = list[tuple[int, float]]


def _split(known: Known, level: float, *, p: float, least: float) -> list[tuple[Known, float]]:
    """The stretches of these places and shares, each with the p of the step before it; `least` is a variance."""
    from scipy.special import stdtr  # a page without statistics must not load scipy

    n, values = len(known), [share for _, share in known]
    steps = []
    for cut in range(LEAST_SIDE, n - LEAST_SIDE + 1):
        first, second = (sum(side) / len(side) for side in (values[:cut], values[cut:]))
        squares = sum((each - first) ** 2 for each in values[:cut])
        squares += sum((each - second) ** 2 for each in values[cut:])
        error = sqrt(max(squares / (n - 2), least) * (1 / cut + 1 / (n - cut)))
        if first != second:
            chance = 2 * float(stdtr(n - 2, -abs(second - first) / error)) if error else 0.0
            steps.append((chance, -abs(second - first), cut))
    if not steps:
        return [(known, p)]
    chance, _, cut = min(steps)
    if (chance := chance * (n - 2 * LEAST_SIDE + 1)) >= level:
        return [(known, p)]
    before, since = known[:cut], known[cut:]
    return [*_split(before, level / 2, p=p, least=least), *_split(since, level / 2, p=chance, least=least)]


def fell(series: Series) -> Turn | None:
    """Where one task's wins (values above 0) turned into losses (below 0), with its p; None where it has not both.

    Two exact tests of losses that are spread at random over the decided iterations: that the last ones are all lost (a
    run, whose beginning needs no search), and Fisher's of lost before and after each place, times the number of places.
    The smaller p is doubled. The p says whether it is more than chance, not this function.
    """
    places = [at for at, value in enumerate(series) if value]
    lost = [(series[at] or 0) < 0 for at in places]
    n, all_lost = len(lost), sum(lost)
    if all_lost in (0, n):
        return None
    run = sum(1 for _ in takewhile(bool, reversed(lost)))
    found = [(comb(n - run, all_lost - run) / comb(n, all_lost), n - run)] if run else []
    chance, cut = min((_tail(n, all_lost, n - cut, sum(lost[cut:])), cut) for cut in range(1, n))
    chance, cut = min((*found, (chance * (n - 1), cut)))
    return Turn(at=places[cut], fell=True, p=min(1.0, 2 * chance))


def rose(series: Series) -> Turn | None:
    """The same for losses that turned into wins."""
    turn = fell([None if value is None else -value for value in series])
    return turn and turn.model_copy(update={"fell": False})


@lru_cache(maxsize=1 << 14)
def _tail(n: int, lost: int, drawn: int, least: int) -> float:
    """The chance of at least so many lost ones among those drawn from n."""
    return sum(comb(lost, x) * comb(n - lost, drawn - x) for x in range(least, min(lost, drawn) + 1)) / comb(
        n, drawn
    )
