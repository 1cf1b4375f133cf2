"""What several judges are worth together: how many independent votes they are, and whether they beat the best one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from comparator.domain.labels import Frozen, Winner
from comparator.stats.figures import ENOUGH, TooFew
from comparator.stats.raters.proof import JudgedTwice, ProofFigures, figures


class LabelledPair(NamedTuple):
    """A pair whose better output is known, with what each judge and all together say; None for no verdict."""

    task: str
    truth: Winner
    judges: Mapping[str, Winner | None]
    together: Winner | None


class MemberRight(Frozen):
    """One judge on the labelled pairs; a pair without its verdict counts as wrong."""

    name: str
    right: int


class JointWorth(Frozen):
    """A judge panel against its members, on labelled pairs."""

    n: int
    members: tuple[MemberRight, ...]
    """The best one first."""
    panel_right: int
    alike: float
    """The mean correlation of two members' errors, -1 to 1."""
    votes: float
    """How many independent votes as good as these would be worth as much: members / (1 + (members - 1) x alike)."""
    against_best: ProofFigures | TooFew
    """The judge panel (after) against its best member (before), which was chosen on these pairs and so looks better."""

    @property
    def beats_best(self) -> bool:
        """Whether it is right on more pairs than its best member, beyond chance."""
        found = self.against_best
        return isinstance(found, ProofFigures) and found.difference.low > 0


def worth(pairs: Sequence[LabelledPair]) -> JointWorth | TooFew:
    """What a judge panel is worth; TooFew below 20 labelled pairs.

    Members that are never, or always, wrong are taken for independent.
    """
    if len(pairs) < ENOUGH:
        return TooFew(n=len(pairs))
    names = tuple(pairs[0].judges)
    wrong = {name: [pair.judges[name] is not pair.truth for pair in pairs] for name in names}
    alikes = [
        correlation(
            len(pairs),
            one=sum(wrong[one]),
            other=sum(wrong[other]),
            both=sum(x and y for x, y in zip(wrong[one], wrong[other], strict=True)),
        )
        for one, other in combinations(names, 2)
    ]
    members = sorted(
        (MemberRight(name=name, right=len(pairs) - sum(wrong[name])) for name in names),
        key=lambda each: -each.right,
    )
    best = members[0].name
    return JointWorth(
        n=len(pairs),
        members=tuple(members),
        panel_right=sum(pair.together is pair.truth for pair in pairs),
        alike=_mean(alikes),
        votes=effective_votes(len(names), alikes),
        against_best=figures(
            [JudgedTwice(pair.task, pair.truth, pair.judges[best], pair.together) for pair in pairs]
        ),
    )


def effective_votes(size: int, alikes: Sequence[float]) -> float:
    """The effective number of votes of a judge panel, from the correlation of each two judges' errors.

    Kish's effective sample size (1965, Survey Sampling) for their mean; at most as many as there are judges.

    >>> effective_votes(3, [0.5, 0.5, 0.5])
    1.5
    """
    return size / (1 + (size - 1) * max(_mean(alikes), 0.0))


def correlation(n: int, *, one: int, other: int, both: int) -> float:
    """Phi of two judges' errors on `n` pairs; `one`, `other` and `both` count the pairs on which they are wrong.

    0 where one of them is always, or never, wrong.

    >>> correlation(4, one=2, other=2, both=2)
    1.0
    """
    a, b = one / n, other / n
    spread = sqrt(a * (1 - a) * b * (1 - b))
    return (both / n - a * b) / spread if spread else 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
