"""Which outputs a project need not keep any more."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.facts.fact import Status

SETTLED = (Status.FINALISED.value, Status.SUPERSEDED.value)
"""Comparisons that wait for nobody."""


def expired(connection: sa.Connection, project_id: str, *, before: datetime) -> tuple[str, ...]:
    """Ids of the snapshots from before that moment of which every comparison is settled and from before, too."""
    snapshot, source, comparison, fact = (
        tables.snapshot.c,
        tables.view_source.c,
        tables.comparison.c,
        tables.fact.c,
    )
    using = (
        sa.select(comparison.id, fact.status, fact.created_at)
        .join_from(
            tables.view_source,
            tables.comparison,
            sa.or_(comparison.view_a == source.view_id, comparison.view_b == source.view_id),
        )
        .join(tables.fact, fact.comparison_id == comparison.id)
        .where(source.snapshot_id == snapshot.id)
    )
    waiting = using.where(sa.or_(fact.status.not_in(SETTLED), fact.created_at >= before))
    query = (
        sa.select(snapshot.id)
        .where(snapshot.project_id == project_id, snapshot.purged_at.is_(None), snapshot.created_at < before)
        .where(using.correlate(tables.snapshot).exists(), ~waiting.correlate(tables.snapshot).exists())
        .order_by(snapshot.id)
    )
    return tuple(connection.execute(query).scalars())
