"""Whether blinding held: what reviewers guessed about who made which output."""

from __future__ import annotations

from math import sqrt

from comparator.domain.labels import Frozen
from comparator.stats.figures import ENOUGH, LEVEL, Estimate, Interval, TooFew, quantile


class Guesses(Frozen):
    """Guesses about outputs that one candidate made: right, wrong, and "no idea"."""

    right: int
    wrong: int
    no_idea: int

    @property
    def n(self) -> int:
        """All of them."""
        return self.right + self.wrong + self.no_idea


def bang_index(guesses: Guesses, *, level: float = LEVEL) -> Estimate | TooFew:
    """Bang's blinding index: 0 as by coin, 1 if everybody guessed right, -1 if everybody guessed wrong.

    Bang, Ni and Davis (2004), Controlled Clinical Trials 25: the share of right guesses minus the share of wrong
    ones, those without an idea in the denominator. TooFew below 20 guesses.
    """
    n = guesses.n
    if n < ENOUGH:
        return TooFew(n=n)
    right, wrong = guesses.right / n, guesses.wrong / n
    variance = (right * (1 - right) + wrong * (1 - wrong) + 2 * right * wrong) / n
    half = quantile(level, units=n) * sqrt(variance)
    value = right - wrong
    return Estimate(
        value=value, interval=Interval(low=max(value - half, -1.0), high=min(value + half, 1.0)), n=n
    )
