"""The comparisons of batches as workers take them, give them back and end them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.bulk.batches import BatchState, ItemState, JudgeChoice, Via
from comparator.store.bulk.progress import ProgressState
from comparator.store.core.sql import among
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


_batch, _batch_item, _progress, _rollup = (
    tables.batch.c,
    tables.batch_item.c,
    tables.progress.c,
    tables.rollup.c,
)
_HELD = _progress.state.in_([ProgressState.QUEUED.value, ProgressState.RUNNING.value])


def waiting(
    connection: sa.Connection,
    *,
    limit: int,
    pause: timedelta,
    stale_after: timedelta,
    at: datetime,
    busy_versions: Collection[str] = (),
) -> tuple[Stretch, ...]:
    """Up to `limit` stretches of running batches in which something can be begun, the most urgent and oldest first.

    What can not: comparisons that somebody judges just now, those that failed less than `pause` ago, and those of the
    task versions in `busy_versions`.
    """
    running = connection.execute(
        sa.select(_batch.id, _batch.priority)
        .where(_batch.state == BatchState.RUNNING.value)
        .order_by(_batch.priority.desc(), _batch.created_at, _batch.id)
    ).all()
    found: dict[Stretch, None] = {}
    for batch in running:
        room = limit - len(found)
        if not room:
            break
        free = _free(batch.id, pause=pause, stale_after=stale_after, at=at, busy_versions=busy_versions)
        # So many rows lie in as many stretches or fewer.
        for position in connection.execute(
            free.with_only_columns(_batch_item.position).limit(room * STRETCH)
        ).scalars():
            found.setdefault(Stretch(batch.id, position - position % STRETCH, batch.priority))
    return tuple(found)[:limit]


def lease(
    connection: sa.Connection,
    stretch: Stretch,
    *,
    worker: str,
    pause: timedelta,
    stale_after: timedelta,
    at: datetime,
    busy_versions: Collection[str] = (),
) -> tuple[LeasedItem, ...]:
    """Take what `waiting` tells of in a stretch; nothing where its batch does not run."""
    batch = connection.execute(
        sa.select(tables.batch).where(_batch.id == stretch.batch_id, _batch.state == BatchState.RUNNING.value)
    ).one_or_none()
    if batch is None:
        return ()
    choice = JudgeChoice.model_validate(batch.judge)
    free = _free(batch.id, pause=pause, stale_after=stale_after, at=at, busy_versions=busy_versions)
    rows = connection.execute(
        free.where(
            _batch_item.position >= stretch.first, _batch_item.position < stretch.first + STRETCH
        ).with_for_update(of=tables.batch_item, skip_locked=True)
    ).all()
    mine = _take(
        connection, [row.comparison_id for row in rows], worker=worker, judge=choice,
        stale_after=stale_after, at=at,
    )  # fmt: skip
    if mine:
        connection.execute(
            tables.batch_item.update()
            .where(_batch_item.batch_id == batch.id, _batch_item.comparison_id.in_(mine))
            .values(state=ItemState.RUNNING.value, problem=None, touched_at=at)
        )
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
        )
        for row in rows
        if row.comparison_id in mine
    )


def give_back(
    connection: sa.Connection,
    comparison_ids: Sequence[str],
    *,
    worker: str,
    state: ItemState = ItemState.WAITING,
    tried: bool = False,
    at: datetime,
) -> None:
    """Let others have what the worker holds of these; in a cancelled batch they are cancelled."""
    own = sa.and_(_progress.comparison_id.in_(comparison_ids), _progress.worker == worker, _HELD)
    mine = list(
        connection.execute(
            sa.select(_progress.comparison_id).where(own).order_by(_progress.comparison_id)
        ).scalars()
    )
    if not mine:
        return
    connection.execute(tables.progress.delete().where(own))
    held = sa.and_(_batch_item.comparison_id.in_(mine), _batch_item.state == ItemState.RUNNING.value)
    cancelled = sa.select(_batch.id).where(_batch.state == BatchState.CANCELLED.value)
    connection.execute(
        tables.batch_item.update()
        .where(held, _batch_item.batch_id.in_(cancelled))
        .values(state=ItemState.CANCELLED.value, touched_at=at)
    )
    more = {"tries": sa.func.coalesce(_batch_item.tries, 0) + 1} if tried else {}
    connection.execute(
        tables.batch_item.update().where(held).values(state=state.value, touched_at=at, **more)
    )
    for comparison_id in mine:
        rollup.refresh(connection, comparison_id, at=at)


def finish(
    connection: sa.Connection,
    comparison_id: str,
    *,
    batch_id: str,
    worker: str,
    problem: str | None,
    at: datetime,
) -> bool:
    """Note how the reading of a comparison ended; False where it is no longer the worker's own.

    The caller refreshes the comparison's rollup in the same transaction.
    """
    state = ProgressState.DONE if problem is None else ProgressState.FAILED
    ended = connection.execute(
        tables.progress.update()
        .where(_progress.comparison_id == comparison_id, _progress.worker == worker, _HELD)
        .values(state=state.value, step=None, problem=problem, beat_at=at)
    )
    if ended.rowcount == 0:
        return False
    item = ItemState.DONE if problem is None else ItemState.FAILED
    connection.execute(
        tables.batch_item.update()
        .where(_batch_item.batch_id == batch_id, _batch_item.comparison_id == comparison_id)
        .values(state=item.value, problem=problem, touched_at=at)
    )
    return True


def beat(
    connection: sa.Connection, comparison_ids: Sequence[str], *, worker: str, at: datetime
) -> frozenset[str]:
    """Show that the worker is at these; those of them that are no longer its own."""
    own = sa.and_(_progress.comparison_id.in_(comparison_ids), _progress.worker == worker, _HELD)
    mine = set(connection.execute(sa.select(_progress.comparison_id).where(own)).scalars())
    connection.execute(tables.progress.update().where(own).values(beat_at=at))
    return frozenset(comparison_ids) - mine


def leased_by(connection: sa.Connection, worker: str) -> tuple[str, ...]:
    """The ids of the comparisons that a worker holds or has left behind."""
    query = (
        sa.select(_progress.comparison_id)
        .where(_progress.worker == worker, _HELD)
        .order_by(_progress.comparison_id)
    )
    return tuple(connection.execute(query).scalars())


def withdraw(connection: sa.Connection, run_ids: Collection[str], *, at: datetime) -> tuple[str, ...]:
    """Cancel what is to be read, or read again, of these superseded runs' pairs; the ids of the batches it was in.

    Left as they are: pairs of which somebody has begun a review, and what a worker has in hand or is just taking.
    """
    query = (
        sa.select(_batch_item.batch_id, _batch_item.comparison_id)
        .where(
            _batch_item.comparison_id.in_(rollup.of_runs(connection, run_ids)),
            _batch_item.state.in_([ItemState.WAITING.value, ItemState.FAILED.value]),
            sa.exists().where(_rollup.comparison_id == _batch_item.comparison_id, rollup.UNREAD),
        )
        .with_for_update(of=tables.batch_item, skip_locked=True)
    )
    theirs: defaultdict[str, list[str]] = defaultdict(list)
    for row in connection.execute(query):
        theirs[row.batch_id].append(row.comparison_id)
    for batch_id, comparison_ids in theirs.items():
        connection.execute(
            tables.batch_item.update()
            .where(
                _batch_item.batch_id == batch_id,
                _batch_item.comparison_id.in_(among(connection, comparison_ids)),
            )
            .values(
                state=ItemState.CANCELLED.value,
                # What has failed ended then: what is paid for it later is not this batch's.
                touched_at=sa.case(
                    (_batch_item.state == ItemState.FAILED.value, _batch_item.touched_at), else_=at
                ),
            )
        )
    return tuple(theirs)


def free_unleased(connection: sa.Connection, *, at: datetime) -> None:
    """Let what nobody works at any more wait again, however that came about."""
    held = sa.exists().where(_progress.comparison_id == _batch_item.comparison_id, _HELD)
    connection.execute(
        tables.batch_item.update()
        .where(_batch_item.state == ItemState.RUNNING.value, ~held)
        .values(state=ItemState.WAITING.value, touched_at=at)
    )


def _free(
    batch_id: str,
    *,
    pause: timedelta,
    stale_after: timedelta,
    at: datetime,
    busy_versions: Collection[str],
) -> sa.Select[tuple[str, int, int | None]]:
    elsewhere = sa.exists().where(
        _progress.comparison_id == _batch_item.comparison_id, _HELD, _progress.beat_at >= at - stale_after
    )
    query = (
        sa.select(_batch_item.comparison_id, _batch_item.position, _batch_item.tries)
        .where(
            _batch_item.batch_id == batch_id,
            _batch_item.state == ItemState.WAITING.value,
            sa.or_(_batch_item.tries.is_(None), _batch_item.touched_at <= at - pause),
            ~elsewhere,
        )
        .order_by(_batch_item.position)
    )
    if busy_versions:
        c = tables.comparison.c
        query = query.where(
            ~sa.exists().where(
                c.id == _batch_item.comparison_id, c.task_version_id.in_(sorted(busy_versions))
            )
        )
    return query


def _take(
    connection: sa.Connection,
    comparison_ids: Sequence[str],
    *,
    worker: str,
    judge: JudgeChoice,
    stale_after: timedelta,
    at: datetime,
) -> frozenset[str]:
    if not comparison_ids:
        return frozenset()
    fresh = {
        "state": ProgressState.RUNNING.value,
        "step": None,
        "problem": None,
        "worker": worker,
        "judge_kind": judge.kind,
        "judge_model": judge.model,
        "started_at": at,
        "beat_at": at,
    }
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    # From a list, as a statement with that many values would be made anew each time.
    ids = among(connection, sorted(comparison_ids)).subquery()
    rows = sa.select(*ids.c, *(sa.literal(value, _progress[name].type) for name, value in fresh.items()))
    statement = insert(tables.progress).from_select(
        ["comparison_id", *fresh], rows.where(sa.true()).order_by(*ids.c)
    )
    taken = connection.execute(
        statement.on_conflict_do_update(
            index_elements=[_progress.comparison_id],
            set_=fresh,
            where=sa.or_(~_HELD, _progress.beat_at < at - stale_after),
        ).returning(_progress.comparison_id)
    )
    mine = frozenset(taken.scalars())
    # Of what was never judged, only the status changes; the rest is derived anew.
    new = sa.and_(_rollup.comparison_id.in_(mine), _rollup.status == Status.TO_JUDGE.value)
    plain = set(
        connection.execute(
            tables.rollup.update()
            .where(new)
            .values(status=Status.JUDGING.value, touched_at=at)
            .returning(_rollup.comparison_id)
        ).scalars()
    )
    for comparison_id in sorted(mine - plain):
        rollup.refresh(connection, comparison_id, at=at)
    return mine
