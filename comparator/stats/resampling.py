"""Bootstrap intervals of a figure over counted kinds of cases, corrected for bias and skew (BCa)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from comparator.stats.figures import LEVEL, Interval, quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.float64]

RESAMPLES = 2000


def bca(
    counts: Sequence[int],
    figure: Callable[[Rows], Rows],
    *,
    effect: float = 1.0,
    units: int | None = None,
    seed: int = 0,
) -> Interval:
    """The interval of `figure`, given how many cases there are of each kind.

    `figure` takes weights, one row a resample and one column a kind, and returns one value a row; NaN where a
    resample has no value counts as 1, complete agreement. Efron (1987), Journal of the American Statistical
    Association 82, with the jackknife for the acceleration. Cases that are alike count as fewer: as their number
    divided by `effect`. Where they come from fewer than 60 `units`, the normal quantile is replaced by Student's with
    units - 1 degrees of freedom, times the root of units / (units - 1) (Hesterberg 2015, The American Statistician 69).
    """
    import numpy as np

    cases = np.asarray(counts, dtype=float)
    n = max(round(cases.sum() / effect), 1)
    value = float(figure(cases[None])[0])
    drawn = np.random.default_rng(seed).multinomial(n, cases / cases.sum(), size=RESAMPLES).astype(float)
    spread = _filled(figure(drawn))
    # Half of those that equal the estimate count as below it, else a coarse figure looks biased.
    below = (np.sum(spread < value) + np.sum(spread == value) / 2) / RESAMPLES
    if not 0 < below < 1:
        low, high = np.quantile(spread, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        return Interval(low=float(low), high=float(high))
    normal = NormalDist()
    bias, speed = normal.inv_cdf(float(below)), _acceleration(cases, figure) * sqrt(effect)
    reach = quantile(units=units) * (1.0 if units is None else sqrt(units / (units - 1)))

    def place(away: float) -> float:
        shifted = bias + away
        return normal.cdf(bias + shifted / (1 - speed * shifted))

    low, high = np.quantile(spread, sorted((place(-reach), place(reach))))
    return Interval(low=float(low), high=float(high))


def _acceleration(cases: Rows, figure: Callable[[Rows], Rows]) -> float:
    import numpy as np

    there = cases > 0
    left_out = _filled(figure((cases - np.eye(len(cases)))[there]))
    weights = cases[there]
    away = np.average(left_out, weights=weights) - left_out
    spread = float((weights * away**2).sum())
    return float((weights * away**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0


def _filled(values: Rows) -> Rows:
    import numpy as np

    return np.where(np.isnan(values), 1.0, values)
