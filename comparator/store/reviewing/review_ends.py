"""The reviews of a project by how they ended, or that they are still open."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.sql import several
from comparator.store.reviewing.reviews import Review

_review, _change, _finalisation = tables.review.c, tables.change.c, tables.finalisation.c


def closed_out(connection: sa.Connection, project_id: str) -> tuple[Review, ...]:
    """The reviews of a project that were ended without a verdict, oldest first."""
    later, p = tables.finalisation.alias("later"), tables.comparison.c
    newest = ~sa.exists().where(later.c.review_id == _finalisation.review_id, later.c.seq > _finalisation.seq)
    ended = sa.exists().where(_finalisation.review_id == _review.id, _finalisation.kind == "closed", newest)
    query = sa.select(tables.review).join(tables.comparison, p.id == _review.comparison_id)
    query = query.where(p.project_id == project_id, ended).order_by(_review.opened_at, _review.id)
    return several(connection, query, Review)


def open_ones(connection: sa.Connection, project_id: str) -> tuple[Review, ...]:
    """The reviews of a project in which something was changed and that are not finalised, oldest first."""
    later, p = tables.finalisation.alias("later"), tables.comparison.c
    newest = ~sa.exists().where(later.c.review_id == _finalisation.review_id, later.c.seq > _finalisation.seq)
    ended = sa.exists().where(
        _finalisation.review_id == _review.id, _finalisation.kind.in_(("final", "closed")), newest
    )
    reopened = sa.exists().where(
        _finalisation.review_id == _review.id, _finalisation.kind == "reopened", newest
    )
    begun = sa.exists().where(_change.review_id == _review.id)
    query = (
        sa.select(tables.review)
        .join(tables.comparison, p.id == _review.comparison_id)
        .where(p.project_id == project_id, ~ended, sa.or_(begun, reopened))
    )
    return several(connection, query.order_by(_review.opened_at, _review.id), Review)
