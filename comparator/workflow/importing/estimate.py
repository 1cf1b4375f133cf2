"""What judging an import's new pairs will cost and take about, before anybody pays for it."""

from __future__ import annotations

import math
from decimal import Decimal

from comparator.domain.labels import Frozen
from comparator.judges.protocol import JudgeIdentity
from comparator.workflow.importing.planned import Plan, PlannedPair
from comparator.workflow.judging.estimate import estimate
from comparator.workflow.services import Services

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
