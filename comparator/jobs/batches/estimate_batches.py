"""What a batch would take, by the sizes of its pairs."""

from __future__ import annotations

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
from comparator.jobs.batches.start_batches import BatchRequest, judges_of, left_out, pairs_for
from comparator.judges.prices import BATCHED
from comparator.judges.protocol import Judge, JudgeIdentity
from comparator.judges.tools.missing_content import needs_tools
from comparator.store import tables
from comparator.store.bulk.batches import JudgeChoice, Via
from comparator.store.core.database import Connection
from comparator.store.facts import fact
from comparator.store.judging import judgments
from comparator.store.pairs import comparisons
from comparator.workflow.estimate import estimate
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
            "void": 0 if request.all_runs else len(left_out(connection, request)),
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
