"""What judging a pair, or an import's new pairs, will cost and take about, before anybody pays for it."""

from __future__ import annotations

import math
from decimal import Decimal

from comparator.domain.labels import Frozen, Order, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.repetitions import first_round
from comparator.domain.usage import CHARACTERS_A_TOKEN, Usage
from comparator.judges.prices import cost_of
from comparator.judges.protocol import JudgeIdentity
from comparator.workflow.importing.planned import Plan, PlannedPair
from comparator.workflow.services import Services

INSTRUCTIONS = 3_500
"""Tokens of the judge's own instructions, rubric and answer format in one reading."""
ANSWER = 3_000
"""Tokens of one answer, the model's thinking included."""
ASKED_AGAIN = Decimal("0.05")
"""The share of readings that are asked about once more, because their scores and verdict disagree: 3 of 80 readings of
adversarial pairs, rounded up."""
RUBRIC = Usage(input_tokens=2_500, output_tokens=1_800)


class CostEstimate(Frozen):
    """Tokens of the rubric and all readings, and what one of each costs in US dollars; None where no price is known."""

    readings: int
    input_tokens: int
    output_tokens: int
    of_rubric: Decimal | None
    of_reading: Decimal | None

    @property
    def cost(self) -> Decimal | None:
        """Of the rubric and all readings together."""
        if self.of_rubric is None or self.of_reading is None:
            return None
        return self.of_rubric + self.of_reading * self.readings


def estimate(
    services: Services, judge: JudgeIdentity, *, task: TaskText, characters: PerOutput[int]
) -> CostEstimate | None:
    """What judging two outputs with this many characters costs about; None for a judge that costs nothing.

    Pictures and pages are not counted, and what a provider has cached may cost less.
    """
    if judge.kind == "offline":
        return None
    readings = first_round(services.settings.repetitions) * len(Order)
    asked = len(task.prompt) + sum(len(text) for text in task.expectations)
    shown = sum(min(count, services.budget.characters) for _, count in characters.items())
    once = INSTRUCTIONS + (asked + shown) // CHARACTERS_A_TOKEN
    # Asked once more, everything goes in again, with the first answer.
    reading_usage = Usage(
        input_tokens=once + int((once + ANSWER) * ASKED_AGAIN),
        output_tokens=ANSWER + int(ANSWER * ASKED_AGAIN),
    )
    rubric_usage = Usage(
        input_tokens=RUBRIC.input_tokens + asked // CHARACTERS_A_TOKEN, output_tokens=RUBRIC.output_tokens
    )
    return CostEstimate(
        readings=readings,
        input_tokens=rubric_usage.input_tokens + readings * reading_usage.input_tokens,
        output_tokens=rubric_usage.output_tokens + readings * reading_usage.output_tokens,
        of_rubric=cost_of(judge.model, rubric_usage),
        of_reading=cost_of(judge.model, reading_usage),
    )


SECONDS_A_CALL = 25
"""How long a rubric or a reading is taken to last; models and outputs differ widely."""


class ImportEstimate(Frozen):
    """Calls and tokens for the new pairs, their cost in US dollars (None: no price known), and minutes.

    `void` new pairs with an unusable output are left out.
    """

    pairs: int
    void: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: Decimal | None
    minutes: int


def new_pairs(plan: Plan, *, all_runs: bool) -> tuple[PlannedPair, ...]:
    """The new pairs that an import would have judged: with an unusable output only where all are asked for."""
    new = (pair for pair in plan.pairs if pair.known is None)
    return tuple(pair for pair in new if all_runs or not pair.is_void)


def estimate_import(
    services: Services, plan: Plan, judge: JudgeIdentity, *, all_runs: bool = False
) -> ImportEstimate | None:
    """The estimate for the pairs that are new; None for a judge that costs nothing.

    A rubric is written once a task version, so each is counted once.
    """
    new = new_pairs(plan, all_runs=all_runs)
    tasks: set[str] = set()
    calls = tokens_in = tokens_out = 0
    cost: Decimal | None = Decimal()
    for pair in new:
        each = estimate(services, judge, task=pair.first.text, characters=pair.characters)
        if each is None:
            return None
        again = pair.first.text.digest in tasks
        tasks.add(pair.first.text.digest)
        calls += each.readings + (0 if again else 1)
        tokens_in += each.input_tokens
        tokens_out += each.output_tokens
        if cost is not None:
            if each.of_reading is None or each.of_rubric is None:
                cost = None
            else:
                cost += each.of_reading * each.readings + (0 if again else each.of_rubric)
    seconds = calls * SECONDS_A_CALL / services.settings.slots
    return ImportEstimate(
        pairs=len(new),
        void=len(new_pairs(plan, all_runs=True)) - len(new),
        calls=calls,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cost=cost,
        minutes=math.ceil(seconds / 60),
    )
