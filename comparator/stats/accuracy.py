"""How often a judge is right, how often people guess who made what, and what a stated confidence is worth."""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from comparator.domain.labels import Frozen, Order, Winner
from comparator.stats.agreement import cohens_kappa
from comparator.stats.intervals import (
    ENOUGH,
    LEVEL,
    Estimate,
    Interval,
    TooFew,
    Undefined,
    quantile,
    share,
    wilson,
)

WINNERS = tuple(Winner)
Table = tuple[tuple[int, ...], ...]
"""Pairs by verdict (rows) and label (columns): A, B, TIE."""
_EMPTY: Table = ((0, 0, 0), (0, 0, 0), (0, 0, 0))
TABLES = ("verdicts", "first_verdicts")


class LabelledReading(Frozen):
    """One labelled pair as a judge read it: the winner of its first reading in each order, and its verdict."""

    truth: Winner
    by_order: Mapping[Order, Winner] = {}
    verdict: Winner | None = None
    """Of all readings together; None where there is none: an order is missing, or nothing was settled."""
    first_verdict: Winner | None = None
    """Of the first reading in each order alone."""
    contradicted: bool = False
    """A first reading's scores gave another winner than it named."""
    again: bool = False
    """It was read more than once in each order."""
    tools: bool = False
    """A reading opened files."""
    longer: Winner | None = None
    """The output that is longer by a tenth or more; None where neither is, or lengths are not known."""


class Counts(Frozen):
    """Counts over labelled pairs. A pair is covered that was read in both orders; readings are first ones."""

    pairs: int = 0
    covered: int = 0
    right: int = 0
    """Readings that named the label's winner."""
    decided: int = 0
    """Readings that named a winner, of pairs whose label names one."""
    right_decided: int = 0
    both: int = 0
    """Pairs right in both orders."""
    consistent: int = 0
    """Pairs with the same winner in both orders."""
    first: int = 0
    """Readings that named the output shown first; `second` the other one, `tied` neither."""
    second: int = 0
    tied: int = 0
    longer: int = 0
    """Readings that named the longer output of two that differ in length; `shorter` the other one."""
    shorter: int = 0
    label_longer: int = 0
    """Pairs whose label names the longer one of such two; `label_shorter` the other one."""
    label_shorter: int = 0
    contradicted: int = 0
    again: int = 0
    tools: int = 0
    undecided: int = 0
    """Covered pairs without a verdict; several judges may come to none. They count as not right."""
    verdicts: Table = _EMPTY
    """The other pairs by the judge's verdict of all readings."""
    first_verdicts: Table = _EMPTY
    """The pairs by the verdict of the first reading in each order alone, where these come to one. A pair is read again
    because it is close, which would bias kappa."""


class Accuracy(Frozen):
    """What the counts give, each with its 95% interval."""

    mean: Estimate | TooFew
    """Readings that named the label's winner, averaged over both orders; a tie is right where the label is one."""
    without_ties: Estimate | TooFew
    """The same of readings that named a winner, where the label names one."""
    both: Estimate | TooFew
    consistent: Estimate | TooFew
    verdict: Estimate | TooFew
    """Pairs whose verdict, of all readings, is the label's."""
    kappa: Estimate | TooFew | Undefined
    """Cohen's: how far the verdict of the first readings agrees with the label beyond chance, where there is one."""
    contradicted: Estimate | TooFew
    to_first: Estimate | TooFew
    """Readings that named the output shown first, of those that named one: half is unbiased."""
    to_a: Estimate | TooFew
    """Verdicts that named output A, of those that named one. The sides are drawn: about half is unbiased."""
    to_longer: Estimate | TooFew
    """Readings that named the longer output, of those that named one of two that differ in length. An unbiased judge
    names it about as often as the labels do."""


