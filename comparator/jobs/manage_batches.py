"""Ordering batches and looking at them: what the page and the command line do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from comparator.domain.counted import counted
from comparator.domain.errors import InputError, SettingsError
from comparator.domain.judgment import Tools
from comparator.domain.labels import Frozen, Order, PerOutput
from comparator.domain.repetitions import Repetitions, first_round
from comparator.domain.rights import Act
from comparator.domain.task import TaskText
from comparator.judges.choose import is_configured, with_environment
from comparator.judges.model.options import Provider
from comparator.judges.prices import BATCHED
from comparator.judges.protocol import Judge, JudgeIdentity
from comparator.settings import JudgeKind
from comparator.store import tables
from comparator.store.bulk import batches
from comparator.store.bulk.batches import Batch, BatchState, Failure, ItemState, JudgeChoice, Tally, Via
from comparator.store.core.database import Connection
from comparator.store.core.ids import NewId
from comparator.store.judging import budgets, judgments
from comparator.store.judging.budgets import Budget, Unit
from comparator.store.pairs import comparisons
from comparator.store.people import projects
from comparator.store.rollup import rollup
from comparator.store.rollup.rollup import Status
from comparator.workflow.judging import registry
from comparator.workflow.judging.budgets import refuse_without_price
from comparator.workflow.judging.estimate import estimate
from comparator.workflow.judging.examining import tools_for
from comparator.workflow.judging.load_pairs import rubric_in_force
from comparator.workflow.people.people import authorise, local_person
from comparator.workflow.services import Services

SAMPLE = 200
"""Comparisons whose sizes an estimate looks at."""
UNJUDGED = (Status.TO_JUDGE, Status.FAILED)

_batch, _batch_item, _comparison, _rollup = (
    tables.batch.c,
    tables.batch_item.c,
    tables.comparison.c,
    tables.rollup.c,
)


class BatchOrder(Frozen):
    """What is to be judged, how, and for how much at most; a ceiling in US dollars or in tokens, not both."""

    project_id: str
    name: str = ""
    comparison_ids: tuple[str, ...] = ()
    """Empty: all of the project that wait for a judge or failed, and stand in no open batch."""
    kind: JudgeKind | None = None
    model: str | None = None
    via: Via = Via.MESSAGES
    priority: int = 0
    money: Decimal | None = None
    tokens: int | None = None
    tools: Tools | None = None
    """None means as the project says."""
    all_runs: bool = False
    """Where no comparisons are named: pairs with a void run too."""


class Estimate(Frozen):
    """What a batch takes about; the cost is None where no price is known, and zero offline.

    `void` pairs with a void run would wait for the judge too, and are left out; so many of `comparisons` are `cut_off`.
    """

    comparisons: int
    calls: int
    cost: Decimal | None
    with_tools: int = 0
    """How many pairs do not fit into one request, about; their judge opens files with tools."""
    void: int = 0
    cut_off: int = 0


class Report(Frozen):
    """Where a batch is; `workers` work at batches at this moment, `seconds_left` is None while that cannot be told."""

    batch: Batch
    project: str
    tally: Tally
    cost: Decimal | None
    budget: Budget | None
    seconds_left: float | None
    workers: int

    @property
    def waits_for_worker(self) -> bool:
        """Whether it would go on if there were a worker."""
        return self.batch.state is BatchState.RUNNING and self.tally.left > 0 and not self.workers


def waiting(connection: Connection, project_id: str, *, all_runs: bool = False) -> tuple[str, ...]:
    """The comparisons of a project that wait for a judge, or failed, and stand in no open batch; the oldest first.

    Pairs of a run that was superseded are left out by their status: their results would not count. So are those with a
    void run, but with `all_runs`.
    """
    valid = _rollup.status.in_([s.value for s in UNJUDGED])
    void = sa.and_(_rollup.status == Status.VOID.value, _rollup.judge_winner.is_(None))
    return _unjudged(connection, project_id, sa.or_(valid, void) if all_runs else valid)


def waiting_void(connection: Connection, project_id: str) -> tuple[str, ...]:
    """Those with a void run that no judge has read, which `waiting` tells only when asked for all runs."""
    void = sa.and_(_rollup.status == Status.VOID.value, _rollup.judge_winner.is_(None))
    return _unjudged(connection, project_id, void)


def _unjudged(connection: Connection, project_id: str, condition: sa.ColumnElement[bool]) -> tuple[str, ...]:
    open_ = sa.exists().where(
        _batch_item.comparison_id == _rollup.comparison_id,
        _batch_item.state.in_([*(state.value for state in batches.OPEN), ItemState.FAILED.value]),
        _batch.id == _batch_item.batch_id,
        _batch.state.in_([BatchState.RUNNING.value, BatchState.PAUSED.value]),
    )
    query = (
        sa.select(_rollup.comparison_id)
        .where(_rollup.project_id == project_id, condition, ~open_)
        .order_by(_rollup.created_at, _rollup.comparison_id)
    )
    return tuple(connection.execute(query).scalars())


def start(services: Services, order: BatchOrder, *, person_id: str | None) -> Batch:
    """Store a batch; workers begin with it at once.

    Raises InputError where nothing is to be judged or the budget is nothing, SettingsError where the judge is not
    configured, JudgeNotAllowed for a budget in money without a known price.
    """
    judge = judge_of(services, order)
    at, new_id = services.now(), services.new_id
    with services.database.write() as connection:
        project = projects.get(connection, order.project_id)
        ids = _chosen(connection, order)
        batch = batches.add(
            connection,
            ids,
            project_id=project.id,
            name=order.name.strip()[:200] or f"{len(ids):,} {'pair' if len(ids) == 1 else 'pairs'}",
            judge=judge,
            via=order.via,
            priority=order.priority,
            budget_id=_budget(connection, order, person_id=person_id, new_id=new_id, at=at),
            created_by=person_id,
            new_id=new_id,
            at=at,
        )
        _log(services, connection, "batch_started", batch, person_id=person_id)
    return batch


def start_for(services: Services, comparison_ids: Sequence[str], *, person_id: str | None = None) -> Batch:
    """A batch of these comparisons, of one project, by the judge of the settings; by default for the person at this
    machine.
    """
    with services.database.read() as connection:
        project_id = comparisons.get(connection, comparison_ids[0]).project_id
    order = BatchOrder(project_id=project_id, comparison_ids=tuple(comparison_ids))
    return start(services, order, person_id=person_id or local_person(services).id)


def judge_of(services: Services, order: BatchOrder) -> JudgeChoice:
    """Which judge an order means. Raises what `start` refuses of its judge and budget."""
    identity = services.judge(order.kind, order.model).identity
    if order.via is Via.BATCHES:
        if identity.kind == "offline":
            raise SettingsError(
                "The offline judge needs no Message Batches. Start the batch without --via batches."
            )
        options = with_environment(services.options(order.model), os.environ)
        if not is_configured(options, os.environ) or options.provider is not Provider.API:
            raise SettingsError(
                "Message Batches are offered by the API itself only. Start without --via batches."
            )
    _ceiling(order.money, order.tokens)
    if identity.kind != "offline":
        if order.money is not None:
            refuse_without_price(
                identity.model, ceiling=f"{order.money} USD", remedy="give a budget in tokens"
            )
        if services.settings.budget is not None:
            refuse_without_price(
                identity.model, ceiling=f"{services.settings.budget} USD", remedy="remove COMPARATOR_BUDGET"
            )
    return JudgeChoice(
        kind=identity.kind,
        model=identity.model,
        repetitions=services.settings.repetitions,
        tools=_tools(services, order),
    )


def _tools(services: Services, order: BatchOrder) -> Tools:
    if order.tools is not None:
        return order.tools
    with services.database.read() as connection:
        return tools_for(services, connection, order.project_id)


def estimate_of(services: Services, order: BatchOrder) -> Estimate:
    """What the order would take about, by the sizes of up to 200 of its comparisons; what is read already is not asked
    again. Raises what `start` refuses.
    """
    judge_of(services, order)
    judge = services.judge(order.kind, order.model, tools=_tools(services, order))
    with services.database.read() as connection:
        ids = _chosen(connection, order)
        left = _unread(connection, ids, judge=judge, repetitions=services.settings.repetitions)
        asked = [id for id in ids if left[id]]
        rows = connection.execute(_sizes(asked[:: max(1, len(asked) // SAMPLE)][:SAMPLE])).all()
        rubrics = _missing_rubrics(connection, asked)
        apart = {
            "void": 0 if order.all_runs else len(_left_out(connection, order)),
            "cut_off": rollup.cut_off_among(connection, ids),
        }
    if judge.identity.kind == "offline" or not rows:
        return Estimate(comparisons=len(ids), calls=0, cost=Decimal(0), **apart)
    readings = sum(left.values())
    costs = [_cost_of(services, judge.identity, row) for row in rows]
    larger = _with_tools(services, judge.identity.tools, rows)
    of_rubric = next(iter(costs))[0]
    known = [reading for _, reading in costs if reading is not None]
    cost: Decimal | None = None
    if of_rubric is not None and len(known) == len(costs):
        cost = of_rubric * rubrics + sum(known, Decimal(0)) / len(known) * readings
        direct = Decimal(larger) / len(rows)
        # Message Batches cannot talk back: pairs that are read with tools go one request at a time, at the full price.
        cost = cost * (direct + (1 - direct) * BATCHED) if order.via is Via.BATCHES else cost
    return Estimate(
        comparisons=len(ids),
        calls=readings + rubrics,
        cost=cost,
        with_tools=round(larger / len(rows) * len(asked)),
        **apart,
    )


def told_of_tools(about: Estimate, via: Via) -> str:
    """What an estimate leaves open: pairs that are read with tools."""
    pairs = counted(about.with_tools, "pair")
    batched = "not as Message Batches but " if via is Via.BATCHES else ""
    return (
        f"About {pairs} will be read with tools, {batched}one request at a time and at the full price. How many "
        "requests a reading takes depends on the judge; a budget limits them."
    )


def reports(services: Services, *, project_id: str | None = None) -> tuple[Report, ...]:
    """All batches, the newest first."""
    with services.database.read() as connection:
        found = batches.listed(connection, project_id=project_id)
        tallies = batches.tallies(connection, [batch.id for batch in found])
        workers = registry.number(services, connection)
        return tuple(_report(connection, batch, tallies[batch.id], workers) for batch in found)


def report(services: Services, batch_id: str) -> Report:
    """One batch. Raises NotFound."""
    with services.database.read() as connection:
        batch = batches.get(connection, batch_id)
        tally = batches.tallies(connection, [batch.id])[batch.id]
        return _report(connection, batch, tally, registry.number(services, connection))


def failures(services: Services, batch_id: str) -> tuple[Failure, ...]:
    """The failed comparisons of a batch, at most fifty."""
    with services.database.read() as connection:
        return batches.failures(connection, batch_id)


def pause(services: Services, batch_id: str, *, person_id: str | None) -> Batch:
    """Send nothing more for the batch; what is on the wire is kept. Raises Conflict where it has ended."""
    return _move(services, batch_id, BatchState.PAUSED, "batch_paused", person_id=person_id)


def resume(
    services: Services,
    batch_id: str,
    *,
    money: Decimal | None = None,
    tokens: int | None = None,
    person_id: str | None,
) -> Batch:
    """Let the batch go on, with another ceiling in US dollars or in tokens if given.

    Raises Conflict where it has ended, InputError for a ceiling that its budget does not have.
    """
    ceiling = _ceiling(money, tokens)
    with services.database.write() as connection:
        batch = batches.get(connection, batch_id)
        if ceiling is not None:
            unit = Unit.MONEY if tokens is None else Unit.TOKENS
            _raise_ceiling(connection, batch, ceiling, unit=unit)
        batch = batches.move(connection, batch_id, BatchState.RUNNING, at=services.now())
        _log(services, connection, "batch_resumed", batch, person_id=person_id)
    return batch


def cancel(services: Services, batch_id: str, *, person_id: str | None) -> Batch:
    """End the batch; what is read already stays. Raises Conflict where it has ended."""
    return _move(services, batch_id, BatchState.CANCELLED, "batch_cancelled", person_id=person_id)


def retry(services: Services, batch_id: str, *, person_id: str | None) -> int:
    """Have the failed comparisons read again; how many there are. What is read already is not paid for again."""
    with services.database.write() as connection:
        again = batches.retry_failed(connection, batch_id, at=services.now())
        if again:
            batch = batches.get(connection, batch_id)
            _log(services, connection, "batch_retried", batch, person_id=person_id)
    return again


def _move(services: Services, batch_id: str, state: BatchState, kind: str, *, person_id: str | None) -> Batch:
    with services.database.write() as connection:
        batch = batches.move(connection, batch_id, state, at=services.now())
        _log(services, connection, kind, batch, person_id=person_id)
    return batch


def _log(
    services: Services, connection: Connection, kind: str, batch: Batch, *, person_id: str | None
) -> None:
    authorise(
        services,
        connection,
        Act.JUDGE,
        kind,
        person_id=person_id,
        project_id=batch.project_id,
        subject_id=batch.id,
        detail={"name": batch.name, "model": batch.judge.model, "via": batch.via.value},
    )


def _chosen(connection: Connection, order: BatchOrder) -> tuple[str, ...]:
    if order.comparison_ids:
        wanted = tuple(dict.fromkeys(order.comparison_ids))
        query = sa.select(_comparison.id).where(
            _comparison.id.in_(wanted), _comparison.project_id == order.project_id
        )
        there = set(connection.execute(query).scalars())
        if strange := next((each for each in wanted if each not in there), None):
            raise InputError(
                f"{strange[:80]!r} is no comparison of this project. Leave it out, or correct the id."
            )
        return wanted
    found = waiting(connection, order.project_id, all_runs=order.all_runs)
    if not found:
        void = len(_left_out(connection, order))
        aside = f" Left out: {counted(void, 'pair')} with a void run; ask for all runs to have them judged."
        raise InputError(
            "No comparison of this project waits for a judge. Import or add some first."
            + (aside if void else "")
        )
    return found


def _left_out(connection: Connection, order: BatchOrder) -> tuple[str, ...]:
    """The pairs with a void run that an order would take in if it asked for all runs."""
    return () if order.comparison_ids or order.all_runs else waiting_void(connection, order.project_id)


def _unread(
    connection: Connection, ids: Sequence[str], *, judge: Judge, repetitions: Repetitions
) -> dict[str, int]:
    """How many readings of each comparison the judge would still be asked for."""
    first = first_round(repetitions)
    left = dict.fromkeys(ids, first * len(Order))
    done = judgments.answered(connection, ids, judge=judge.identity, repetitions=first)
    for comparison in comparisons.by_id(connection, list(done)).values():
        if rubric := rubric_in_force(connection, comparison, judge):
            left[comparison.id] -= done[comparison.id].get(rubric.id, 0)
    return left


def _budget(
    connection: Connection, order: BatchOrder, *, person_id: str | None, new_id: NewId, at: datetime
) -> str | None:
    ceiling = _ceiling(order.money, order.tokens)
    if ceiling is None:
        return None
    return budgets.add(
        connection,
        project_id=order.project_id,
        unit=Unit.MONEY if order.money is not None else Unit.TOKENS,
        ceiling=ceiling,
        created_by=person_id,
        new_id=new_id,
        at=at,
    )


def _ceiling(money: Decimal | None, tokens: int | None) -> Decimal | None:
    """In US dollars or in millions of tokens. Raises InputError for one that cannot be kept, or in both units."""
    if money is not None and tokens is not None:
        raise InputError("A budget is in money or in tokens, not both. Give one of them.")
    ceiling = money if tokens is None else Decimal(tokens) / budgets.MILLION
    if ceiling is not None and ceiling <= 0:
        raise InputError("A budget must be more than nothing.")
    if ceiling is not None and ceiling >= budgets.MOST:
        raise InputError("A budget must be below 9,000,000 US dollars or 9,000,000 million tokens.")
    return ceiling


def _raise_ceiling(connection: Connection, batch: Batch, ceiling: Decimal, *, unit: Unit) -> None:
    if batch.budget_id is None:
        raise InputError("This batch has no budget of its own. Let it go on without one.")
    if budgets.get(connection, batch.budget_id).unit is not unit:
        raise InputError("The batch's budget is in the other unit. Give dollars or tokens as at its start.")
    budgets.raise_ceiling(connection, batch.budget_id, ceiling)


def _report(connection: Connection, batch: Batch, tally: Tally, workers: int) -> Report:
    left: float | None = None
    if batch.state is BatchState.RUNNING and batch.via is Via.MESSAGES:
        pace = batches.pace(connection, batch.id)
        left = None if pace is None else pace * tally.left
    return Report(
        batch=batch,
        project=projects.get(connection, batch.project_id).name,
        tally=tally,
        cost=batches.cost(connection, batch),
        budget=budgets.get(connection, batch.budget_id) if batch.budget_id else None,
        seconds_left=left,
        workers=workers,
    )


def _sizes(ids: Sequence[str]) -> sa.Select[Any]:
    a, b = tables.view.alias("shown_a"), tables.view.alias("shown_b")
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


def _with_tools(services: Services, mode: Tools, rows: Sequence[sa.Row[Any]]) -> int:
    """How many of the pairs are too long for one request; what else needs tools only the pairs themselves tell."""
    if mode is not Tools.AUTO:
        return len(rows) if mode is Tools.ALWAYS else 0
    return sum(max(row.a, row.b) > services.budget.characters for row in rows)


def _missing_rubrics(connection: Connection, ids: Sequence[str]) -> int:
    r = tables.rubric.c
    total = 0
    # In parts: a database takes some ten thousand values in one question.
    for start_ in range(0, len(ids), 5000):
        part = ids[start_ : start_ + 5000]
        written = sa.exists().where(r.task_version_id == _comparison.task_version_id)
        query = sa.select(sa.func.count(sa.distinct(_comparison.task_version_id))).where(
            _comparison.id.in_(part), ~written
        )
        total += connection.execute(query).scalar_one()
    return total
