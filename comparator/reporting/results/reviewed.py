"""Who reviewed how many of the counted pairs, and how many unrevealed pairs have no review."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.part_conditions import final_reviews
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import ResultFilter, counted, require_revealed
from comparator.store import tables
from comparator.store.core.database import Database


class ReviewedBy(Frozen):
    """A person, and how many of the counted pairs they have a final review of."""

    id: str
    name: str
    pairs: int


def reviewed_by(database: Database, asked: ResultFilter) -> tuple[ReviewedBy, ...]:
    """Everybody with a final review of a counted pair, the busiest first. Raises BlindnessError."""
    pairs, final, person = counted(asked), final_reviews().subquery(), tables.person.c
    query = (
        sa.select(person.id, person.name, sa.func.count(sa.distinct(final.c.comparison_id)).label("n"))
        .select_from(pairs)
        .join(final, final.c.comparison_id == pairs.c.comparison_id)
        .join(tables.person, person.id == final.c.person_id)
        .group_by(person.id, person.name)
    )
    with current(database) as connection:
        require_revealed(connection, asked)
        rows = connection.execute(query).all()
    found = [ReviewedBy(id=row.id, name=row.name, pairs=int(row.n)) for row in rows]
    return tuple(sorted(found, key=lambda each: (-each.pairs, each.name)))


def not_reviewed(database: Database, project_id: str, sets: Iterable[tuple[str, str]]) -> int:
    """How many unrevealed pairs of these sets of two candidates (their ids) have no final review."""
    outcome, final = tables.outcome.c, final_reviews().subquery()
    query = sa.select(sa.func.count()).where(
        outcome.project_id == project_id,
        sa.tuple_(outcome.one, outcome.two).in_([tuple(sorted(each)) for each in sets]),
        outcome.revealed == sa.false(),
        outcome.comparison_id.not_in(sa.select(final.c.comparison_id)),
    )
    with current(database) as connection:
        return int(connection.execute(query).scalar_one())
