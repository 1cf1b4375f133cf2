"""The comparisons of batches as workers take them, give them back and end them, and the last batch of a pair."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import AwareDatetime
from sqlalchemy import Select, and_, case, exists, select, true

from comparator.domain.labels import Frozen
from comparator.domain.scoring.several_judges import JudgeChoice, SeveralJudges
from comparator.store import tables
from comparator.store.bulk import leases, office_pages
from comparator.store.bulk.batches import LEASED, OPEN, BatchState, ItemState, Via
from comparator.store.core.sql import Connection, Unit, among, changed, maybe, scalars, there_is
from comparator.store.facts import fact
from comparator.store.judging.judgments import ITEMS


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
    judge: JudgeChoice
    via: Via
    budget_id: str | None
    single: bool | None = None
    """Asked for by itself: what bars it concerns nobody else."""
    project_id: str = ""
    trial: bool | None = None
    """What comes of it is not the pair's judgment."""


_batch, _item, _lease, _fact = tables.batch.c, tables.batch_item.c, tables.lease.c, tables.fact.c


def ids_of(connection: Connection, batch_id: str) -> tuple[str, ...]:
    """The comparisons of a batch, in its order."""
    query = select(_item.comparison_id).where(_item.batch_id == batch_id)
    return scalars(connection, query.order_by(_item.position))


def waiting(unit: Unit, *, limit: int) -> tuple[WaitingPair, ...]:
    """Up to `limit` pairs of running batches that can be begun: first those that somebody waits for, then the oldest.

    What cannot be begun: comparisons that somebody judges just now, or whose pages are being made.
    """
    running = select(_batch.id, _batch.single).where(_batch.state == BatchState.RUNNING)
    pairs: list[WaitingPair] = []
    singles_first = (_batch.single.is_(None), _batch.created_at, _batch.id)
    for batch in unit.execute(running.order_by(*singles_first)).all():
        left = limit - len(pairs)
        ids = scalars(unit, _free([_item.comparison_id], batch.id, at=unit.at).limit(left)) if left else ()
        pairs += (WaitingPair(batch.id, id, bool(batch.single)) for id in ids)
    return tuple(pairs)


def lease(unit: Unit, batch_id: str, comparison_id: str, *, worker: str) -> LeasedItem | None:
    """Take a pair of a batch; None where it does not wait, or the batch does not run."""
    columns = [_item[name] if name in _item else _batch[name] for name in LeasedItem.model_fields]
    query = (
        _free(columns, batch_id, at=unit.at)
        .join(tables.batch, _batch.id == _item.batch_id)
        .where(_item.comparison_id == comparison_id, _batch.state == BatchState.RUNNING)
        .with_for_update(of=tables.batch_item, skip_locked=True)
    )
    item = maybe(unit, query, LeasedItem)
    if item is None or not leases.take(unit, leases.LeaseKind.PAIR, (comparison_id,), worker=worker):
        return None
    # Of what was never judged, only the status changes; the rest is derived anew.
    unjudged = (_fact.comparison_id == comparison_id, _fact.status == fact.Status.TO_JUDGE)
    if unit.update(tables.fact, *unjudged, status=fact.Status.JUDGING):
        changed(unit, comparisons=[comparison_id])
    else:
        fact.refresh(unit, comparison_id)
    return item


def let_go(unit: Unit, batch_id: str, comparison_id: str, *, worker: str, **became: Any) -> None:
    """Let others have the pair, or note what became of it; nothing where it is no longer the worker's own.

    In a cancelled batch what is still to end is cancelled. The caller derives the comparison's facts anew with it.
    """
    if leases.give_back(unit, leases.LeaseKind.PAIR, (comparison_id,), worker=worker):
        if became:
            this = (_item.batch_id == batch_id, _item.comparison_id == comparison_id)
            unit.update(tables.batch_item, *this, **became)
        _cancel(unit, [comparison_id])


def release(unit: Unit, comparison_ids: Sequence[str]) -> None:
    """Note that nobody has these pairs any more; in a cancelled batch they are cancelled."""
    _cancel(unit, comparison_ids)
    for comparison_id in sorted(comparison_ids):
        fact.refresh(unit, comparison_id)


