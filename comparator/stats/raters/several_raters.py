"""How far several reviewers of the same cases agree, from how often each combination of their answers occurred."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from comparator.domain.labels import Frozen
from comparator.stats.figures import ENOUGH, Estimate, TooFew, Undefined
from comparator.stats.resampling import bca

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.float64]


class VotePattern(Frozen):
    """`cases` cases in which `votes[k]` reviewers chose category k; the categories are ordered."""

    votes: tuple[int, ...]
    cases: int


class PanelAgreement(Frozen):
    """How far reviewers agree; `pairs` counts the pairs of answers to one case that are compared."""

    cases: int
    pairs: int
    raw: Estimate | TooFew
    """The chance that two reviewers of one case gave the same answer."""
    alpha: Estimate | TooFew | Undefined
    """Krippendorff's, ordinal: categories further apart disagree more."""
    ac1: Estimate | TooFew | Undefined


def panel_agreement(patterns: Sequence[VotePattern], *, seed: int = 0) -> PanelAgreement:
    """The agreement over all cases that at least two reviewers answered, with BCa intervals over cases.

    Alpha: Krippendorff (2018), Content Analysis; AC1 of several raters: Gwet (2008), British Journal of Mathematical
    and Statistical Psychology 61. TooFew below 20 such cases.
    """
    shared = [pattern for pattern in patterns if sum(pattern.votes) > 1 and pattern.cases]
    cases = sum(pattern.cases for pattern in shared)
    pairs = sum(_pairs(sum(pattern.votes)) * pattern.cases for pattern in shared)
    if cases < ENOUGH:
        few = TooFew(n=cases)
        return PanelAgreement(cases=cases, pairs=pairs, raw=few, alpha=few, ac1=few)
    import numpy as np

    votes = np.array([pattern.votes for pattern in shared], dtype=float)
    counts = [pattern.cases for pattern in shared]

    def estimate(figure: Callable[[Rows], Rows]) -> Estimate | Undefined:
        value = float(figure(np.array([counts], dtype=float))[0])
        if np.isnan(value):
            return Undefined(n=cases, reason="All answers are the same.")
        return Estimate(value=value, interval=bca(counts, figure, seed=seed), n=cases)

    raw = estimate(lambda weights: _raw(votes, weights))
    assert isinstance(raw, Estimate)
    return PanelAgreement(
        cases=cases,
        pairs=pairs,
        raw=raw,
        alpha=estimate(lambda weights: _alpha(votes, weights)),
        ac1=estimate(lambda weights: _ac1(votes, weights)),
    )


def _pairs(n: int) -> int:
    return n * (n - 1) // 2


def _raw(votes: Rows, weights: Rows) -> Rows:
    import numpy as np

    raters = votes.sum(1)
    same = (votes * (votes - 1)).sum(1) / (raters * (raters - 1))
    return np.asarray((weights @ same) / weights.sum(1))


def _ac1(votes: Rows, weights: Rows) -> Rows:
    import numpy as np

    used = (weights @ (votes / votes.sum(1, keepdims=True))) / weights.sum(1, keepdims=True)
    by_chance = (used * (1 - used)).sum(1) / (votes.shape[1] - 1)
    return np.asarray((_raw(votes, weights) - by_chance) / (1 - by_chance))


def _alpha(votes: Rows, weights: Rows) -> Rows:
    import numpy as np

    size = votes.shape[1]
    met = votes[:, :, None] * votes[:, None, :] - votes[:, :, None] * np.eye(size)
    met /= (votes.sum(1) - 1)[:, None, None]
    seen = (weights @ met.reshape(len(votes), -1)).reshape(-1, size, size)
    used = seen.sum(2)
    reached = np.cumsum(used, axis=1)
    # Of two categories: all answers from the one to the other, each end counted half.
    apart = np.abs((reached - used / 2)[:, :, None] - (reached - used / 2)[:, None, :]) ** 2
    expected = used[:, :, None] * used[:, None, :] / (used.sum(1) - 1)[:, None, None]
    by_chance = (expected * apart).sum((1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(by_chance > 0, 1 - (seen * apart).sum((1, 2)) / by_chance, np.nan))
