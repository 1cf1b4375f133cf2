"""What a figure is asked about: two candidates, whose verdicts, which runs, and which part of the pairs."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from comparator.domain.labels import Frozen
from comparator.domain.scoring.review import Blindness, How
from comparator.stats.intervals import Estimate, TooFew


class VerdictKind(StrEnum):
    """Whose verdict it is; never added up unseen."""

    BLIND = "blind"
    """A person's, who could not know which candidate was which."""
    SIDES_HIDDEN = "sides_hidden"
    """A person's, who set the pair up and may know its candidates, but not which output is whose."""
    KNEW = "knew"
    """A person's, who knew which output was whose, such as after the reveal."""
    REVEALING = "revealing"
    """A person's, on a pair in which a passage tells outright which run an output is from."""
    JUDGE = "judge"
    """The judge's, where no person reviewed."""
    JUDGE_REVEALING = "judge_revealing"
    """The judge's, where no person reviewed, on such a pair."""


HOW_SHORT = {
    How.BLIND_FIRST: "scored first",
    How.JUDGE_FIRST: "saw the judge",
    How.SIDES_HIDDEN: "sides hidden",
    How.KNEW: "knew",
    How.REVEALING: "may reveal its candidate",
}
"""What the people whose reviews these are had seen, or knew."""
KIND_NAMES = {
    VerdictKind.BLIND: "reviewed with names hidden",
    VerdictKind.SIDES_HIDDEN: "reviewed with sides hidden",
    VerdictKind.KNEW: "reviewed with names known",
    VerdictKind.REVEALING: "reviewed, may reveal its candidate",
    VerdictKind.JUDGE: "by the judge alone",
    VerdictKind.JUDGE_REVEALING: "by the judge alone, may reveal its candidate",
}
"""What a person reads of each."""
KIND_OF = {
    Blindness.BLIND: VerdictKind.BLIND,
    Blindness.SIDES_HIDDEN: VerdictKind.SIDES_HIDDEN,
    Blindness.KNOWN: VerdictKind.KNEW,
}
"""By what the people knew whose verdict it is."""
PEOPLE = (*KIND_OF.values(), VerdictKind.REVEALING)


class Verdicts(StrEnum):
    """Which of them to count."""

    REVIEWED = "reviewed"
    BLIND = "blind"
    JUDGE = "judge"
    EITHER = "either"


KINDS = {
    Verdicts.REVIEWED: PEOPLE,
    Verdicts.BLIND: (VerdictKind.BLIND,),
    Verdicts.JUDGE: (VerdictKind.JUDGE,),
    Verdicts.EITHER: (*PEOPLE, VerdictKind.JUDGE, VerdictKind.JUDGE_REVEALING),
}


VERDICT_NAMES = {
    Verdicts.EITHER: "reviews, else the judge",
    Verdicts.REVIEWED: "all reviews",
    Verdicts.BLIND: "reviews with names hidden",
    Verdicts.JUDGE: "judge only (not reviewed)",
}


class Runs(StrEnum):
    """Which runs to count: a void or superseded one only when asked for."""

    VALID = "valid"
    ALL = "all"


class Meets(NamedTuple):
    """Two candidates (their ids), seen from the first."""

    one: str
    two: str

    @property
    def turned(self) -> Meets:
        """The same, seen from the other."""
        return Meets(self.two, self.one)

    @property
    def both(self) -> str:
        """Their ids in order, as the column `both` of pairs has them."""
        return " ".join(sorted(self))


class By(StrEnum):
    """What a part is told by."""

    TAG = "tag"
    TOPIC = "topic"
    """The words that group the task with others; see `reporting/why/slices.py`."""
    TASK = "task"
    """The task's id."""
    FILES = "files"
    """A kind of file among both outputs."""
    LENGTH = "length"
    """How long the longer output is: a name in LENGTHS."""
    ITERATION = "iteration"
    SINCE = "since"
    """This iteration and those that came after it."""
    MODEL = "model"
    REVIEWER = "reviewer"
    """The id of a person with a final review."""


class Within(Frozen):
    """One part."""

    by: By
    value: str


LENGTHS = {
    "short": (0, 1_000),
    "medium": (1_000, 5_000),
    "long": (5_000, 25_000),
    "very long": (25_000, None),
}
"""Characters of the longer output: at least the first, less than the second."""


class ResultFilter(Frozen):
    """The result of candidate `one` against candidate `two` (their ids) in a project."""

    project_id: str
    one: str
    two: str
    also: tuple[Meets, ...] = ()
    """More candidates whose pairs count as those of the two do: the same two in other iterations."""
    verdicts: Verdicts = Verdicts.REVIEWED
    runs: Runs = Runs.VALID
    within: tuple[Within, ...] = ()
    """Only the pairs that are in all of these parts."""

    @property
    def meetings(self) -> tuple[Meets, ...]:
        """All the candidates whose pairs count."""
        return (Meets(self.one, self.two), *self.also)

    @property
    def kinds(self) -> tuple[VerdictKind, ...]:
        """Whose verdicts count."""
        return KINDS[self.verdicts]

    def over(self, first: Meets, *rest: Meets) -> ResultFilter:
        """The same question of these candidates."""
        return self.copy_with(one=first.one, two=first.two, also=rest)

    def without(self, by: By) -> ResultFilter:
        """The same without its parts by this property, for a chart that shows all of them."""
        return self.copy_with(within=tuple(within for within in self.within if within.by is not by))


class WonTiedLost(Frozen):
    """How many pairs one side won, tied and lost."""

    won: int
    tied: int
    lost: int

    @property
    def n(self) -> int:
        """All of them."""
        return self.won + self.tied + self.lost

    @property
    def of_other(self) -> WonTiedLost:
        """The same pairs as the other side ended them."""
        return WonTiedLost(won=self.lost, tied=self.tied, lost=self.won)

    @property
    def share(self) -> float | None:
        """The share of pairs won, ties counted as half; None without any pair."""
        return (self.won + self.tied / 2) / self.n if self.n else None


class Rated(WonTiedLost):
    """The same, with the win rate over the pairs of so many tasks."""

    tasks: int
    rate: Estimate | TooFew
