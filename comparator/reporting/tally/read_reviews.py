"""Reads what people said of many comparisons at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.verdict import Verdict
from comparator.reporting.tally.facts import LastChange, Reviewed
from comparator.store import tables
from comparator.store.judging import rubrics


def read_reviews(connection: sa.Connection, ids: Sequence[str]) -> dict[str, list[Reviewed]]:
    """People's reviews by comparison, in the order in which they were opened."""
    review, finalisation, change = tables.review.c, tables.finalisation.c, tables.change.c
    newest = (
        sa.select(finalisation.review_id, sa.func.max(finalisation.seq).label("seq"))
        .join_from(tables.finalisation, tables.review, review.id == finalisation.review_id)
        .where(review.comparison_id.in_(ids))
        .group_by(finalisation.review_id)
        .subquery()
    )
    rows = connection.execute(
        sa.select(
            tables.review,
            finalisation.kind,
            finalisation.winner,
            finalisation.verdict,
            finalisation.last_change,
            finalisation.unblinded,
            finalisation.at,
        )
        .select_from(
            tables.review.outerjoin(newest, newest.c.review_id == review.id).outerjoin(
                tables.finalisation,
                sa.and_(finalisation.review_id == review.id, finalisation.seq == newest.c.seq),
            )
        )
        .where(review.comparison_id.in_(ids))
        .order_by(review.opened_at, review.id)
    ).all()
    rubric_of = rubrics.many(connection, {row.rubric_id for row in rows if row.rubric_id is not None})
    changes: dict[str, list[Any]] = defaultdict(list)
    query = sa.select(
        change.review_id,
        change.seq,
        change.target,
        change.kind,
        change.code,
        change.blind,
        change.value,
        change.at,
    ).where(change.review_id.in_([row.id for row in rows]))
    for each in connection.execute(query.order_by(change.review_id, change.seq)):
        changes[each.review_id].append(each)
    found: dict[str, list[Reviewed]] = defaultdict(list)
    for row in rows:
        covered = [each for each in changes[row.id] if each.seq <= (row.last_change or 0)]
        last = {each.target: _last_change(each) for each in covered}
        blind = {each.target: _last_change(each) for each in covered if each.blind}
        found[row.comparison_id].append(
            Reviewed(
                person_id=row.person_id,
                mode=row.mode,
                blindness=Blindness.KNOWN if row.unblinded else Blindness(row.blindness),
                last_event=row.kind,
                winner=row.winner,
                verdict=Verdict.model_validate(row.verdict) if row.kind == "final" else None,
                rubric=rubric_of.get(row.rubric_id),
                rubric_id=row.rubric_id,
                changes=tuple(last.values()),
                blind_changes=tuple(blind.values()),
                times=(row.opened_at, *(each.at for each in covered), row.at) if row.at else (),
            )
        )
    return found


def _last_change(change: Any) -> LastChange:
    return LastChange(change.target, change.kind, change.code, bool(change.blind), change.value)
