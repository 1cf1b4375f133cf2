"""How long people worked on their reviews: the time between one act and the next, long pauses cut."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.database import Connection

PAUSE = timedelta(minutes=5)
"""A longer gap between two acts counts as this much: who went to lunch did not review."""

_review, _change, _finalisation = tables.review.c, tables.change.c, tables.finalisation.c


def worked(times: Sequence[datetime]) -> float:
    """Seconds between the acts at these times, none of them longer than a pause."""
    gaps = (after - before for before, after in pairwise(times))
    return sum(min(max(gap, timedelta(0)), PAUSE).total_seconds() for gap in gaps)


def minutes_of(connection: Connection, reviews: sa.Select[tuple[str]]) -> Mapping[str, float]:
    """Minutes from opening each of these reviews to finalising it first, by the review's id, the latest first.

    What counts as an act is opening, each change and finalising. Reviews that were never final are left out.
    """
    first = sa.and_(
        _finalisation.review_id.in_(reviews), _finalisation.kind == "final", _finalisation.number == 1
    )
    query = sa.select(_review.id, _review.opened_at, _finalisation.at).join(
        tables.finalisation, _finalisation.review_id == _review.id
    )
    rows = connection.execute(query.where(first).order_by(_finalisation.at.desc(), _review.id)).all()
    covered = sa.and_(_finalisation.review_id == _change.review_id, _change.seq <= _finalisation.last_change)
    made = sa.select(_change.review_id, _change.at).join(tables.finalisation, covered)
    changed: dict[str, list[datetime]] = defaultdict(list)
    for change in connection.execute(made.where(first).order_by(_change.review_id, _change.seq)):
        changed[change.review_id].append(change.at)
    return {row.id: worked((row.opened_at, *changed[row.id], row.at)) / 60 for row in rows}
