"""How often a judge is right on labelled pairs, and how often people guess who made what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt

from comparator.domain.labels import Frozen, Order, Winner
from comparator.stats.figures import (
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
from comparator.stats.raters.two_raters import cohens_kappa

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
    coverage: Estimate | TooFew
    contradicted: Estimate | TooFew
    to_first: Estimate | TooFew
    """Readings that named the output shown first, of those that named one: half is unbiased."""
    to_longer: Estimate | TooFew
    """Readings that named the longer output, of those that named one of two that differ in length. An unbiased judge
    names it about as often as the labels do."""


def count(reads: Iterable[LabelledReading]) -> Counts:
    """The counts over these pairs; only covered ones count beside `pairs`."""
    found = dict.fromkeys(Counts.model_fields, 0)
    tables = {name: [[0] * len(WINNERS) for _ in WINNERS] for name in TABLES}
    for read in reads:
        found["pairs"] += 1
        if set(read.by_order) != set(Order):
            continue
        winners = list(read.by_order.values())
        named = [winner for winner in winners if winner is not Winner.TIE]
        found["covered"] += 1
        found["right"] += winners.count(read.truth)
        if read.truth is not Winner.TIE:
            found["decided"] += len(named)
            found["right_decided"] += named.count(read.truth)
        found["both"] += winners.count(read.truth) == len(winners)
        found["consistent"] += len(set(winners)) == 1
        for order, winner in read.by_order.items():
            shown_first = Winner.A if order is Order.A_FIRST else Winner.B
            place = "tied" if winner is Winner.TIE else "first" if winner is shown_first else "second"
            found[place] += 1
        if read.longer is not None:
            for prefix, named_winners in (("", named), ("label_", [read.truth])):
                for winner in named_winners:
                    if winner is not Winner.TIE:
                        found[f"{prefix}{'longer' if winner is read.longer else 'shorter'}"] += 1
        for name in ("contradicted", "again", "tools"):
            found[name] += getattr(read, name)
        found["undecided"] += read.verdict is None
        for name, verdict in zip(TABLES, (read.verdict, read.first_verdict), strict=True):
            if verdict is not None:
                tables[name][WINNERS.index(verdict)][WINNERS.index(read.truth)] += 1
    return Counts.model_validate({**found, **tables})


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
        coverage=share(n, counts.pairs),
        contradicted=share(counts.contradicted, n),
        to_first=share_of_readings(counts.first, counts.first + counts.second),
        to_longer=share_of_readings(counts.longer, counts.longer + counts.shorter),
    )


def share_of_readings(successes: int, readings: int) -> Estimate | TooFew:
    """A share of readings, each of which is half an observation: two readings of one pair are alike."""
    n = readings / len(Order)
    whole = int(n)
    found = share(0, whole)
    if isinstance(found, TooFew):
        return found
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
