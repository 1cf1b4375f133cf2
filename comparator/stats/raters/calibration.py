"""From the confidence that a judge states to the chance that it is right, learnt from blind reviews."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp
from typing import Literal, NamedTuple

from comparator.domain.labels import Frozen
from comparator.stats.figures import Interval, TooFew
from comparator.stats.shares import wilson

NEEDED = 50
"""Blind reviews; below them there is no calibration."""
ENOUGH_FOR_STEPS = 1000
"""From so many on isotonic regression is the better one; below it Platt's two parameters are (Niculescu-Mizil and
Caruana 2005, ICML)."""
LEVELS = (50, 60, 70, 80, 90, 100)
_STEPS = 50


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
    rights = sum(r for r, _ in counts.values())
    wrongs = sum(n - r for r, n in counts.values())
    high, low = (rights + 1) / (rights + 2), 1 / (wrongs + 2)
    slope, start = _logistic(counts, high=high, low=low, with_slope=True)
    if slope < 0:
        slope, start = _logistic(counts, high=high, low=low, with_slope=False)
    return {level: _chance(start + slope * _x(level)) for level in LEVELS}


def isotonic(counts: Counts) -> dict[int, float]:
    """Pool adjacent violators over the levels; a level without reviews lies between its neighbours."""
    blocks: list[tuple[float, float, list[int]]] = []
    for level in LEVELS:
        right, n = counts[level]
        if not n:
            continue
        blocks.append((float(right), float(n), [level]))
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            right_b, n_b, of_b = blocks.pop()
            right_a, n_a, of_a = blocks.pop()
            blocks.append((right_a + right_b, n_a + n_b, [*of_a, *of_b]))
    known = {level: right / n for right, n, levels in blocks for level in levels}
    return {level: _between(known, level) for level in LEVELS}


def _between(known: Mapping[int, float], level: int) -> float:
    if level in known:
        return known[level]
    below = max((each for each in known if each < level), default=None)
    above = min((each for each in known if each > level), default=None)
    if below is None or above is None:
        nearest = above if below is None else below
        assert nearest is not None
        return known[nearest]
    return known[below] + (known[above] - known[below]) * (level - below) / (above - below)


def _x(level: int) -> float:
    """The level around its middle, so that slope and start hardly depend on each other."""
    return (level - 75) / 25


def _logistic(counts: Counts, *, high: float, low: float, with_slope: bool) -> tuple[float, float]:
    """Slope and start by Newton's method, which a little weight on small slopes keeps finite."""
    slope, start, ridge = 0.0, 0.0, 1e-6
    for _ in range(_STEPS):
        g0 = g1 = h00 = h01 = 0.0
        h11 = ridge
        g1 -= ridge * slope
        for level, (right, n) in counts.items():
            p, x = _chance(start + slope * _x(level)), _x(level)
            missing = right * (high - p) + (n - right) * (low - p)
            weight = n * max(p * (1 - p), 1e-9)
            g0, g1 = g0 + missing, g1 + missing * x
            h00, h01, h11 = h00 + weight, h01 + weight * x, h11 + weight * x * x
        if not with_slope:
            step0, step1 = g0 / h00, 0.0
        else:
            determinant = h00 * h11 - h01 * h01
            if abs(determinant) < 1e-12:
                break
            step0 = (h11 * g0 - h01 * g1) / determinant
            step1 = (h00 * g1 - h01 * g0) / determinant
        start, slope = start + _bounded(step0), slope + _bounded(step1)
        if abs(step0) + abs(step1) < 1e-10:
            break
    return slope, start


def _bounded(step: float) -> float:
    return max(-2.0, min(2.0, step))


def _chance(x: float) -> float:
    return 1 / (1 + exp(-x)) if x > -700 else 0.0


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
