"""What the database says about the running of the app: what waits, who works, how judging goes, what it has cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.bulk import leases
from comparator.store.core.database import Database
from comparator.store.facts import fact
from comparator.store.facts.fact import Status
from comparator.store.judging import budgets

RECENT = timedelta(hours=1)

_attempt = tables.attempt.c


class Operation(Frozen):
    """Numbers of this moment; readings are those of the last hour, times in seconds, the cost in US dollars."""

    comparisons: Mapping[str, int]
    """How many stand at each status."""
    workers: int
    readings: int
    readings_failed: int
    reading_seconds: float
    """Of all readings of the last hour together."""
    cost: float
    """Of everything that was ever read in this database."""


def operation(database: Database, *, at: datetime) -> Operation:
    """The numbers, read at one moment. Raises StoreError."""
    with database.snapshot() as connection:
        by_status: Counter[str] = Counter()
        for line in fact.counted(connection):
            by_status[line.status] += line.number
        read = connection.execute(
            sa.select(
                sa.func.count(),
                sa.func.count().filter(sa.not_(_attempt.succeeded)),
                sa.func.coalesce(sa.func.sum(_attempt.seconds), 0.0),
            ).where(_attempt.at > at - RECENT, _attempt.judgment_id.is_not(None))
        ).one()
        return Operation(
            comparisons={status.value: by_status[status.value] for status in Status},
            workers=sum(leases.is_alive(each.beat_at, at=at) for each in leases.entered(connection)),
            readings=read[0],
            readings_failed=read[1],
            reading_seconds=read[2],
            cost=float(budgets.spent(connection)),
        )
