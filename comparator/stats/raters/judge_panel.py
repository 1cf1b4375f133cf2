"""What a panel of judges is worth: how many of its votes are independent, and whether it beats its best member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from comparator.domain.labels import Frozen, Winner
from comparator.stats.figures import ENOUGH, TooFew
from comparator.stats.raters.proof import JudgedTwice, ProofFigures, figures


class LabelledPair(NamedTuple):
    """A pair whose better output is known, with what each judge and the panel say; None for no verdict."""

    task: str
    truth: Winner
    judges: Mapping[str, Winner | None]
    panel: Winner | None


class Member(Frozen):
    """One judge on the labelled pairs; a pair without its verdict counts as wrong."""

    name: str
    right: int


class PanelWorth(Frozen):
    """The panel against its members, on labelled pairs."""

    n: int
    members: tuple[Member, ...]
    """The best one first."""
    panel_right: int
    alike: float
    """The mean correlation of two members' errors, -1 to 1."""
    votes: float
    """How many independent votes as good as these would be worth as much: members / (1 + (members - 1) x alike)."""
    against_best: ProofFigures | TooFew
    """The panel (after) against its best member (before), which was chosen on these very pairs and so looks better."""

    @property
    def beats_best(self) -> bool:
        """Whether it is right on more pairs than its best member, beyond chance."""
        found = self.against_best
        return isinstance(found, ProofFigures) and found.gained > found.lost and found.difference.low > 0


def worth(pairs: Sequence[LabelledPair]) -> PanelWorth | TooFew:
    """What the panel is worth; TooFew below 20 labelled pairs.

    The effective number of votes is Kish's (1965, Survey Sampling) for the mean correlation of errors; at most as many
    as there are members. Members that are never, or always, wrong are taken for independent.
    """
    if len(pairs) < ENOUGH:
        return TooFew(n=len(pairs))
    names = tuple(pairs[0].judges)
    wrong = {name: [pair.judges[name] is not pair.truth for pair in pairs] for name in names}
    alikes = [_correlation(wrong[one], wrong[other]) for one, other in combinations(names, 2)]
    alike = sum(alikes) / len(alikes) if alikes else 0.0
    size = len(names)
    members = sorted(
        (Member(name=name, right=len(pairs) - sum(wrong[name])) for name in names),
        key=lambda each: -each.right,
    )
    best = members[0].name
    return PanelWorth(
        n=len(pairs),
        members=tuple(members),
        panel_right=sum(pair.panel is pair.truth for pair in pairs),
        alike=alike,
        votes=size / (1 + (size - 1) * max(alike, 0.0)),
        against_best=figures(
            [JudgedTwice(pair.task, pair.truth, pair.judges[best], pair.panel) for pair in pairs]
        ),
    )


def _correlation(one: Sequence[bool], other: Sequence[bool]) -> float:
    """Phi of two judges' errors; 0 where one of them is always, or never, wrong."""
    n = len(one)
    a, b = sum(one) / n, sum(other) / n
    both = sum(x and y for x, y in zip(one, other, strict=True)) / n
    spread = sqrt(a * (1 - a) * b * (1 - b))
    return (both - a * b) / spread if spread else 0.0
