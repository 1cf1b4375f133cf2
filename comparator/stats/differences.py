"""What is more than chance: parts of a result that differ from the rest, steps in a history, tasks that turned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from math import comb, erfc, sqrt
from typing import NamedTuple

from comparator.domain.labels import Frozen

FAMILY_LEVEL = 0.05
"""The significance level: the share of false findings that is accepted."""


def benjamini_hochberg(chances: Sequence[float]) -> tuple[bool, ...]:
    """Which of these p-values stand out, so that at most `FAMILY_LEVEL` of those named are expected to be chance.

    Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B 57.

    >>> benjamini_hochberg([0.001, 0.04, 0.03, 0.9])
    (True, False, False, False)
    """
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    named = 0
    for rank, at in enumerate(order, 1):
        if chances[at] <= FAMILY_LEVEL * rank / len(chances):
            named = rank
    kept = set(order[:named])
    return tuple(at in kept for at in range(len(chances)))


LEAST = 5
"""Below so many tasks on either side no difference is tested."""
TINY = 1e-12
"""A variance of nothing, but for rounding."""
SYMMETRIC = 1e-4
"""A skewness below which a normal curve stands in."""


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

    def without(self, some: Ended) -> Ended:
        """What is left without these."""
        return Ended(self.won - some.won, self.tied - some.tied, self.lost - some.lost)


ByTask = Mapping[str, Sequence[Ended]]
"""Of each task its runs, those together that may all end alike: repeated runs in one iteration."""


def chance(part: ByTask, rest: ByTask) -> float | None:
    """The two-sided p of no difference between the part's tasks and the rest's; None below five tasks on either side.

    A task's mean is one observation. Where a task is in both, its two means are compared: the largest p of a t test
    over such tasks and of two stratified randomisation tests (Neyman 1923, normal approximation). These ask how far the
    means lie apart if the part's pairs are drawn from all pairs of their tasks, and if the runs that stand together are
    drawn as one, as they may all end alike. A t test alone names every part that a strong candidate happens to win
    throughout, as its differences hardly vary. Where no task is in both, whole tasks are drawn (Mann and Whitney).
    """
    own = {task: total(outcomes) for task, outcomes in part.items() if outcomes}
    others = {task: total(outcomes) for task, outcomes in rest.items() if outcomes}
    shared = sorted(own.keys() & others.keys())
    if len(shared) >= LEAST:
        pairs = [_Drawn.of_pairs(own[task], others[task]) for task in shared]
        runs = [_Drawn.of_runs(part[task], rest[task]) for task in shared]
        return max(_paired([pair.difference for pair in pairs]), _normal(pairs), _normal(runs))
    first = [outcomes.share for task, outcomes in own.items() if task not in others]
    second = [outcomes.share for task, outcomes in others.items() if task not in own]
    if min(len(first), len(second)) < LEAST:
        return None
    return mann_whitney(first, second)


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """The two-sided p of the rank sum of the first values if they were drawn at random from all, at least three.

    Twice the smaller tail, by Pearson's type III with the three moments of such draws and half a step between ranks as
    correction for continuity (Mielke and Berry 2007). Where nearly all values are alike, as with a strong candidate, a
    normal curve would make the rare ones too rare; without ties and with sides of one size it is the normal curve.

    >>> round(mann_whitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]), 4)
    0.0122
    """
    rank = _ranks([*first, *second])
    every = [rank[value] for value in (*first, *second)]
    n, m = len(every), len(first)
    middle = (n + 1) / 2
    spread, lean = (sum((place - middle) ** power for place in every) / n for power in (2, 3))
    if len(rank) < 2:
        return 1.0
    variance = m * (n - m) / (n - 1) * spread
    skew = m * (n - m) * (n - 2 * m) / ((n - 1) * (n - 2)) * lean / variance**1.5
    half = min(after - before for before, after in pairwise(sorted(rank.values()))) / 2
    value = sum(every[:m]) - m * middle
    above = _beyond((value - half) / sqrt(variance), skew)
    below = _beyond((-value - half) / sqrt(variance), -skew)
    return min(1.0, 2 * above, 2 * below)


def _ranks(values: Sequence[float]) -> dict[float, float]:
    """The rank of each value; of those that tie, the middle one."""
    rank: dict[float, float] = {}
    below = 0
    for value, ties in sorted(Counter(values).items()):
        rank[value] = below + (ties + 1) / 2
        below += ties
    return rank


class _Drawn(NamedTuple):
    """The difference of a task's two means, and its variance if those of the part are drawn from all."""

    difference: float
    variance: float

    @classmethod
    def of_pairs(cls, part: Ended, rest: Ended) -> _Drawn:
        """Each pair by itself."""
        whole = total((part, rest))
        squares = whole.won + whole.tied / 4 - whole.n * whole.share**2
        return cls(part.share - rest.share, squares / (whole.n - 1) * (1 / part.n + 1 / rest.n))

    @classmethod
    def of_runs(cls, part: Sequence[Ended], rest: Sequence[Ended]) -> _Drawn:
        """The runs that stand together as one."""
        own, others = ([outcomes.share for outcomes in side] for side in (part, rest))
        n = len(own) + len(others)
        first, second = sum(own), sum(others)
        squares = sum(share * share for share in (*own, *others)) - (first + second) ** 2 / n
        return cls(
            first / len(own) - second / len(others),
            max(squares, 0.0) / (n - 1) * (1 / len(own) + 1 / len(others)),
        )


