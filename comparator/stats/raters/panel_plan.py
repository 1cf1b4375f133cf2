"""What a plan of reviews buys: how wide the interval of the win rate will be with so many reviews a pair."""

from __future__ import annotations

from comparator.stats.figures import ENOUGH
from comparator.stats.shares import wilson

USUAL_LIKENESS = 0.6
"""How alike reviewers of one pair are taken to be while the project's own data do not say."""


def expected_width(pairs: int, *, reviews: int, likeness: float = USUAL_LIKENESS) -> float | None:
    """The width (0 to 1) of the 95% interval of the win rate, if each of `pairs` has so many reviews.

    As for a rate of one half without ties, each review being a vote. The reviews of one pair are as alike as
    `likeness` says (the correlation of two votes; alpha is an estimate), so that k of them are worth
    k / (1 + (k - 1) likeness) (Kish 1965, the design effect). None below 20 pairs, for which no interval is told.
    """
    return _width(pairs, (1 + (reviews - 1) * likeness) / reviews)


def expected_width_shared(
    pairs: int, *, share: float, reviews: int, reviewers: int, likeness: float = USUAL_LIKENESS
) -> float | None:
    """The same, if `share` of the pairs (0 to 1) is reviewed by all `reviewers` and each other pair so many times."""
    most = max(reviewers, reviews)
    few, many = ((1 + (k - 1) * likeness) / k for k in (reviews, most))
    return _width(pairs, (1 - share) * few + share * many)


def _width(pairs: int, variance: float) -> float | None:
    if pairs < ENOUGH:
        return None
    effective = pairs / variance
    interval = wilson(effective / 2, effective, units=pairs)
    return interval.high - interval.low
