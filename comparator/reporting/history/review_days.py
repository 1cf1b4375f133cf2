"""How many reviews each day brought, and who won in them: as A and B, which says nothing of the candidates."""

from __future__ import annotations

from collections import defaultdict

import sqlalchemy as sa

from comparator.domain.labels import Frozen, Winner
from comparator.reporting.history.conditions import HistoryFilter, fitting
from comparator.store import tables
from comparator.store.core.database import Database


class ReviewDay(Frozen):
    """A day in UTC, as 2026-03-09, with its final reviews by the winner that they name."""

    day: str
    a: int
    ties: int
    b: int


def review_days(database: Database, asked: HistoryFilter, *, most: int = 14) -> tuple[ReviewDay, ...]:
    """The last days with final reviews of the filtered comparisons of `asked.project_id`, oldest first."""
    final, review, fact = tables.finalisation.c, tables.review.c, tables.fact.c
    day = sa.func.date(final.at).label("day")
    query = (
        sa.select(day, final.winner, sa.func.count())
        .select_from(tables.finalisation)
        .join(tables.review, review.id == final.review_id)
        .join(tables.fact, fact.comparison_id == review.comparison_id)
        .where(final.kind == "final", final.winner.is_not(None), fact.project_id == asked.project_id)
        .group_by(day, final.winner)
    )
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    with database.read() as connection:
        only = fitting(connection, asked)
        if only is not None:
            query = query.where(review.comparison_id.in_(only))
        for when, winner, count in connection.execute(query):
            found[str(when)][winner] = count
    return tuple(
        ReviewDay(
            day=each,
            a=found[each].get(Winner.A.value, 0),
            ties=found[each].get(Winner.TIE.value, 0),
            b=found[each].get(Winner.B.value, 0),
        )
        for each in sorted(found)[-most:]
    )
