"""What a person has yet to score before seeing what the judge said of it."""

from collections.abc import Collection

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.sql import Connection, among
from comparator.store.facts.fact import REVEALED
from comparator.store.people import projects

_fact = tables.fact.c


def still_covered(connection: Connection, comparison_ids: Collection[str], person_id: str) -> frozenset[str]:
    """Those of the comparisons that this person has yet to score before seeing what the judge said of them."""
    these = _fact.comparison_id.in_(among(connection, comparison_ids))
    query = sa.select(_fact.comparison_id).where(these, covered(connection, person_id))
    return frozenset(connection.execute(query).scalars())


def covered(connection: Connection, person_id: str) -> sa.ColumnElement[bool]:
    """Of a row of `fact`: this person has yet to score the comparison before seeing what the judge said of it."""
    blind = [
        project.id
        for project in projects.all_projects(connection)
        if project.settings.mode.blind and project.closed_at is None
    ]
    if not blind:
        return sa.false()
    review, finalisation, note = tables.review.c, tables.finalisation.c, tables.note.c
    # Whoever reopened a final review has seen what the judge said.
    finished = sa.exists().where(
        review.comparison_id == _fact.comparison_id,
        review.person_id == person_id,
        finalisation.review_id == review.id,
        finalisation.kind == "final",
    )
    committed = sa.exists().where(
        note.comparison_id == _fact.comparison_id,
        note.person_id == person_id,
        note.kind == "committed",
    )
    answered = sa.or_(*(act.correlate(tables.fact) for act in (finished, committed)))
    # Wrapped in a call, the project is no reason for the database to begin with an index of all pairs.
    return sa.and_(sa.func.coalesce(_fact.project_id, "").in_(blind), ~answered, ~REVEALED)
