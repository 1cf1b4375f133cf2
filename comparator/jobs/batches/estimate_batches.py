"""What judging a pair, a batch or an import's new pairs will cost and take about, before anybody pays for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from comparator.domain.counted import counted
from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Frozen, Order, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import Tools
from comparator.domain.scoring.repetitions import Repetitions, first_round
from comparator.domain.usage import CHARACTERS_A_TOKEN, Usage
from comparator.jobs.batches.start_batches import BatchRequest, judges_of, left_out, pairs_for
from comparator.judges.prices import BATCHED, cost_of
from comparator.judges.protocol import Judge, JudgeIdentity
from comparator.judges.tools.missing_content import needs_tools
from comparator.store import tables
from comparator.store.bulk.batches import JudgeChoice, Via
from comparator.store.core.database import Connection
from comparator.store.facts import fact
from comparator.store.judging import judgments
from comparator.store.pairs import comparisons
from comparator.workflow.importing.planned import Plan, PlannedPair
from comparator.workflow.judging.load_pairs import blinded_pair, rubric_in_force
from comparator.workflow.judging.which_judges import judge_by
from comparator.workflow.services import Services

SAMPLE, LOADED = 200, 20
"""Comparisons whose sizes an estimate looks at, and those of them that it loads to see whether they need tools."""

_comparison = tables.comparison.c


class BatchEstimate(Frozen):
    """What a batch takes about; the cost is None where no price is known, and zero offline.

    `void` pairs with an unusable output would wait for the judge too, and are left out; so many of `comparisons`
    are `cut_off`.
    """

    comparisons: int
    calls: int
    cost: Decimal | None
    with_tools: int = 0
    """How many pairs do not fit into one request, about; their judge opens files with tools."""
    void: int = 0
    cut_off: int = 0


def estimate_of(services: Services, request: BatchRequest) -> BatchEstimate:
    """What the batch would take about, by the sizes of up to 200 of its comparisons; what is read already is not asked
    again. Raises what `start` refuses.
    """
    each = [_of_one(services, request, choice) for choice in judges_of(services, request).choices]
    if len(each) == 1:
        return each[0]
    costs = [one.cost for one in each if one.cost is not None]
    return each[0].model_copy(
        update={
            "calls": sum(one.calls for one in each),
            "cost": sum(costs, Decimal(0)) if len(costs) == len(each) else None,
            "with_tools": max(one.with_tools for one in each),
        }
    )


def _of_one(services: Services, request: BatchRequest, choice: JudgeChoice) -> BatchEstimate:
    judge = judge_by(services, choice, project_id=request.project_id)
    with services.database.read() as connection:
        ids = pairs_for(services.database, connection, request, judge.identity)
        left = _unread(connection, ids, judge=judge, repetitions=choice.repetitions, trial=request.is_trial)
        asked = [id for id in ids if left[id]]
        sample = asked[:: max(1, len(asked) // SAMPLE)][:SAMPLE]
        rows = connection.execute(_sizes(sample)).all()
        rubrics = _missing_rubrics(connection, asked)
        apart = {
            "void": left_out(connection, request),
            "cut_off": fact.cut_off_among(connection, ids),
        }
        mode = judge.identity.tools if judge.identity.kind == "anthropic" else Tools.NEVER
        larger = _share_with_tools(services, connection, sample, mode=mode)
    if judge.identity.kind == "offline" or not rows:
        return BatchEstimate(comparisons=len(ids), calls=0, cost=Decimal(0), **apart)
    readings = sum(left.values())
    costs = [_cost_of(services, judge.identity, row) for row in rows]
    of_rubric = next(iter(costs))[0]
    known = [reading for _, reading in costs if reading is not None]
    cost: Decimal | None = None
    if of_rubric is not None and len(known) == len(costs):
        cost = of_rubric * rubrics + sum(known, Decimal(0)) / len(known) * readings
        direct = Decimal(larger)
        # Message Batches cannot talk back: pairs that are read with tools go one request at a time, at the full price.
        cost = cost * (direct + (1 - direct) * BATCHED) if request.via is Via.BATCHES else cost
    return BatchEstimate(
        comparisons=len(ids),
        calls=readings + rubrics,
        cost=cost,
        # One at least where there are any, so that they are told of.
        with_tools=max(round(larger * len(asked)), 1) if larger else 0,
        **apart,
    )


def tools_in_words(about: BatchEstimate, via: Via) -> str:
    """What an estimate leaves open: pairs that are read with tools."""
    pairs = counted(about.with_tools, "pair")
    batched = "not as Message Batches but " if via is Via.BATCHES else ""
    return (
        f"About {pairs} will be read with tools, {batched}one request at a time and at the full price. How many "
        "requests a reading takes depends on the judge; a budget limits them."
    )


def _share_with_tools(
    services: Services, connection: Connection, ids: Sequence[str], *, mode: Tools
) -> float:
    """Which share of these comparisons would be read with tools, from 0 to 1, by some of them."""
    if mode is not Tools.AUTO:
        return float(mode is Tools.ALWAYS)
    needed = []
    for one in comparisons.by_id(connection, ids[:: max(1, -(-len(ids) // LOADED))]).values():
        # What was purged or is damaged will not be read at all.
        with suppress(ComparatorError):
            needed.append(needs_tools(blinded_pair(services, connection, one), Tools.AUTO))
    return sum(needed) / len(needed) if needed else 0.0


def _unread(
    connection: Connection, ids: Sequence[str], *, judge: Judge, repetitions: Repetitions, trial: bool
) -> dict[str, int]:
    """How many readings of each comparison the judge would still be asked for."""
    first = first_round(repetitions)
    left = dict.fromkeys(ids, first * len(Order))
    done = judgments.answered(connection, ids, judge=judge.identity, repetitions=first, trial=trial)
    for comparison in comparisons.by_id(connection, list(done)).values():
        if rubric := rubric_in_force(connection, comparison, judge):
            left[comparison.id] -= done[comparison.id].get(rubric.id, 0)
    return left


def _sizes(ids: Sequence[str]) -> sa.Select[Any]:
    a, b = tables.view.alias("view_a"), tables.view.alias("view_b")
    return (
        sa.select(_comparison.prompt, _comparison.expectations, a.c.size.label("a"), b.c.size.label("b"))
        .join_from(tables.comparison, a, a.c.id == _comparison.view_a)
        .join(b, b.c.id == _comparison.view_b)
        .where(_comparison.id.in_(ids))
    )


def _cost_of(
    services: Services, judge: JudgeIdentity, row: sa.Row[Any]
) -> tuple[Decimal | None, Decimal | None]:
    """Of the rubric and of one reading."""
    about = estimate(
        services,
        judge,
        task=TaskText(prompt=row.prompt, expectations=tuple(row.expectations)),
        characters=PerOutput[int](A=row.a, B=row.b),
    )
    return (None, None) if about is None else (about.of_rubric, about.of_reading)


def _missing_rubrics(connection: Connection, ids: Sequence[str]) -> int:
    rubric = tables.rubric.c
    total = 0
    # In parts: a database takes some ten thousand values in one question.
    for start_ in range(0, len(ids), 5000):
        part = ids[start_ : start_ + 5000]
        written = sa.exists().where(rubric.task_version_id == _comparison.task_version_id)
        query = sa.select(sa.func.count(sa.distinct(_comparison.task_version_id))).where(
            _comparison.id.in_(part), ~written
        )
        total += connection.execute(query).scalar_one()
    return total


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
