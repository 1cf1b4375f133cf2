"""What a batch has cost, and how long its pairs take."""

from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise, takewhile

from sqlalchemy import func, or_, select, union

from comparator.store import tables
from comparator.store.bulk.batches import OPEN, Batch, ItemState
from comparator.store.core.sql import Connection, scalars

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


def cost(connection: Connection, batch: Batch) -> Decimal | None:
    """What all tries for the batch have cost so far, in US dollars; None where nothing has a known price.

    A try at a pair is for the batch until the pair ended in it: later ones are others'.
    """
    ours = (
        _item.batch_id == batch.id,
        _attempt.at >= batch.created_at,
        or_(_item.state.in_(OPEN), _attempt.at <= _item.touched_at),
    )
    readings = (
        select(_attempt.id, _attempt.cost)
        .where(*ours)
        .join_from(tables.batch_item, tables.judgment, _judgment.comparison_id == _item.comparison_id)
        .join(tables.attempt, _attempt.judgment_id == _judgment.id)
    )
    rubrics = (
        select(_attempt.id, _attempt.cost)
        .where(*ours)
        .join_from(tables.batch_item, tables.comparison, _comparison.id == _item.comparison_id)
        .join(tables.attempt, _attempt.task_version_id == _comparison.task_version_id)
    )
    # Each try once, although many pairs may be of one task.
    tries = union(readings, rubrics).subquery().c
    total: Decimal | None = connection.execute(select(func.sum(tries.cost))).scalar()
    return total


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
