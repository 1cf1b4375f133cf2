"""Whether guidance brought a judge nearer to people on pairs that it was not learnt from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from comparator.domain.guidance import FEWEST
from comparator.domain.labels import Frozen, Winner
from comparator.stats.figures import LEVEL, Estimate, Interval, TooFew, Undefined
from comparator.stats.paired import Sums
from comparator.stats.raters.two_raters import weighted_kappa
from comparator.stats.shares import wilson

WINNERS = (Winner.A, Winner.TIE, Winner.B)
"""A tie lies between: to take it for a win is half the way."""


class JudgedTwice(NamedTuple):
    """One held-out pair: whom people named, and the judge without and with the guidance; None without a verdict."""

    task: str
    people: Winner
    before: Winner | None
    after: Winner | None


class AgreementShare(Frozen):
    """How often one judge named the same winner as people."""

    right: int
    n: int
    interval: Interval
    kappa: Estimate | TooFew | Undefined
    """Quadratic-weighted, with ties in the middle."""

    @property
    def share(self) -> float:
        """Of all pairs, 0 to 1."""
        return self.right / self.n


class ProofFigures(Frozen):
    """What the held-out pairs say, of those that were judged with the guidance and without."""

    n: int
    tasks: int
    missing: int
    """Held-out pairs without a verdict of either judge; they count nowhere."""
    before: AgreementShare
    after: AgreementShare
    constant: int
    """How many pairs the best constant guess has right: always the same winner."""
    constant_winner: Winner
    gained: int
    """Pairs that were wrong before and are right now; `lost` the other way round, `other` wrong in another way."""
    lost: int
    other: int
    difference: Interval
    """Of the shares, after minus before, -1 to 1, at `level`."""
    level: float
    better_tasks: int
    """Tasks with more pairs right than before; `worse_tasks` with fewer."""
    worse_tasks: int
    p: float
    """The exact two-sided sign test over tasks."""
    proofs: int
    """How many drafts were tested on these pairs, this one included."""
    passes: bool


def figures(pairs: Sequence[JudgedTwice], *, proofs: int = 1) -> ProofFigures | TooFew:
    """What the pairs say. TooFew where fewer than ten have both verdicts.

    It passes where more tasks gained than lost by the exact sign test at 5%, divided by the number of `proofs` on the
    same pairs (Bonferroni), and the constant guess is no better. The interval is Newcombe's for paired shares
    (1998, Statistics in Medicine 17, method 10), its n divided by the design effect of pairs of one task.
    """
    both = [each for each in pairs if each.before is not None and each.after is not None]
    n = len(both)
    if n < FEWEST:
        return TooFew(n=n, needed=FEWEST)
    was = [each.before is each.people for each in both]
    now = [each.after is each.people for each in both]
    changes: dict[str, list[int]] = defaultdict(list)
    for each, before, after in zip(both, was, now, strict=True):
        changes[each.task].append(int(after) - int(before))
    net = [sum(of) for of in changes.values()]
    better, worse = sum(of > 0 for of in net), sum(of < 0 for of in net)
    gained = sum(after and not before for before, after in zip(was, now, strict=True))
    lost = sum(before and not after for before, after in zip(was, now, strict=True))
    level = 1 - (1 - LEVEL) / proofs
    p = sign_p(better, worse)
    (constant_winner, constant), *_ = Counter(each.people for each in both).most_common(1)
    effect = _design_effect(list(changes.values()))
    return ProofFigures(
        n=n,
        tasks=len(changes),
        missing=len(pairs) - n,
        before=_agreed([(each.people, each.before) for each in both]),
        after=_agreed([(each.people, each.after) for each in both]),
        constant=constant,
        constant_winner=constant_winner,
        gained=gained,
        lost=lost,
        other=sum(
            each.before is not each.after and not before and not after
            for each, before, after in zip(both, was, now, strict=True)
        ),
        difference=paired_interval(
            sum(map(min, was, now)), lost=lost, gained=gained, n=n, effect=effect, level=level
        ),
        level=level,
        better_tasks=better,
        worse_tasks=worse,
        p=p,
        proofs=proofs,
        passes=better > worse and p <= (1 - LEVEL) / proofs and sum(now) >= constant,
    )


def sign_p(better: int, worse: int) -> float:
    """The chance of a result at least as one-sided if neither were better; 1 where nothing changed.

    >>> round(sign_p(6, 0), 5), sign_p(0, 0)
    (0.03125, 1.0)
    """
    from scipy.special import bdtr  # a page without statistics must not load scipy

    decided = better + worse
    return min(1.0, 2 * float(bdtr(min(better, worse), decided, 0.5))) if decided else 1.0


def paired_interval(
    both: int, *, lost: int, gained: int, n: int, effect: float = 1.0, level: float = LEVEL
) -> Interval:
    """Newcombe's interval for the difference of two paired shares, after minus before.

    `both` pairs are right in both, `lost` and `gained` in one; `effect` is the design effect of alike pairs.
    """
    size = n / effect
    after, before = (both + gained) / n, (both + lost) / n
    high, low = (wilson(share * size, size, level=level) for share in (after, before))
    neither = n - both - lost - gained
    margins = (both + gained) * (lost + neither) * (both + lost) * (gained + neither)
    away = float(both * neither - gained * lost)
    if away > 0:
        # Newcombe's correction for continuity, as it makes pairs look less alike.
        away = max(away - n / 2, 0.0)
    alike = away / sqrt(margins) if margins else 0.0
    difference = after - before

    def reach(one: float, other: float) -> float:
        return sqrt(max(one * one - 2 * alike * one * other + other * other, 0.0))

    return Interval(
        low=max(difference - reach(after - high.low, low.high - before), -1.0),
        high=min(difference + reach(high.high - after, before - low.low), 1.0),
    )


def _agreed(winners: Sequence[tuple[Winner, Winner | None]]) -> AgreementShare:
    right = sum(people is judge for people, judge in winners)
    counts = [[sum(pair == (one, other) for pair in winners) for one in WINNERS] for other in WINNERS]
    return AgreementShare(
        right=right,
        n=len(winners),
        interval=wilson(right, len(winners), units=len(winners)),
        kappa=weighted_kappa(counts),
    )


def _design_effect(changes: Sequence[Sequence[int]]) -> float:
    """By how much pairs of one task vary together; at least 1."""
    sums = Sums.of(changes)
    if sums.tasks == sums.n or sums.tasks < 2:
        return 1.0 if sums.tasks == sums.n else float(sums.n)
    middle = sums.total / sums.n
    alone = sum((value - middle) ** 2 for of in changes for value in of) / sums.n**2
    return max(sums.variance_of_mean / alone, 1.0) if alone else sums.n / sums.tasks