def under_way(unit: Unit, project_id: str) -> bool:
    """Whether a living worker has a pair of the project in hand, or the provider one in a Message Batch."""
    here = select(tables.comparison.c.id).where(tables.comparison.c.project_id == project_id)
    out = (_item.comparison_id.in_(here), _item.state == ItemState.OUT)
    lease = tables.lease.c
    in_hand = (lease.kind == leases.LeaseKind.PAIR, lease.id.in_(here), leases.lives(unit.at))
    return there_is(unit, *out) or there_is(unit, *in_hand)


def _cancel(unit: Unit, comparison_ids: Sequence[str]) -> None:
    over = _item.batch_id.in_(select(_batch.id).where(_batch.state == BatchState.CANCELLED))
    these = (_item.comparison_id.in_(comparison_ids), _item.state.in_(OPEN), over)
    unit.update(tables.batch_item, *these, state=ItemState.CANCELLED)


def withdraw(unit: Unit, run_ids: Collection[str]) -> tuple[str, ...]:
    """Cancel what is to be read, or read again, of these superseded runs' pairs; the ids of the batches it was in.

    Left as they are: pairs of which somebody has begun a review, and what a worker has in hand or is just taking.
    """
    query = (
        select(_item.batch_id, _item.comparison_id)
        .where(
            _item.comparison_id.in_(fact.of_runs(unit, run_ids)),
            _item.state.in_([ItemState.WAITING, ItemState.FAILED]),
            exists().where(_fact.comparison_id == _item.comparison_id, fact.UNREAD),
            ~LEASED,
        )
        .with_for_update(of=tables.batch_item, skip_locked=True)
    )
    theirs: defaultdict[str, list[str]] = defaultdict(list)
    for row in unit.execute(query):
        theirs[row.batch_id].append(row.comparison_id)
    # What has failed ended then: what is paid for it later is not this batch's.
    ended = case((_item.state == ItemState.FAILED, _item.touched_at), else_=unit.at)
    for batch_id, comparison_ids in theirs.items():
        these = (_item.batch_id == batch_id, _item.comparison_id.in_(among(unit, comparison_ids)))
        unit.update(tables.batch_item, *these, state=ItemState.CANCELLED, touched_at=ended)
    return tuple(theirs)


def _free(columns: Sequence[Any], batch_id: str, *, at: datetime) -> Select[Any]:
    """These columns of what can be begun of a batch, in its order."""
    elsewhere = exists().where(
        _lease.kind == leases.LeaseKind.PAIR, _lease.id == _item.comparison_id, leases.lives(at)
    )
    # The judge is given what is seen of Office files, a reviewer need not wait for it.
    without_pages = exists().where(
        tables.office_pages.c.comparison_id == _item.comparison_id, office_pages.WAITS
    )
    return (
        select(*columns)
        .select_from(tables.batch_item)
        .where(
            _item.batch_id == batch_id,
            _item.state == ItemState.WAITING,
            ~elsewhere,
            ~without_pages,
        )
        .order_by(_item.position)
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
    of_batch = [_batch.judge, _batch.single, _batch.panel]
    labels = [_batch[name].label(f"batch_{name}") for name in ("state", "problem")]
    query = (
        select(_item.batch_id, _item.state, _item.problem, _item.touched_at, *of_batch, *labels)
        .select_from(ITEMS)
        .where(_item.comparison_id == comparison_id, _batch.trial.is_(None))
        # What is still to be read in a batch of many says nothing of how the last reading ended.
        .order_by(and_(_item.state.in_(OPEN), _batch.single.is_(None)), _item.touched_at.desc())
        .limit(1)
    )
    return maybe(connection, query, LastBatch)


def waiting_singles(connection: Connection, comparison_id: str) -> dict[str, BatchState]:
    """The batches of this pair alone that wait or are being read: one, or one for each of several judges."""
    query = (
        select(_batch.id, _batch.state)
        .select_from(ITEMS)
        .where(
            _item.comparison_id == comparison_id, _item.state == ItemState.WAITING, _batch.single == true()
        )
        .order_by(_batch.created_at, _batch.id)
    )
    return {id: BatchState(state) for id, state in connection.execute(query)}
