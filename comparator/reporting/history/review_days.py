"""How many reviews each day brought, and who won in them: as A and B, which says nothing of the candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

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


def activity(database: Database, among: Collection[str]) -> tuple[tuple[str, int, int], ...]:
    """Each day (UTC) on which these projects got comparisons or final reviews, with the number of both."""
    final, review, fact = tables.finalisation.c, tables.review.c, tables.fact.c
    created, finalised = sa.func.date(fact.created_at), sa.func.date(final.at)
    mine = fact.project_id.in_(sorted(among))
    compared = sa.select(created, sa.func.count()).where(mine).group_by(created)
    reviewed = (
        sa.select(finalised, sa.func.count())
        .select_from(tables.finalisation)
        .join(tables.review, review.id == final.review_id)
        .join(tables.fact, fact.comparison_id == review.comparison_id)
        .where(final.kind == "final", mine)
        .group_by(finalised)
    )
    with database.read() as connection:
        pairs, reviews = (
            {str(day): int(number) for day, number in connection.execute(query)}
            for query in (compared, reviewed)
        )
    return tuple((day, pairs.get(day, 0), reviews.get(day, 0)) for day in sorted({*pairs, *reviews}))
