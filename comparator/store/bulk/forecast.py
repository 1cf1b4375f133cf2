"""What a batch has cost, what it will cost, and how long its pairs take."""

from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from sqlalchemy import Float, Select, and_, cast, distinct, exists, func, or_, select, type_coerce

from comparator.domain.labels import Order
from comparator.store import tables
from comparator.store.bulk.batches import OPEN, Batch, BatchState, ItemState
from comparator.store.core.sql import Connection, number, scalars
from comparator.store.tables.base import MONEY_PLACES

PACED = 60
"""So many pairs that ended last tell how long one takes."""
FEWEST = 3
"""From fewer pairs nothing is said of what the others will cost, or how long they will take."""
PAUSED = timedelta(minutes=10)
"""So long without a pair that ends, and the batch has stood still."""
GOES_ON = ("batch_started", "batch_resumed", "batch_retried")
"""Kinds of events from which on a batch runs."""

_item, _judgment, _attempt, _comparison, _event = (
    tables.batch_item.c,
    tables.judgment.c,
    tables.attempt.c,
    tables.comparison.c,
    tables.event.c,
)


class Cost(NamedTuple):
    """What a batch costs, in US dollars; None where nothing has a known price."""

    so_far: Decimal | None
    at_the_end: tuple[Decimal, Decimal] | None = None
    """From how much to how much, once every pair is read; None where nothing is left, or too few pairs tell."""


def cost(connection: Connection, batch: Batch) -> Cost:
    """What all tries for the batch have cost so far, and will have cost at the end.

    A try at a pair is for the batch until the pair ended in it: later ones are others'. Pairs left cost what the read
    ones did, within two standard errors of their sum, and a rubric is written once a task. Readings of pairs in hand
    are kept at the least; at the most they are made again, as by a new version of the judge.
    """
    ours = (
        _item.batch_id == batch.id,
        _attempt.at >= batch.created_at,
        or_(_item.state.in_(OPEN), _attempt.at <= _item.touched_at),
    )
    readings = (
        select(func.sum(_attempt.cost).label("cost"))
        .where(*ours)
        .join_from(tables.batch_item, tables.judgment, _judgment.comparison_id == _item.comparison_id)
        .join(tables.attempt, _attempt.judgment_id == _judgment.id)
        .group_by(_item.comparison_id, _item.state)
    )
    # Each try once, although many pairs may be of one task.
    tries = (
        select(_attempt.id, _attempt.cost, _comparison.task_version_id)
        .where(*ours)
        .distinct()
        .join_from(tables.batch_item, tables.comparison, _comparison.id == _item.comparison_id)
        .join(tables.attempt, _attempt.task_version_id == _comparison.task_version_id)
        .subquery()
        .c
    )
    rubrics = select(func.sum(tries.cost).label("cost")).group_by(tries.task_version_id)
    reading, writing = _paid(connection, readings), _paid(connection, rubrics)
    known = [paid.total for paid in (reading, writing) if paid.total is not None]
    so_far = sum(known, Decimal(0)) if known else None
    if so_far is None or batch.state not in (BatchState.RUNNING, BatchState.PAUSED):
        return Cost(so_far)
    in_both_orders = func.count(distinct(_judgment.order)) == len(Order)
    read = _paid(connection, readings.having(or_(_item.state.not_in(OPEN), in_both_orders)))
    if read.total is None or read.ones < FEWEST:
        return Cost(so_far)
    open_items = and_(_item.batch_id == batch.id, _item.state.in_(OPEN))
    left = number(connection, tables.batch_item, open_items)
    written = exists().where(tables.rubric.c.task_version_id == _comparison.task_version_id)
    unwritten = select(func.count(distinct(_comparison.task_version_id))).where(
        open_items, _comparison.id == _item.comparison_id, ~written
    )
    more_rubrics = (writing.total or Decimal(0)) / max(writing.ones, 1) * scalars(connection, unwritten)[0]
    in_hand = _paid(connection, readings.where(_item.state.in_(OPEN))).total or Decimal(0)
    about = read.total / read.ones * left
    give = 2 * (read.variance * left * (left + read.ones) / read.ones).sqrt()
    least, most = max(about - in_hand - give, Decimal(0)), about + give
    return Cost(so_far, (so_far + more_rubrics + least, so_far + more_rubrics + most))


class _Paid(NamedTuple):
    """What tries cost, of how many pairs or tasks they are, and how much what one of these cost varies."""

    total: Decimal | None
    ones: int
    variance: Decimal


def _paid(connection: Connection, each_cost: Select[Any]) -> _Paid:
    """Of what each pair or task cost."""
    columns = each_cost.subquery().c
    units = cast(columns.cost, Float)
    query = select(
        type_coerce(func.sum(columns.cost), _attempt.cost.type),
        func.count(),
        func.avg(units),
        func.avg(units * units),
    )
    total, ones, mean, of_squares = connection.execute(query).one()
    variance = Decimal(max((of_squares or 0) - (mean or 0) ** 2, 0)).scaleb(-2 * MONEY_PLACES)
    return _Paid(total, ones, variance * ones / max(ones - 1, 1))


def pace(connection: Connection, batch_id: str, *, now: datetime) -> float | None:
    """Seconds that passed for one comparison, by the last ones that ended; None while fewer than three have since the
    batch was started or resumed, or stood still.
    """
    begun = (_event.subject_id == batch_id, _event.kind.in_(GOES_ON))
    since = scalars(connection, select(_event.at).where(*begun).order_by(_event.at.desc()).limit(1))
    ended = [_item.batch_id == batch_id, _item.state.in_((ItemState.DONE, ItemState.FAILED))]
    query = select(_item.touched_at).where(*ended, *(_item.touched_at > at for at in since))
    times = scalars(connection, query.order_by(_item.touched_at.desc()).limit(PACED))
    # To the present: while nothing ends, a pair takes longer.
    gaps = [later - earlier for later, earlier in pairwise((now, *times, *since))]
    under_way = list(takewhile(lambda gap: gap < PAUSED, gaps))
    pairs = len(under_way) - 1
    return sum(under_way, timedelta()).total_seconds() / pairs if pairs >= FEWEST else None
