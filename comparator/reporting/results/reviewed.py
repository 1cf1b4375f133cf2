"""Who reviewed how many of the counted pairs, and how many unrevealed pairs have no review."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.scope import ResultFilter
from comparator.store import tables
from comparator.store.core.database import Database


class ReviewedBy(Frozen):
    """A person, and how many of the counted pairs they have a final review of."""

    id: str
    name: str
    pairs: int


def reviewed_by(database: Database, asked: ResultFilter) -> tuple[ReviewedBy, ...]:
    """Everybody with a final review of a counted pair, the busiest first. Raises BlindnessError."""
    person = tables.person.c
    with facts_of(database, asked.project_id) as facts:
        pairs, reviews = facts.counted(asked), facts.reviews
        own = reviews[reviews.comparison_id.isin(pairs.index)].groupby("person").comparison_id.nunique()
        query = sa.select(person.id, person.name).where(person.id.in_(own.index.to_list()))
        found = [
            ReviewedBy(id=row.id, name=row.name, pairs=int(own[row.id]))
            for row in facts.connection.execute(query)
        ]
    return tuple(sorted(found, key=lambda each: (-each.pairs, each.name)))


def not_reviewed(database: Database, project_id: str, sets: Iterable[tuple[str, str]]) -> int:
    """How many unrevealed pairs of these sets of two candidates (their ids) have no final review."""
    with facts_of(database, project_id) as facts:
        pairs = facts.pairs
    theirs = pairs.both.isin([" ".join(sorted(each)) for each in sets])
    return int((theirs & ~pairs.revealed & (pairs.final_reviews == 0)).sum())
