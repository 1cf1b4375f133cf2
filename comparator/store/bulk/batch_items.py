"""The comparisons of batches as workers take them, give them back and end them, and the last batch of a pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pydantic import AwareDatetime
from sqlalchemy import Connection, Select, String, and_, bindparam, case, exists, func, or_, select, true

from comparator.domain.labels import Frozen
from comparator.domain.scoring.several_judges import SeveralJudges
from comparator.store import tables
from comparator.store.bulk import batches, leases, office_pages
from comparator.store.bulk.batches import LEASED, OPEN, BatchState, ItemState, JudgeChoice, Via
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.sql import among, maybe, scalars
from comparator.store.core.unit import Unit
from comparator.store.facts import fact
from comparator.store.facts.fact import Status

TRY_AGAIN_AFTER = timedelta(seconds=5)
"""How long a pair rests that failed."""


class WaitingPair(NamedTuple):
    """A comparison of a running batch that can be begun."""

    batch_id: str
    comparison_id: str
    single: bool


class LeasedItem(Frozen):
    """A comparison that a worker has taken, and what its batch asks for."""

    batch_id: str
    comparison_id: str
    position: int
    tries: int
    judge: JudgeChoice
    via: Via
    priority: int
    budget_id: str | None
    single: bool = False
    """Asked for by itself: what bars it concerns nobody else."""
    project_id: str = ""
    trial: bool = False
    """What comes of it is not the pair's judgment."""


_batch, _batch_item, _lease, _fact = (
    tables.batch.c,
    tables.batch_item.c,
    tables.lease.c,
    tables.fact.c,
)


def ids_of(connection: Connection, batch_id: str) -> tuple[str, ...]:
    """The comparisons of a batch, in its order."""
    batch_item = tables.batch_item.c
    query = (
        select(batch_item.comparison_id).where(batch_item.batch_id == batch_id).order_by(batch_item.position)
    )
    return scalars(connection, query)


def waiting(unit: Unit, *, limit: int) -> tuple[WaitingPair, ...]:
    """Up to `limit` pairs of running batches that can be begun, the most urgent and oldest first.

    What cannot be begun: comparisons that somebody judges just now, whose pages are being made, or that failed a moment
    ago.
    """
    running = unit.execute(
        select(_batch.id, _batch.single)
        .where(_batch.state == BatchState.RUNNING)
        .order_by(_batch.priority.desc(), _batch.created_at, _batch.id)
    ).all()
    pairs: list[WaitingPair] = []
    for batch in running:
        if len(pairs) == limit:
            break
        free = _free(batch.id, at=unit.at).order_by(_batch_item.position).limit(limit - len(pairs))
        pairs += (WaitingPair(batch.id, row.comparison_id, bool(batch.single)) for row in unit.execute(free))
    return tuple(pairs)


def lease(unit: Unit, batch_id: str, comparison_id: str, *, worker: str) -> LeasedItem | None:
    """Take a pair of a batch; None where it does not wait, or the batch does not run."""
    batch = unit.execute(
        select(tables.batch).where(_batch.id == batch_id, _batch.state == BatchState.RUNNING)
    ).one_or_none()
    if batch is None:
        return None
    row = unit.execute(
        _free(batch_id, at=unit.at)
        .where(_batch_item.comparison_id == comparison_id)
        .with_for_update(of=tables.batch_item, skip_locked=True)
    ).one_or_none()
    if row is None or not leases.take(unit, LeaseKind.PAIR, (comparison_id,), worker=worker):
        return None
    # Of what was never judged, only the status changes; the rest is derived anew.
    unjudged = and_(_fact.comparison_id == comparison_id, _fact.status == Status.TO_JUDGE)
    judging = {"status": Status.JUDGING, "touched_at": unit.at}
    if not unit.update(tables.fact, unjudged, **judging):
        fact.refresh(unit, comparison_id)
    return LeasedItem(
        batch_id=batch.id,
        comparison_id=row.comparison_id,
        position=row.position,
        tries=row.tries or 0,
        judge=JudgeChoice.model_validate(batch.judge),
        via=Via(batch.via),
        priority=batch.priority,
        budget_id=batch.budget_id,
        single=bool(batch.single),
        project_id=batch.project_id,
        trial=bool(batch.trial),
    )


def give_back(unit: Unit, item: LeasedItem, *, worker: str) -> None:
    """Let others have the pair; in a cancelled batch it is cancelled."""
    release(unit, leases.give_back(unit.connection, LeaseKind.PAIR, (item.comparison_id,), worker=worker))


def stop_batch(unit: Unit, item: LeasedItem, *, worker: str, problem: str) -> None:
    """Give the pair back and pause its batch, as none of its pairs would fare better."""
    give_back(unit, item, worker=worker)
    batches.stop_for(unit.connection, item.batch_id, problem=problem)


def release(unit: Unit, comparison_ids: Sequence[str]) -> None:
    """Note that nobody has these pairs any more; in a cancelled batch they are cancelled."""
    if not comparison_ids:
        return
    waiting = and_(_batch_item.comparison_id.in_(comparison_ids), _batch_item.state == ItemState.WAITING)
    cancelled = select(_batch.id).where(_batch.state == BatchState.CANCELLED)
    unit.update(
        tables.batch_item,
        waiting,
        _batch_item.batch_id.in_(cancelled),
        state=ItemState.CANCELLED,
        touched_at=unit.at,
    )
    for comparison_id in sorted(comparison_ids):
        fact.refresh(unit, comparison_id)


def try_again_later(unit: Unit, item: LeasedItem, *, worker: str) -> None:
    """Give the pair back after a failure that may pass; the try counts."""
    _mark(unit, item, tries=func.coalesce(_batch_item.tries, 0) + 1)
    give_back(unit, item, worker=worker)