def count(reads: Iterable[LabelledReading]) -> Counts:
    """The counts over these pairs; only covered ones count beside `pairs`."""
    counts = dict.fromkeys(Counts.model_fields, 0)
    tables = {name: [[0] * len(WINNERS) for _ in WINNERS] for name in TABLES}
    for read in reads:
        counts["pairs"] += 1
        if set(read.by_order) != set(Order):
            continue
        winners = list(read.by_order.values())
        named = [winner for winner in winners if winner is not Winner.TIE]
        counts["covered"] += 1
        counts["right"] += winners.count(read.truth)
        if read.truth is not Winner.TIE:
            counts["decided"] += len(named)
            counts["right_decided"] += named.count(read.truth)
        counts["both"] += winners.count(read.truth) == len(winners)
        counts["consistent"] += len(set(winners)) == 1
        for order, winner in read.by_order.items():
            shown_first = Winner.A if order is Order.A_FIRST else Winner.B
            place = "tied" if winner is Winner.TIE else "first" if winner is shown_first else "second"
            counts[place] += 1
        if read.longer is not None:
            for prefix, named_winners in (("", named), ("label_", [read.truth])):
                for winner in named_winners:
                    if winner is not Winner.TIE:
                        counts[f"{prefix}{'longer' if winner is read.longer else 'shorter'}"] += 1
        for name in ("contradicted", "again", "tools"):
            counts[name] += getattr(read, name)
        counts["undecided"] += read.verdict is None
        for name, verdict in zip(TABLES, (read.verdict, read.first_verdict), strict=True):
            if verdict is not None:
                tables[name][WINNERS.index(verdict)][WINNERS.index(read.truth)] += 1
    return Counts.model_validate({**counts, **tables})


def accuracy(counts: Counts) -> Accuracy:
    """The figures; TooFew below 20 pairs. Both readings of a pair count as one observation, so intervals are wide."""
    n = counts.covered
    orders = len(Order)
    return Accuracy(
        mean=share(counts.right / orders, n),
        without_ties=share_of_readings(counts.right_decided, counts.decided),
        both=share(counts.both, n),
        consistent=share(counts.consistent, n),
        verdict=share(sum(row[at] for at, row in enumerate(counts.verdicts)), n),
        kappa=cohens_kappa(counts.first_verdicts),
        contradicted=share(counts.contradicted, n),
        to_first=share_of_readings(counts.first, counts.first + counts.second),
        to_a=share(sum(counts.verdicts[0]), sum(map(sum, counts.verdicts[:2]))),
        to_longer=share_of_readings(counts.longer, counts.longer + counts.shorter),
    )


def share_of_readings(successes: int, readings: int) -> Estimate | TooFew:
    """A share of readings, each of which is half an observation: two readings of one pair are alike."""
    n = readings / len(Order)
    whole = int(n)
    estimate = share(0, whole)
    if isinstance(estimate, TooFew):
        return estimate
    hits = successes / len(Order)
    return Estimate(value=hits / n, interval=wilson(hits, n, units=whole), n=whole)


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


NEEDED = 50
"""Blind reviews; below them there is no calibration."""
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

    n: int
    levels: tuple[Reliability, ...]

    def probability(self, confidence: int) -> float:
        """The chance that goes with a stated confidence, 0 to 1."""
        return next(level.probability for level in self.levels if level.confidence == confidence)


def calibrate(stated: Sequence[ConfidenceCount]) -> Calibration | TooFew:
    """The calibration that these reviews give; TooFew below 50. Monotone: more confidence never means less."""
    counts = dict.fromkeys(LEVELS, (0, 0))
    for confidence_count in stated:
        right, n = counts[confidence_count.confidence]
        counts[confidence_count.confidence] = (right + confidence_count.right, n + confidence_count.n)
    total = sum(n for _, n in counts.values())
    if total < NEEDED:
        return TooFew(n=total, needed=NEEDED)
    fitted = platt(counts)
    return Calibration(
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
    )


ByLevel = Mapping[int, tuple[int, int]]
"""By level, how many were right and how many there were."""


def platt(counts: ByLevel) -> dict[int, float]:
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
