"""From the confidence that a judge states to the chance that it is right, learnt from blind reviews."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from comparator.domain.labels import Frozen
from comparator.stats.figures import Interval, TooFew, wilson

NEEDED = 50
"""Blind reviews; below them there is no calibration."""
ENOUGH_FOR_STEPS = 1000
"""From so many on isotonic regression is the better one; below it Platt's two parameters are (Niculescu-Mizil and
Caruana 2005, ICML)."""
LEVELS = (50, 60, 70, 80, 90, 100)


class ConfidenceCount(NamedTuple):
    """How often the judge was right where it stated this confidence, in percent."""

    confidence: int
    right: int
    n: int


class Reliability(Frozen):
    """One level of the reliability picture."""

    confidence: int
    right: int
    n: int
    interval: Interval | None
    """Of the share that was right; None without any review."""
    probability: float
    """What the calibration makes of it, 0 to 1."""


class Calibration(Frozen):
    """The chance that people name the judge's winner, by the confidence that it states."""

    method: Literal["platt", "isotonic"]
    n: int
    levels: tuple[Reliability, ...]
    error_before: float
    """Expected calibration error of the stated confidence: the mean distance from the share that was right."""
    brier_before: float
    """The mean squared error of the stated confidence taken for a probability."""
    brier_after: float
    """That of the calibrated one, each review predicted without itself."""
    brier_constant: float
    """That of the overall share, each review predicted without itself."""

    @property
    def helps(self) -> bool:
        """Whether it predicts better than the stated confidence does."""
        return self.brier_after < self.brier_before

    def probability(self, confidence: int) -> float:
        """The chance that goes with a stated confidence, 0 to 1."""
        return next(each.probability for each in self.levels if each.confidence == confidence)


def calibrate(stated: Sequence[ConfidenceCount]) -> Calibration | TooFew:
    """The calibration that these reviews give; TooFew below 50. Monotone: more confidence never means less."""
    counts = dict.fromkeys(LEVELS, (0, 0))
    for each in stated:
        right, n = counts[each.confidence]
        counts[each.confidence] = (right + each.right, n + each.n)
    total = sum(n for _, n in counts.values())
    if total < NEEDED:
        return TooFew(n=total, needed=NEEDED)
    method: Literal["platt", "isotonic"] = "isotonic" if total >= ENOUGH_FOR_STEPS else "platt"
    fit = isotonic if method == "isotonic" else platt
    fitted = fit(counts)
    right = sum(r for r, _ in counts.values())
    return Calibration(
        method=method,
        n=total,
        levels=tuple(
            Reliability(
                confidence=level,
                right=counts[level][0],
                n=counts[level][1],
                interval=wilson(*counts[level]) if counts[level][1] else None,
                probability=fitted[level],
            )
            for level in LEVELS
        ),
        error_before=sum(abs(level / 100 * n - r) for level, (r, n) in counts.items()) / total,
        brier_before=_brier(counts, lambda level, _: level / 100),
        brier_after=_without_itself(counts, fit),
        brier_constant=_brier(counts, lambda _, hit: (right - hit) / (total - 1)),
    )


Counts = Mapping[int, tuple[int, int]]
"""By level, how many were right and how many there were."""


def platt(counts: Counts) -> dict[int, float]:
    """Logistic regression on the stated share with Platt's smoothed targets (1999), its slope never below zero."""
    import numpy as np
    from scipy.optimize import minimize
    from scipy.special import expit

    right, n = np.array([counts[level] for level in LEVELS], dtype=float).T
    high, low = (right.sum() + 1) / (right.sum() + 2), 1 / ((n - right).sum() + 2)
    target = right * high + (n - right) * low
    # Around the middle, so that slope and start hardly depend on each other.
    x = (np.array(LEVELS) - 75) / 25

    def loss(at: Any) -> Any:
        logits = at[0] * x + at[1]
        error = n * expit(logits) - target
        return (n * np.logaddexp(0, logits) - target * logits).sum(), np.array(
            [(error * x).sum(), error.sum()]
        )

    # SciPy's L-BFGS-B goes through BLAS, whose threads wait for each other: on a busy machine a fit took a second.
    slope, start = minimize(
        loss,
        [0.0, 0.0],
        jac=True,
        method="TNC",
        bounds=[(0, 20), (-20, 20)],
        options={"ftol": 1e-14, "gtol": 1e-9, "maxfun": 1000},
    ).x
    return dict(zip(LEVELS, map(float, expit(slope * x + start)), strict=True))


def isotonic(counts: Counts) -> dict[int, float]:
    """Isotonic regression over the levels; a level without reviews lies between its neighbours."""
    import numpy as np
    from scipy.optimize import isotonic_regression

    known = [level for level in LEVELS if counts[level][1]]
    right, n = np.array([counts[level] for level in known], dtype=float).T
    fitted = np.interp(LEVELS, known, isotonic_regression(right / n, weights=n).x)
    return dict(zip(LEVELS, map(float, fitted), strict=True))


def _brier(counts: Counts, predicted: Callable[[int, int], float]) -> float:
    total = sum(n for _, n in counts.values())
    return (
        sum(
            r * (predicted(level, 1) - 1) ** 2 + (n - r) * predicted(level, 0) ** 2
            for level, (r, n) in counts.items()
        )
        / total
    )


def _without_itself(counts: Counts, fit: Callable[[Counts], dict[int, float]]) -> float:
    """The Brier score where each review is predicted by a fit to all others."""
    left_out: dict[tuple[int, int], float] = {}
    for level, (right, n) in counts.items():
        for hit, there in ((1, right), (0, n - right)):
            if there:
                others = {**counts, level: (right - hit, n - 1)}
                left_out[level, hit] = fit(others)[level]
    return _brier(counts, lambda level, hit: left_out.get((level, hit), 0.0))
