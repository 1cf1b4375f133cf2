"""How far two raters, or several, agree beyond chance, with bootstrap intervals (BCa)."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from comparator.domain.labels import Frozen
from comparator.stats.intervals import ENOUGH, LEVEL, Estimate, Interval, TooFew, Undefined, quantile
from comparator.stats.paired import Sums

Rows = NDArray[np.float64]
Figure = Callable[[Rows], Rows]
"""From weights, one row a resample and one column a kind of case, to one value a row; NaN where it has none."""

RESAMPLES = 2000


def _bca(cases: Rows, figure: Figure, *, effect: float, units: int | None) -> Interval:
    """The interval of a figure, given how many cases there are of each kind.

    A resample without a value counts as 1, complete agreement. Efron (1987), Journal of the American Statistical
    Association 82, with the jackknife for the acceleration. Cases that are alike count as fewer: as their number
    divided by `effect`. Where they come from fewer than 60 `units`, the normal quantile is replaced by Student's with
    units - 1 degrees of freedom, times the root of units / (units - 1) (Hesterberg 2015, The American Statistician 69).
    """
    n = max(round(cases.sum() / effect), 1)
    value = float(figure(cases[None])[0])
    drawn = np.random.default_rng(0).multinomial(n, cases / cases.sum(), size=RESAMPLES).astype(float)
    spread = np.nan_to_num(figure(drawn), nan=1.0)
    # Half of those that equal the estimate count as below it, else a coarse figure looks biased.
    below = (np.sum(spread < value) + np.sum(spread == value) / 2) / RESAMPLES
    places = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    if 0 < below < 1:
        normal = NormalDist()
        bias, speed = normal.inv_cdf(float(below)), _acceleration(cases, figure) * sqrt(effect)
        reach = quantile(units=units) * (1.0 if units is None else sqrt(units / (units - 1)))
        shifts = (bias - reach, bias + reach)
        places = sorted(normal.cdf(bias + shift / (1 - speed * shift)) for shift in shifts)
    low, high = np.quantile(spread, places)
    return Interval(low=float(low), high=float(high))


def _acceleration(cases: Rows, figure: Figure) -> float:
    there = cases > 0
    left_out = np.nan_to_num(figure((cases - np.eye(len(cases)))[there]), nan=1.0)
    weights = cases[there]
    away = np.average(left_out, weights=weights) - left_out
    spread = float((weights * away**2).sum())
    return float((weights * away**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0


def _estimate(
    cases: Sequence[int], figure: Figure, *, undefined: str, effect: float = 1.0, units: int | None = None
) -> Estimate | TooFew | Undefined:
    """A figure over counted kinds of cases; TooFew below 20 cases, Undefined for the reason given."""
    n = sum(cases)
    if n < ENOUGH:
        return TooFew(n=n)
    counted = np.array(cases, dtype=float)
    value = float(figure(counted[None])[0])
    if np.isnan(value):
        return Undefined(n=n, reason=undefined)
    return Estimate(value=value, interval=_bca(counted, figure, effect=effect, units=units), n=n)


Counts = Sequence[Sequence[int]]
"""How often the first rater said i and the second j, categories in the same order on both sides."""


def weighted_kappa(counts: Counts, *, alike: Sums | None = None) -> Estimate | TooFew | Undefined:
    """Cohen's kappa with quadratic weights for ordered categories, with a BCa bootstrap interval.

    Cohen (1968), Psychological Bulletin 70. 1 is perfect agreement, 0 what chance gives. `alike` holds the raters'
    differences (first minus second) added up over the things that several of these cases were given for: such cases
    count as fewer by the design effect of the mean difference. TooFew below 20 cases, or things; Undefined where
    both raters used only one and the same category.
    """
    if alike is None:
        return _of_table(counts, _weighted_kappas)
    if alike.tasks < ENOUGH:
        return TooFew(n=alike.tasks)
    cells = [(i - j, count) for i, row in enumerate(counts) for j, count in enumerate(row)]
    mean = alike.total / alike.n
    alone = sum(count * (away - mean) ** 2 for away, count in cells) / alike.n**2
    effect = max(alike.variance_of_mean / alone, 1.0) if alone else alike.n / alike.tasks
    return _of_table(counts, _weighted_kappas, effect=effect, units=alike.tasks)


def cohens_kappa(counts: Counts) -> Estimate | TooFew | Undefined:
    """Cohen's kappa for categories without an order, with a BCa bootstrap interval.

    Cohen (1960), Educational and Psychological Measurement 20. TooFew below 20 cases; Undefined where both raters used
    only one and the same category.
    """
    return _of_table(counts, _kappas)


def _of_table(
    counts: Counts, figure: Figure, *, effect: float = 1.0, units: int | None = None
) -> Estimate | TooFew | Undefined:
    return _kept(tuple(count for row in counts for count in row), len(counts), figure, effect, units)


@lru_cache(maxsize=1024)
def _kept(
    cells: tuple[int, ...], size: int, figure: Figure, effect: float, units: int | None
) -> Estimate | TooFew | Undefined:
    """Kept for as long as the process runs: a page with ten of them has most of them again after a click."""
    return _estimate(
        cells,
        lambda rows: figure(rows.reshape(len(rows), size, size)),
        undefined="Both used only one and the same category.",
        effect=effect,
        units=units,
    )


def _weighted_kappas(tables: Rows) -> Rows:
    size = tables.shape[-1]
    weights = (np.arange(size)[:, None] - np.arange(size)) ** 2.0
    rows, columns = tables.sum(2), tables.sum(1)
    by_chance = ((rows @ weights) * columns).sum(1) / rows.sum(1)
    observed = tables.reshape(len(tables), -1) @ weights.ravel()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(by_chance > 0, 1 - observed / by_chance, np.nan))


def _kappas(tables: Rows) -> Rows:
    n = tables.sum((1, 2))
    by_chance = (tables.sum(2) * tables.sum(1)).sum(1) / n**2
    observed = np.trace(tables, axis1=1, axis2=2) / n
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(by_chance < 1, (observed - by_chance) / (1 - by_chance), np.nan))


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


def panel_agreement(patterns: Sequence[VotePattern]) -> PanelAgreement:
    """The agreement over all cases that at least two reviewers answered, with BCa intervals over cases.

    Alpha: Krippendorff (2018), Content Analysis; AC1 of several raters: Gwet (2008), British Journal of Mathematical
    and Statistical Psychology 61. TooFew below 20 such cases.
    """
    shared = [pattern for pattern in patterns if sum(pattern.votes) > 1 and pattern.cases]
    votes = np.array([pattern.votes for pattern in shared], dtype=float)
    cases = [pattern.cases for pattern in shared]

    def estimate(figure: Callable[[Rows, Rows], Rows]) -> Estimate | TooFew | Undefined:
        return _estimate(cases, lambda weights: figure(votes, weights), undefined="All answers are the same.")

    raw = estimate(_raw)
    assert not isinstance(raw, Undefined)
    return PanelAgreement(
        cases=sum(cases),
        pairs=sum(
            sum(vote_pattern.votes) * (sum(vote_pattern.votes) - 1) // 2 * vote_pattern.cases
            for vote_pattern in shared
        ),
        raw=raw,
        alpha=estimate(_alpha),
        ac1=estimate(_panel_ac1),
    )


def _raw(votes: Rows, weights: Rows) -> Rows:
    raters = votes.sum(1)
    same = (votes * (votes - 1)).sum(1) / (raters * (raters - 1))
    return np.asarray((weights @ same) / weights.sum(1))


def _panel_ac1(votes: Rows, weights: Rows) -> Rows:
    used = (weights @ (votes / votes.sum(1, keepdims=True))) / weights.sum(1, keepdims=True)
    by_chance = (used * (1 - used)).sum(1) / (votes.shape[1] - 1)
    return np.asarray((_raw(votes, weights) - by_chance) / (1 - by_chance))


def _alpha(votes: Rows, weights: Rows) -> Rows:
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
