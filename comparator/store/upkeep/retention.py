"""Which outputs a project need not keep any more."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.rollup.rollup import Status

SETTLED = (Status.FINALISED.value, Status.SUPERSEDED.value)
"""Comparisons that wait for nobody."""


def expired(connection: sa.Connection, project_id: str, *, before: datetime) -> tuple[str, ...]:
    """Ids of the snapshots from before that moment of which every comparison is settled and from before, too."""
    s, source, c, r = tables.snapshot.c, tables.view_source.c, tables.comparison.c, tables.rollup.c
    using = (
        sa.select(c.id, r.status, r.created_at)
        .join_from(
            tables.view_source,
            tables.comparison,
            sa.or_(c.view_a == source.view_id, c.view_b == source.view_id),
        )
        .join(tables.rollup, r.comparison_id == c.id)
        .where(source.snapshot_id == s.id)
    )
    waiting = using.where(sa.or_(r.status.not_in(SETTLED), r.created_at >= before))
    query = (
        sa.select(s.id)
        .where(s.project_id == project_id, s.purged_at.is_(None), s.created_at < before)
        .where(using.correlate(tables.snapshot).exists(), ~waiting.correlate(tables.snapshot).exists())
        .order_by(s.id)
    )
    return tuple(connection.execute(query).scalars())
