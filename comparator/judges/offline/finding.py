"""What one check found in one output: a share that is sound, and what is wrong in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from comparator.domain.counted import counted
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import OutputView
from comparator.domain.scoring.judgment import Mark, Quote

Score = Literal[1, 2, 3, 4, 5]
_SCORES: tuple[Score, ...] = (1, 2, 3, 4, 5)
MOST_FAULTS = 5
"""So many faults of one kind are told one by one."""


@dataclass(frozen=True)
class CheckInput:
    """What a check looks at: one output, the task, and the names of its input files."""

    view: OutputView
    task: TaskText
    inputs: frozenset[str] = frozenset()


@dataclass(frozen=True)
class CheckResult:
    """One output by one check: `sound` of `looked_at` things are in order (at least one was looked at).

    `praise` says so where all are; `faults` are the others in sentences, of which some may be left unsaid.
    """

    sound: int
    looked_at: int
    praise: str
    faults: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()

    @property
    def score(self) -> Score:
        """1 where nothing is in order, 5 where everything is, rounded half up."""
        return _SCORES[(self.sound * 8 + self.looked_at) // (2 * self.looked_at)]

    @property
    def mark(self) -> Mark:
        """The score with the sentences as its rationale."""
        sentences = self.faults[:MOST_FAULTS] or (self.praise,)
        more = len(self.faults) - MOST_FAULTS
        shown = (*sentences, *((f"{counted(more, 'more fault')} of this kind.",) if more > 0 else ()))
        return Mark(score=self.score, rationale=" ".join(shown), quotes=self.quotes[:3])


def finding(
    looked_at: int, faults: Sequence[str], *, praise: str, quotes: Sequence[Quote] = ()
) -> CheckResult | None:
    """What was found; None where there was nothing to look at."""
    if not looked_at:
        return None
    # One thing may have several faults.
    sound = max(0, looked_at - len(faults))
    return CheckResult(sound, looked_at, praise, tuple(faults), tuple(quotes))
