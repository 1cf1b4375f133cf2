"""Which of many results, tested at once, stand out."""

from __future__ import annotations

from collections.abc import Sequence

LEVEL = 0.05
"""The significance level: the share of false findings that is accepted."""


def benjamini_hochberg(chances: Sequence[float], *, level: float = LEVEL) -> tuple[bool, ...]:
    """Which of these p-values stand out, so that at most `level` of those named are expected to be chance.

    Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B 57.

    >>> benjamini_hochberg([0.001, 0.04, 0.03, 0.9])
    (True, False, False, False)
    """
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    named = 0
    for rank, at in enumerate(order, 1):
        if chances[at] <= level * rank / len(chances):
            named = rank
    kept = set(order[:named])
    return tuple(at in kept for at in range(len(chances)))
