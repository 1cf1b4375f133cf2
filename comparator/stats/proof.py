"""Whether one judge is right more often than another beyond chance, and what several are worth together."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from comparator.domain.labels import Frozen, Winner
from comparator.domain.project import FEWEST_LEARNT
from comparator.stats.intervals import LEVEL, Interval, TooFew, wilson
from comparator.stats.paired import Sums


class JudgedTwice(NamedTuple):
    """One pair: the right winner, and whom the judges before and after named; None without a verdict."""

    task: str
    people: Winner
    before: Winner | None
    after: Winner | None


class ProofFigures(Frozen):
    """What the pairs say that have a verdict of both judges."""

    n: int
    before: int
    """Pairs that the judge before has right; `after` the judge after."""
    after: int
    constant: int
    """How many pairs the best constant guess has right: always the same winner."""
    difference: Interval
    """Of the shares, after minus before, -1 to 1, at `level`."""
    level: float
    better: int
    """Tasks with more pairs right than before; `worse` with fewer."""
    worse: int
    p: float
    """The exact two-sided sign test over tasks."""
    proofs: int
    """How often the pairs were looked at, this time included."""
    passes: bool


def figures(pairs: Sequence[JudgedTwice], *, proofs: int = 1) -> ProofFigures | TooFew:
    """What the pairs say. TooFew where fewer than ten have both verdicts.

    It passes where more tasks gained than lost by the exact sign test at 5%, divided by the number of `proofs` on the
    same pairs (Bonferroni), and the constant guess is no better. The interval is Newcombe's for paired shares
    (1998, Statistics in Medicine 17, method 10), its n divided by the design effect of pairs of one task.
    """
    both = [pair for pair in pairs if pair.before is not None and pair.after is not None]
    n = len(both)
    if n < FEWEST_LEARNT:
        return TooFew(n=n, needed=FEWEST_LEARNT)
    right = [
        (judged_twice.before is judged_twice.people, judged_twice.after is judged_twice.people)
        for judged_twice in both
    ]
    before, after = (sum(of) for of in zip(*right, strict=True))
    changes: dict[str, list[int]] = defaultdict(list)
    for judged_twice, (was, now) in zip(both, right, strict=True):
        changes[judged_twice.task].append(now - was)
    net = [sum(of) for of in changes.values()]
    better, worse = sum(of > 0 for of in net), sum(of < 0 for of in net)
    kept = right.count((True, True))
    level, p = 1 - (1 - LEVEL) / proofs, sign_p(better, worse)
    constant = max(Counter(judged_twice.people for judged_twice in both).values())
    effect = _design_effect(list(changes.values()))
    return ProofFigures(
        n=n,
        before=before,
        after=after,
        constant=constant,
        difference=paired_interval(
            kept, lost=before - kept, gained=after - kept, n=n, effect=effect, level=level
        ),
        level=level,
        better=better,
        worse=worse,
        p=p,
        proofs=proofs,
        passes=better > worse and p <= (1 - LEVEL) / proofs and after >= constant,
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


def _design_effect(changes: Sequence[Sequence[int]]) -> float:
    """By how much pairs of one task vary together; at least 1."""
    sums = Sums.of(changes)
    if sums.tasks == sums.n or sums.tasks < 2:
        return 1.0 if sums.tasks == sums.n else float(sums.n)
    middle = sums.total / sums.n
    alone = sum((value - middle) ** 2 for of in changes for value in of) / sums.n**2
    return max(sums.variance_of_mean / alone, 1.0) if alone else sums.n / sums.tasks
