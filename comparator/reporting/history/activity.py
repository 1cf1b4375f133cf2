"""What happened by day, and how far apart scores are: counts that name no candidate."""

from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd
import sqlalchemy as sa

from comparator.reporting.frames import Frame
from comparator.reporting.history.conditions import HistoryFilter, fitting
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.reviewing.covered import covered

LATEST = 60
"""Days that the activity of projects goes back."""


def review_days(database: Database, history_filter: HistoryFilter) -> Frame:
    """The last 14 days in UTC with final reviews of the filtered comparisons of a project, oldest first: how many named
    A, neither and B. What the reader has yet to score before seeing what the judge said is left out."""
    final, fact = tables.finalisation.c, tables.fact.c
    query = _finals(sa.func.date(final.at), final.winner).where(
        final.winner.is_not(None), fact.project_id == history_filter.project_id
    )
    with database.read() as connection:
        counts = connection.execute(_open_to_reader(connection, query, history_filter))
        rows = [(str(when), winner, count) for when, winner, count in counts]
    return _by_side(rows, "day").tail(14)


def _finals(*columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """How many final reviews there are, with the facts of their pairs, by these columns."""
    final, review = tables.finalisation.c, tables.review.c
    return (
        sa.select(*columns, sa.func.count())
        .select_from(tables.finalisation)
        .join(tables.review, review.id == final.review_id)
        .join(tables.fact, tables.fact.c.comparison_id == review.comparison_id)
        .where(final.kind == "final")
        .group_by(*columns)
    )


def score_leads(database: Database, history_filter: HistoryFilter) -> Frame:
    """The filtered comparisons of a project with scores, by the whole points between their overall scores: in how many
    A leads, neither and B. What the reader has yet to score before seeing what the judge said is left out."""
    fact = tables.fact.c
    query = sa.select(fact.overall_a, fact.overall_b, sa.func.count()).where(
        fact.project_id == history_filter.project_id, fact.winner.is_not(None), fact.overall_a.is_not(None)
    )
    with database.read() as connection:
        query = _open_to_reader(connection, query, history_filter)
        rows = connection.execute(query.group_by(fact.overall_a, fact.overall_b)).all()
    ahead = [(int(abs(a - b)), "A" if a > b else "B" if b > a else "TIE", count) for a, b, count in rows]
    leads = _by_side(ahead, "points")
    return leads.reindex(range(leads.index.max() + 1), fill_value=0) if len(leads) else leads


def _open_to_reader(
    connection: Connection, query: sa.Select[Any], history_filter: HistoryFilter
) -> sa.Select[Any]:
    """The query of facts, without what does not fit or the reader has yet to score before seeing more."""
    fits = fitting(connection, history_filter)
    if fits is not None:
        query = query.where(tables.fact.c.comparison_id.in_(fits))
    return query.where(~covered(connection, history_filter.reader)) if history_filter.reader else query


def _by_side(rows: Sequence[tuple[object, str, int]], of: str) -> Frame:
    """How many name A, neither and B, for each value of the first column, in its order."""
    frame = pd.DataFrame(rows, columns=[of, "winner", "number"])
    counts = frame.pivot_table(index=of, columns="winner", values="number", aggfunc="sum")
    return counts.reindex(columns=["A", "TIE", "B"]).fillna(0).astype(int).sort_index()


def activity(database: Database, among: Collection[str]) -> Frame:
    """The latest days (UTC) on which these projects got something, with their new comparisons and final reviews."""
    fact = tables.fact.c
    created, mine = sa.func.date(fact.created_at), fact.project_id.in_(sorted(among))
    queries = {
        "Reviews": _finals(sa.func.date(tables.finalisation.c.at)).where(mine),
        "Comparisons": sa.select(created, sa.func.count()).where(mine).group_by(created),
    }
    with database.read() as connection:
        days: Frame = pd.DataFrame(
            {
                name: pd.Series({str(day): number for day, number in connection.execute(query)}, dtype=float)
                for name, query in queries.items()
            }
        )
    return days.sort_index().fillna(0).astype(int).tail(LATEST)
