"""How far two raters agree beyond what chance would give."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from comparator.stats.figures import ENOUGH, Estimate, TooFew, Undefined, share
from comparator.stats.paired import Sums
from comparator.stats.resampling import bca

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Tables = NDArray[np.float64]

Counts = Sequence[Sequence[int]]
"""How often the first rater said i and the second j, categories in the same order on both sides."""


def raw_agreement(counts: Counts) -> Estimate | TooFew:
    """The share of cases in which both raters said the same, with Wilson's interval; TooFew below 20 cases."""
    return share(sum(row[i] for i, row in enumerate(counts)), sum(map(sum, counts)))


def weighted_kappa(
    counts: Counts, *, alike: Sums | None = None, seed: int = 0
) -> Estimate | TooFew | Undefined:
    """Cohen's kappa with quadratic weights for ordered categories, with a BCa bootstrap interval.

    Cohen (1968), Psychological Bulletin 70. 1 is perfect agreement, 0 what chance gives. `alike` holds the raters'
    differences (first minus second) added up over the things that several of these cases were given for: such cases
    count as fewer by the design effect of the mean difference. TooFew below 20 cases, or things; Undefined where
    both raters used only one and the same category.
    """
    if alike is None:
        return _bootstrapped(counts, _kappas, seed=seed)
    if alike.tasks < ENOUGH:
        return TooFew(n=alike.tasks)
    cells = [(i - j, count) for i, row in enumerate(counts) for j, count in enumerate(row)]
    mean = alike.total / alike.n
    alone = sum(count * (away - mean) ** 2 for away, count in cells) / alike.n**2
    effect = max(alike.variance_of_mean / alone, 1.0) if alone else alike.n / alike.tasks
    return _bootstrapped(counts, _kappas, effect=effect, units=alike.tasks, seed=seed)


def cohens_kappa(counts: Counts, *, seed: int = 0) -> Estimate | TooFew | Undefined:
    """Cohen's kappa for categories without an order, with a BCa bootstrap interval.

    Cohen (1960), Educational and Psychological Measurement 20. TooFew below 20 cases; Undefined where both raters used
    only one and the same category.
    """
    return _bootstrapped(counts, _plain_kappas, seed=seed)


def ac1(counts: Counts, *, seed: int = 0) -> Estimate | TooFew | Undefined:
    """Gwet's AC1 for two raters, with a BCa bootstrap interval; it stays sensible where one category is rare.

    Gwet (2008), British Journal of Mathematical and Statistical Psychology 61. TooFew below 20 cases.
    """
    return _bootstrapped(counts, _ac1s, seed=seed)


def _bootstrapped(
    counts: Counts,
    figure: Callable[[Tables], Tables],
    *,
    effect: float = 1.0,
    units: int | None = None,
    seed: int,
) -> Estimate | TooFew | Undefined:
    return _of_table(tuple(map(tuple, counts)), figure, effect, units, seed)


@lru_cache(maxsize=1024)
def _of_table(
    counts: tuple[tuple[int, ...], ...],
    figure: Callable[[Tables], Tables],
    effect: float,
    units: int | None,
    seed: int,
) -> Estimate | TooFew | Undefined:
    """Kept for as long as the process runs: a page with ten of them has most of them again after a click."""
    n = sum(map(sum, counts))
    if n < ENOUGH:
        return TooFew(n=n)
    import numpy as np

    table = np.asarray(counts, dtype=float)
    value = float(figure(table[None])[0])
    if np.isnan(value):
        return Undefined(n=n, reason="Both used only one and the same category.")

    def of_rows(rows: Tables) -> Tables:
        return figure(rows.reshape(len(rows), *table.shape))

    cells = [count for row in counts for count in row]
    return Estimate(value=value, interval=bca(cells, of_rows, effect=effect, units=units, seed=seed), n=n)


def _kappas(tables: Tables) -> Tables:
    import numpy as np

    size = tables.shape[-1]
    weights = (np.arange(size)[:, None] - np.arange(size)) ** 2.0
    rows, columns = tables.sum(2), tables.sum(1)
    by_chance = ((rows @ weights) * columns).sum(1) / rows.sum(1)
    observed = tables.reshape(len(tables), -1) @ weights.ravel()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(by_chance > 0, 1 - observed / by_chance, np.nan))


def _plain_kappas(tables: Tables) -> Tables:
    import numpy as np

    n = tables.sum((1, 2))
    by_chance = (tables.sum(2) * tables.sum(1)).sum(1) / n**2
    observed = np.trace(tables, axis1=1, axis2=2) / n
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(by_chance < 1, (observed - by_chance) / (1 - by_chance), np.nan))


def _ac1s(tables: Tables) -> Tables:
    import numpy as np

    n = tables.sum((1, 2))
    used = (tables.sum(2) + tables.sum(1)) / (2 * n[:, None])
    by_chance = (used * (1 - used)).sum(1) / (tables.shape[-1] - 1)
    observed = np.trace(tables, axis1=1, axis2=2) / n
    return np.asarray((observed - by_chance) / (1 - by_chance))
