"""Reads what people said of many comparisons at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from comparator.domain.scoring.verdict import Verdict
from comparator.reporting.tally.facts import LastChange, Reviewed
from comparator.store import tables
from comparator.store.judging import rubrics


def read_reviews(connection: sa.Connection, ids: Sequence[str]) -> dict[str, list[Reviewed]]:
    """People's reviews by comparison, in the order in which they were opened."""
    r, f, c = tables.review.c, tables.finalisation.c, tables.change.c
    newest = (
        sa.select(f.review_id, sa.func.max(f.seq).label("seq"))
        .join_from(tables.finalisation, tables.review, r.id == f.review_id)
        .where(r.comparison_id.in_(ids))
        .group_by(f.review_id)
        .subquery()
    )
    rows = connection.execute(
        sa.select(tables.review, f.kind, f.winner, f.verdict, f.last_change, f.unblinded, f.at)
        .select_from(
            tables.review.outerjoin(newest, newest.c.review_id == r.id).outerjoin(
                tables.finalisation, sa.and_(f.review_id == r.id, f.seq == newest.c.seq)
            )
        )
        .where(r.comparison_id.in_(ids))
        .order_by(r.opened_at, r.id)
    ).all()
    rubric_of = rubrics.many(connection, {row.rubric_id for row in rows if row.rubric_id is not None})
    changes: dict[str, list[Any]] = defaultdict(list)
    query = sa.select(c.review_id, c.seq, c.target, c.kind, c.code, c.blind, c.value, c.at).where(
        c.review_id.in_([row.id for row in rows])
    )
    for change in connection.execute(query.order_by(c.review_id, c.seq)):
        changes[change.review_id].append(change)
    found: dict[str, list[Reviewed]] = defaultdict(list)
    for row in rows:
        covered = [each for each in changes[row.id] if each.seq <= (row.last_change or 0)]
        last = {each.target: _last_change(each) for each in covered}
        blind = {each.target: _last_change(each) for each in covered if each.blind}
        found[row.comparison_id].append(
            Reviewed(
                person_id=row.person_id,
                mode=row.mode,
                knows=bool(row.knows),
                act=row.kind,
                unblinded=bool(row.unblinded),
                winner=row.winner,
                verdict=Verdict.model_validate(row.verdict) if row.kind == "final" else None,
                rubric=rubric_of.get(row.rubric_id),
                changes=tuple(last.values()),
                blind_changes=tuple(blind.values()),
                times=(row.opened_at, *(each.at for each in covered), row.at) if row.at else (),
            )
        )
    return found


def _last_change(change: Any) -> LastChange:
    return LastChange(change.target, change.kind, change.code, bool(change.blind), change.value)
