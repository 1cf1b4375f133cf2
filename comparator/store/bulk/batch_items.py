"""The comparisons of batches as workers take them, give them back and end them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.bulk import leases, office_pages
from comparator.store.bulk.batches import LEASED, BatchState, ItemState, JudgeChoice, Via
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.sql import among
from comparator.store.core.unit import Unit
from comparator.store.rollup import rollup
from comparator.store.rollup.rollup import Status

STRETCH = 16
"""How many neighbours of a batch go to a worker together: few enough to be shared among workers, and enough that
looking them up and handing them out costs little for each."""


class Stretch(NamedTuple):
    """Neighbours in a batch: those that stand at `first` to `first + STRETCH - 1`."""

    batch_id: str
    first: int
    priority: int


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


_batch, _batch_item, _lease, _rollup = (
    tables.batch.c,
    tables.batch_item.c,
    tables.lease.c,
    tables.rollup.c,
)


def ids_of(connection: sa.Connection, batch_id: str) -> tuple[str, ...]:
    """The comparisons of a batch, in its order."""
    batch_item = tables.batch_item.c
    query = (
        sa.select(batch_item.comparison_id)
        .where(batch_item.batch_id == batch_id)
        .order_by(batch_item.position)
    )
    return tuple(connection.execute(query).scalars())


def waiting(
    unit: Unit, *, limit: int, pause: timedelta, busy_versions: Collection[str] = (), single: bool = False
) -> tuple[Stretch, ...]:
    """Up to `limit` stretches of running batches in which something can be begun, the most urgent and oldest first.

    With `single`, only pairs that were asked for by themselves. What cannot be begun: comparisons that somebody
    judges just now, those that failed less than `pause` ago, and those of the task versions in `busy_versions`.
    """
    running = unit.connection.execute(
        sa.select(_batch.id, _batch.priority)
        .where(_batch.state == BatchState.RUNNING.value, *((_batch.single == sa.true(),) if single else ()))
        .order_by(_batch.priority.desc(), _batch.created_at, _batch.id)
    ).all()
    found: dict[Stretch, None] = {}
    for batch in running:
        room = limit - len(found)
        if not room:
            break
        free = _free(batch.id, pause=pause, at=unit.at, busy_versions=busy_versions)
        # So many rows lie in as many stretches or fewer.
        for position in unit.connection.execute(
            free.with_only_columns(_batch_item.position).limit(room * STRETCH)
        ).scalars():
            found.setdefault(Stretch(batch.id, position - position % STRETCH, batch.priority))
    return tuple(found)[:limit]


def lease(
    unit: Unit, stretch: Stretch, *, worker: str, pause: timedelta, busy_versions: Collection[str] = ()
) -> tuple[LeasedItem, ...]:
    """Take what `waiting` tells of in a stretch; nothing where its batch does not run."""
    batch = unit.connection.execute(
        sa.select(tables.batch).where(_batch.id == stretch.batch_id, _batch.state == BatchState.RUNNING.value)
    ).one_or_none()
    if batch is None:
        return ()
    choice = JudgeChoice.model_validate(batch.judge)
    free = _free(batch.id, pause=pause, at=unit.at, busy_versions=busy_versions)
    rows = unit.connection.execute(
        free.where(
            _batch_item.position >= stretch.first, _batch_item.position < stretch.first + STRETCH
        ).with_for_update(of=tables.batch_item, skip_locked=True)
    ).all()
    mine = _take(unit, [row.comparison_id for row in rows], worker=worker)
    return tuple(
        LeasedItem(
            batch_id=batch.id,
            comparison_id=row.comparison_id,
            position=row.position,
            tries=row.tries or 0,
            judge=choice,
            via=Via(batch.via),
            priority=batch.priority,
            budget_id=batch.budget_id,
            single=bool(batch.single),
            project_id=batch.project_id,
            trial=bool(batch.trial),
        )
        for row in rows
        if row.comparison_id in mine
    )


def lease_single(unit: Unit, batch_id: str, *, worker: str) -> LeasedItem | None:
    """Take the pair of a batch of one; None where another worker has it."""
    found = lease(unit, Stretch(batch_id, 0, 0), worker=worker, pause=timedelta(0))
    return found[0] if found else None


def give_back(unit: Unit, comparison_ids: Sequence[str], *, worker: str) -> None:
    """Let others have what the worker has of these; in a cancelled batch they are cancelled."""
    release(unit, leases.give_back(unit.connection, LeaseKind.PAIR, comparison_ids, worker=worker))


def release(unit: Unit, comparison_ids: Sequence[str]) -> None:
    """Note that nobody has these pairs any more; in a cancelled batch they are cancelled."""
    if not comparison_ids:
        return
    waiting = sa.and_(
        _batch_item.comparison_id.in_(comparison_ids), _batch_item.state == ItemState.WAITING.value
    )
    cancelled = sa.select(_batch.id).where(_batch.state == BatchState.CANCELLED.value)
    unit.connection.execute(
        tables.batch_item.update()
        .where(waiting, _batch_item.batch_id.in_(cancelled))
        .values(state=ItemState.CANCELLED.value, touched_at=unit.at)
    )
    for comparison_id in sorted(comparison_ids):
        rollup.refresh(unit, comparison_id)


def try_again_later(unit: Unit, item: LeasedItem, *, worker: str) -> None:
    """Give the pair back after a failure that may pass; the try counts."""
    _mark(unit, item, tries=sa.func.coalesce(_batch_item.tries, 0) + 1)
    give_back(unit, (item.comparison_id,), worker=worker)


def put_out(unit: Unit, item: LeasedItem, *, worker: str) -> None:
    """Give the pair back until a Message Batch has answered its requests."""
    _mark(unit, item, state=ItemState.OUT.value)
    give_back(unit, (item.comparison_id,), worker=worker)


def _mark(unit: Unit, item: LeasedItem, **values: Any) -> None:
    open_ = sa.select(_batch.id).where(_batch.state != BatchState.CANCELLED.value)
    unit.connection.execute(
        tables.batch_item.update()
        .where(
            _batch_item.batch_id == item.batch_id,
            _batch_item.comparison_id == item.comparison_id,
            _batch_item.state == ItemState.WAITING.value,
            _batch_item.batch_id.in_(open_),
        )
        .values(touched_at=unit.at, **values)
    )


_END = tables.batch_item.update().where(
    _batch_item.batch_id == sa.bindparam("batch", type_=sa.String()),
    _batch_item.comparison_id == sa.bindparam("comparison", type_=sa.String()),
)


def finish(
    unit: Unit,
    comparison_id: str,
    *,
    batch_id: str,
    worker: str,
    problem: str | None,
    interrupted: bool = False,
) -> bool:
    """Note how the reading of a comparison ended; False where it is no longer the worker's own.

    The caller refreshes the comparison's rollup in the same transaction.
    """
    if not leases.give_back(unit.connection, LeaseKind.PAIR, (comparison_id,), worker=worker):
        return False
    item = ItemState.DONE if problem is None else ItemState.FAILED
    if interrupted:
        item = ItemState.CANCELLED
    how = {"state": item.value, "problem": problem, "touched_at": unit.at}
    unit.connection.execute(_END, {"batch": batch_id, "comparison": comparison_id, **how})
    return True


def withdraw(unit: Unit, run_ids: Collection[str]) -> tuple[str, ...]:
    """Cancel what is to be read, or read again, of these superseded runs' pairs; the ids of the batches it was in.

    Left as they are: pairs of which somebody has begun a review, and what a worker has in hand or is just taking.
    """
    query = (
        sa.select(_batch_item.batch_id, _batch_item.comparison_id)
        .where(
            _batch_item.comparison_id.in_(rollup.of_runs(unit.connection, run_ids)),
            _batch_item.state.in_([ItemState.WAITING.value, ItemState.FAILED.value]),
            sa.exists().where(_rollup.comparison_id == _batch_item.comparison_id, rollup.UNREAD),
            ~LEASED,
        )
        .with_for_update(of=tables.batch_item, skip_locked=True)
    )
    theirs: defaultdict[str, list[str]] = defaultdict(list)
    for row in unit.connection.execute(query):
        theirs[row.batch_id].append(row.comparison_id)
    for batch_id, comparison_ids in theirs.items():
        unit.connection.execute(
            tables.batch_item.update()
            .where(
                _batch_item.batch_id == batch_id,
                _batch_item.comparison_id.in_(among(unit.connection, comparison_ids)),
            )
            .values(
                state=ItemState.CANCELLED.value,
                # What has failed ended then: what is paid for it later is not this batch's.
                touched_at=sa.case(
                    (_batch_item.state == ItemState.FAILED.value, _batch_item.touched_at), else_=unit.at
                ),
            )
        )
    return tuple(theirs)


def _free(
    batch_id: str,
    *,
    pause: timedelta,
    at: datetime,
    busy_versions: Collection[str],
) -> sa.Select[tuple[str, int, int | None]]:
    elsewhere = sa.exists().where(
        _lease.kind == LeaseKind.PAIR.value, _lease.id == _batch_item.comparison_id, leases.lives(at)
    )
    # The judge is given what is seen of Office files, a reviewer need not wait for it.
    without_pages = sa.exists().where(
        tables.office_pages.c.comparison_id == _batch_item.comparison_id, office_pages.WAITS
    )
    query = (
        sa.select(_batch_item.comparison_id, _batch_item.position, _batch_item.tries)
        .where(
            _batch_item.batch_id == batch_id,
            _batch_item.state == ItemState.WAITING.value,
            sa.or_(_batch_item.tries.is_(None), _batch_item.touched_at <= at - pause),
            ~elsewhere,
            ~without_pages,
        )
        .order_by(_batch_item.position)
    )
    if busy_versions:
        comparison = tables.comparison.c
        query = query.where(
            ~sa.exists().where(
                comparison.id == _batch_item.comparison_id,
                comparison.task_version_id.in_(sorted(busy_versions)),
            )
        )
    return query


def _take(unit: Unit, comparison_ids: Sequence[str], *, worker: str) -> frozenset[str]:
    had = set(leases.of_worker(unit.connection, LeaseKind.PAIR, worker=worker))
    mine = leases.take(unit, LeaseKind.PAIR, comparison_ids, worker=worker) - had
    if not mine:
        return frozenset()
    # Of what was never judged, only the status changes; the rest is derived anew.
    new = sa.and_(_rollup.comparison_id.in_(mine), _rollup.status == Status.TO_JUDGE.value)
    plain = set(
        unit.connection.execute(
            tables.rollup.update()
            .where(new)
            .values(status=Status.JUDGING.value, touched_at=unit.at)
            .returning(_rollup.comparison_id)
        ).scalars()
    )
    for comparison_id in sorted(mine - plain):
        rollup.refresh(unit, comparison_id)
    return mine