def put_out(unit: Unit, item: LeasedItem, *, worker: str) -> None:
    """Give the pair back until a Message Batch has answered its requests."""
    _mark(unit, item, state=ItemState.OUT)
    give_back(unit, item, worker=worker)


def _mark(unit: Unit, item: LeasedItem, **values: Any) -> None:
    open_ = select(_batch.id).where(_batch.state != BatchState.CANCELLED)
    unit.update(
        tables.batch_item,
        _batch_item.batch_id == item.batch_id,
        _batch_item.comparison_id == item.comparison_id,
        _batch_item.state == ItemState.WAITING,
        _batch_item.batch_id.in_(open_),
        touched_at=unit.at,
        **values,
    )


_END = tables.batch_item.update().where(
    _batch_item.batch_id == bindparam("batch", type_=String()),
    _batch_item.comparison_id == bindparam("comparison", type_=String()),
)


def finish(
    unit: Unit,
    batch_id: str,
    comparison_id: str,
    *,
    worker: str,
    problem: str | None,
    interrupted: bool = False,
) -> bool:
    """Note how the reading of a comparison ended; False where it is no longer the worker's own.

    The caller refreshes the comparison's facts in the same transaction.
    """
    if not leases.give_back(unit.connection, LeaseKind.PAIR, (comparison_id,), worker=worker):
        return False
    state = ItemState.DONE if problem is None else ItemState.FAILED
    if interrupted:
        state = ItemState.CANCELLED
    how = {"state": state.value, "problem": problem, "touched_at": unit.at}
    unit.execute(_END, {"batch": batch_id, "comparison": comparison_id, **how})
    return True


def withdraw(unit: Unit, run_ids: Collection[str]) -> tuple[str, ...]:
    """Cancel what is to be read, or read again, of these superseded runs' pairs; the ids of the batches it was in.

    Left as they are: pairs of which somebody has begun a review, and what a worker has in hand or is just taking.
    """
    query = (
        select(_batch_item.batch_id, _batch_item.comparison_id)
        .where(
            _batch_item.comparison_id.in_(fact.of_runs(unit.connection, run_ids)),
            _batch_item.state.in_([ItemState.WAITING, ItemState.FAILED]),
            exists().where(_fact.comparison_id == _batch_item.comparison_id, fact.UNREAD),
            ~LEASED,
        )
        .with_for_update(of=tables.batch_item, skip_locked=True)
    )
    theirs: defaultdict[str, list[str]] = defaultdict(list)
    for row in unit.execute(query):
        theirs[row.batch_id].append(row.comparison_id)
    for batch_id, comparison_ids in theirs.items():
        unit.update(
            tables.batch_item,
            _batch_item.batch_id == batch_id,
            _batch_item.comparison_id.in_(among(unit.connection, comparison_ids)),
            state=ItemState.CANCELLED,
            touched_at=case((_batch_item.state == ItemState.FAILED, _batch_item.touched_at), else_=unit.at),
        )
    return tuple(theirs)


def _free(batch_id: str, *, at: datetime) -> Select[tuple[str, int, int | None]]:
    elsewhere = exists().where(
        _lease.kind == LeaseKind.PAIR, _lease.id == _batch_item.comparison_id, leases.lives(at)
    )
    # The judge is given what is seen of Office files, a reviewer need not wait for it.
    without_pages = exists().where(
        tables.office_pages.c.comparison_id == _batch_item.comparison_id, office_pages.WAITS
    )
    return select(_batch_item.comparison_id, _batch_item.position, _batch_item.tries).where(
        _batch_item.batch_id == batch_id,
        _batch_item.state == ItemState.WAITING,
        or_(_batch_item.tries.is_(None), _batch_item.touched_at <= at - TRY_AGAIN_AFTER),
        ~elsewhere,
        ~without_pages,
    )


class LastBatch(Frozen):
    """The last time that a pair was to be read: by which judge, and what came of it."""

    batch_id: str
    state: ItemState
    problem: str | None
    touched_at: AwareDatetime
    judge: JudgeChoice
    batch_state: BatchState
    batch_problem: str | None
    single: bool | None
    panel: SeveralJudges | None = None


def last_asked(connection: Connection, comparison_id: str) -> LastBatch | None:
    """The last time that the pair was to be read; None where it never was."""
    query = (
        select(
            _batch_item.batch_id,
            _batch_item.state,
            _batch_item.problem,
            _batch_item.touched_at,
            _batch.judge,
            _batch.single,
            _batch.panel,
            _batch.state.label("batch_state"),
            _batch.problem.label("batch_problem"),
        )
        .join_from(tables.batch_item, tables.batch, _batch.id == _batch_item.batch_id)
        .where(_batch_item.comparison_id == comparison_id, _batch.trial.is_(None))
        # What is still to be read in a batch of many says nothing of how the last reading ended.
        .order_by(
            and_(_batch_item.state.in_(OPEN), _batch.single.is_(None)),
            _batch_item.touched_at.desc(),
        )
        .limit(1)
    )
    return maybe(connection, query, LastBatch)


def waiting_singles(connection: Connection, comparison_id: str) -> dict[str, BatchState]:
    """The batches of this pair alone that wait or are being read: one, or one for each of several judges."""
    query = (
        select(_batch.id, _batch.state)
        .join_from(tables.batch_item, tables.batch, _batch.id == _batch_item.batch_id)
        .where(
            _batch_item.comparison_id == comparison_id,
            _batch_item.state == ItemState.WAITING,
            _batch.single == true(),
        )
        .order_by(_batch.created_at, _batch.id)
    )
    return {row.id: BatchState(row.state) for row in connection.execute(query)}