def total(runs: Iterable[Ended]) -> Ended:
    """All of these."""
    won = tied = lost = 0
    for run in runs:
        won, tied, lost = won + run.won, tied + run.tied, lost + run.lost
    return Ended(won, tied, lost)


def _normal(drawn: Sequence[_Drawn]) -> float:
    """The two-sided p of the sum of these differences."""
    variance = sum(draw.variance for draw in drawn)
    # Where all pairs of each task are alike, nothing can differ.
    return erfc(abs(sum(draw.difference for draw in drawn)) / sqrt(2 * variance)) if variance > TINY else 1.0


def _beyond(z: float, skew: float) -> float:
    """The chance of at least this value of a variable of Pearson's type III with mean 0, variance 1 and this skewness.

    It is a gamma variable, moved and perhaps mirrored.
    """
    from scipy.special import gammainc, gammaincc  # a page without statistics must not load scipy

    if abs(skew) < SYMMETRIC:
        return erfc(z / sqrt(2)) / 2
    shape = 4 / skew**2
    at = max(shape + (z if skew > 0 else -z) * sqrt(shape), 0.0)
    return float((gammaincc if skew > 0 else gammainc)(shape, at))


def _paired(differences: list[float]) -> float:
    from scipy.special import stdtr  # a page without statistics must not load scipy

    n = len(differences)
    middle = sum(differences) / n
    spread = sqrt(sum((difference - middle) ** 2 for difference in differences) / (n - 1))
    if not spread:
        return 0.0 if middle else 1.0
    return 2 * float(stdtr(n - 1, -abs(middle) / (spread / sqrt(n))))


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
    p: float


class Turn(Frozen):
    """From place `at` on a task ended otherwise than before; `p` allows for every place that was tried."""

    at: int
    fell: bool
    p: float


def levels(shares: Series, *, pairs: float, cuts: Sequence[int] = ()) -> tuple[Level, ...]:
    """The history as one level, or as many as are more than chance; an iteration has so many `pairs` on average.

    For each place with two iterations on both sides the two means are compared by Student's t test, whose variance is
    no smaller than a quarter of the binomial one; the smallest p is multiplied by the number of places (Bonferroni).
    What lies before and after a step is tested again, each at half the level of significance, so that a history without
    a step is told of one in at most 5 of 100 cases. Within the levels found so, the places in `cuts`, where a change
    was known beforehand, are tested in the same way without the others; the two searches then share the significance.
    """
    known = [(at, share) for at, share in enumerate(shares) if share is not None]
    if not known:
        return ()
    overall = sum(share for _, share in known) / len(known)
    least = LEAST_EFFECT * overall * (1 - overall) / max(pairs, 1.0)
    level = FAMILY_LEVEL / 2 if cuts else FAMILY_LEVEL
    free = _split(known, level, range(len(shares)), p=0.0, least=least)
    parts = [part for own, p in free for part in _split(own, level / len(free), cuts, p=p, least=least)]
    starts = [0, *(own[0][0] for own, _ in parts[1:]), len(shares)]
    return tuple(
        Level(at=start, end=end, p=p) for (_, p), (start, end) in zip(parts, pairwise(starts), strict=True)
    )


Known = list[tuple[int, float]]


def _chance_of_step(before: Known, since: Known, least: float) -> float:
    """The two-sided p of one mean before and since, by Student's t test whose variance is no smaller than `least`."""
    from scipy.special import stdtr  # a page without statistics must not load scipy

    first, second = (sum(share for _, share in side) / len(side) for side in (before, since))
    squares = sum((share - first) ** 2 for _, share in before) + sum(
        (share - second) ** 2 for _, share in since
    )
    free = len(before) + len(since) - 2
    error = sqrt(max(squares / free, least) * (1 / len(before) + 1 / len(since)))
    if first == second:
        return 1.0
    return 2 * float(stdtr(free, -abs(second - first) / error)) if error else 0.0


def _split(
    known: Known, level: float, places: Sequence[int], *, p: float, least: float
) -> list[tuple[Known, float]]:
    """The stretches of these shares between steps at these places, each with the p of the step before it; `least` is a
    variance."""
    steps = [
        (_chance_of_step(known[:cut], known[cut:], least), cut)
        for cut in range(LEAST_SIDE, len(known) - LEAST_SIDE + 1)
        if any(known[cut - 1][0] < place <= known[cut][0] for place in places)
    ]
    chance, cut = min(steps, default=(1.0, 0))
    if not steps or (chance := chance * len(steps)) >= level:
        return [(known, p)]
    before, since = (
        _split(part, level / 2, places, p=own, least=least)
        for part, own in ((known[:cut], p), (known[cut:], chance))
    )
    return [*before, *since]


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
    last_run = [(comb(n - run, all_lost - run) / comb(n, all_lost), n - run)] if run else []
    chance, cut = min((_tail(n, all_lost, n - cut, sum(lost[cut:])), cut) for cut in range(1, n))
    chance, cut = min((*last_run, (chance * (n - 1), cut)))
    return Turn(at=places[cut], fell=True, p=min(1.0, 2 * chance))


def rose(series: Series) -> Turn | None:
    """The same for losses that turned into wins."""
    turn = fell([None if value is None else -value for value in series])
    return turn and turn.copy_with(fell=False)


@lru_cache(maxsize=1 << 14)
def _tail(n: int, lost: int, drawn: int, least: int) -> float:
    """The chance of at least so many lost ones among those drawn from n."""
    return sum(comb(lost, x) * comb(n - lost, drawn - x) for x in range(least, min(lost, drawn) + 1)) / comb(
        n, drawn
    )
