"""What chance gives: two runs of one candidate, compared like any other two."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, sqrt

from comparator.domain.labels import Frozen
from comparator.stats.figures import ENOUGH, Interval, TooFew
from comparator.stats.shares import quantile

WITHIN = 0.95


class NoiseFloor(Frozen):
    """How far apart two runs of one candidate come out, in tenths of a point of the overall score."""

    pairs: int
    decided: int
    """Pairs in which one of the two equal runs was named the winner."""
    median: int
    most: int
    """The lead that 95 of 100 such pairs do not exceed."""

    def rates(self, pairs: int) -> Interval:
        """The win rates that 95 of 100 histories of so many pairs would show if both were equally good."""
        half = quantile() * sqrt(self.decided / self.pairs / pairs) / 2
        return Interval(low=max(0.5 - half, 0.0), high=min(0.5 + half, 1.0))


def noise_floor(leads: Mapping[int, int], *, decided: int) -> NoiseFloor | TooFew:
    """The floor, from how often each lead in tenths occurred; TooFew below 20 pairs."""
    pairs = sum(leads.values())
    if pairs < ENOUGH:
        return TooFew(n=pairs)
    return NoiseFloor(
        pairs=pairs,
        decided=decided,
        median=counted_quantile(leads, 0.5),
        most=counted_quantile(leads, WITHIN),
    )


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
