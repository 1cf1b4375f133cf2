"""A judge of known noise: what it says of pairs whose better output is known.

`python -m tests.worlds.judging.noisy` prints the table of docs/judge.md, the same one each time, in a few seconds.
"""

import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from comparator.domain.labels import Order, PerOutput, Winner
from comparator.domain.scoring.judgment import Answer, Mark, Pass, StatedConfidence, merge
from comparator.domain.scoring.repetitions import Repetitions, first_round, is_read_again
from comparator.domain.scoring.rubric import Rubric
from tests.loopback.pairs import rubric as usual_rubric

PAIRS = 1000
SEED = 21
RULES: Mapping[Repetitions, str] = MappingProxyType(
    {1: "1 in each order", "auto": "`auto`", 2: "2 in each order", 3: "3 in each order"}
)
"""What is compared, and its name in the table."""
CONFIDENCES = (50, 60, 70, 80, 90, 100)


@dataclass(frozen=True)
class NoisyJudge:
    """Scores of a reading are the truth, plus noise of the reading, of each score, and a lean to the first output."""

    reading: float = 0.7
    """Standard deviation, in points, of what a reading adds to the difference of all criteria."""
    score: float = 0.6
    lean: float = 0.2

    def read(self, rubric: Rubric, gap: float, order: Order, repetition: int, *, seed: str) -> Pass:
        """A reading of a pair in which A is better by `gap` points a criterion."""
        chance = random.Random(f"{seed}:{order.value}:{repetition}")
        lean = self.lean if order is Order.A_FIRST else -self.lean
        felt = gap + lean + chance.gauss(0, self.reading)

        def mark(side: float) -> Mark:
            value = round(3 + side * felt / 2 + chance.gauss(0, self.score))
            return Mark.model_validate({"score": min(5, max(1, value)), "rationale": "r"})

        marks = {path: PerOutput[Mark](A=mark(1), B=mark(-1)) for path in rubric.paths}
        total = sum((both.A.score or 0) - (both.B.score or 0) for both in marks.values())
        better = Winner.A if total > 0 else Winner.B if total < 0 else Winner.TIE
        stated = CONFIDENCES[min(5, 1 + int(abs(felt) * 3))]
        answer = Answer(
            criteria=marks,
            strengths=PerOutput[tuple[str, ...]](A=(), B=()),
            weaknesses=PerOutput[tuple[str, ...]](A=(), B=()),
            better=better,
            reasoning="r",
            stated_confidence=cast(StatedConfidence, stated),
        )
        return Pass(order=order, repetition=repetition, answer=answer)


@dataclass(frozen=True)
class Run:
    """How many of the pairs were decided rightly, and how many readings that took."""

    pairs: int
    right: int
    readings: int

    @property
    def accuracy(self) -> float:
        """The share of pairs, from 0 to 1."""
        return self.right / self.pairs


def simulated(rubric: Rubric, repetitions: Repetitions, *, pairs: int, judge: NoisyJudge) -> Run:
    """Pairs whose gaps are drawn alike for every rule, read by that rule."""
    right = readings = 0
    for number in range(pairs):
        gap = random.Random(f"{SEED}:{number}").gauss(0, 0.6)
        given: list[Pass] = []
        rounds = first_round(repetitions)
        while True:
            for repetition in range(len(given) // 2, rounds):
                given += [judge.read(rubric, gap, o, repetition, seed=f"{SEED}:{number}") for o in Order]
            if repetitions != "auto" or not is_read_again(rubric, given):
                break
            rounds += 1
        verdict = merge(rubric, tuple(given)).verdict
        assert verdict is not None
        right += verdict.winner is (Winner.A if gap > 0 else Winner.B)
        readings += len(given)
    return Run(pairs, right, readings)


def compared() -> dict[Repetitions, Run]:
    """Every rule on the same pairs with the same noise."""
    return {rule: simulated(usual_rubric(), rule, pairs=PAIRS, judge=NoisyJudge()) for rule in RULES}


def table(runs: Mapping[Repetitions, Run]) -> str:
    """The table of the docs: how often each rule was right, and how many readings it took."""
    rows = (
        f"| {RULES[rule]} | {run.accuracy:.1%} | {run.readings / run.pairs:.1f} |"
        for rule, run in runs.items()
    )
    return "\n".join(("| rule | right | readings a pair |", "|---|---|---|", *rows))


if __name__ == "__main__":
    sys.stdout.write(f"{table(compared())}\n")
