"""Who reviewed how many of the counted pairs."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.keeping import current
from comparator.reporting.tally.scope import ResultFilter, counted, require_revealed
from comparator.store import tables
from comparator.store.core.database import Database


class ReviewedBy(Frozen):
    """A person, and how many of the counted pairs they have a final review of."""

    name: str
    pairs: int


def reviewed_by(database: Database, asked: ResultFilter) -> tuple[ReviewedBy, ...]:
    """Everybody with a final review of a counted pair, the busiest first. Raises BlindnessError."""
    pairs, review, person = counted(asked), tables.review.c, tables.person.c
    finalisation, later = tables.finalisation.c, tables.finalisation.alias("later")
    newest = ~sa.exists().where(later.c.review_id == finalisation.review_id, later.c.seq > finalisation.seq)
    query = (
        sa.select(person.id, person.name, sa.func.count(sa.distinct(review.comparison_id)).label("n"))
        .select_from(pairs)
        .join(tables.review, review.comparison_id == pairs.c.comparison_id)
        .join(tables.finalisation, finalisation.review_id == review.id)
        .join(tables.person, person.id == review.person_id)
        .where(finalisation.kind == "final", newest)
        .group_by(person.id, person.name)
    )
    with current(database) as connection:
        require_revealed(connection, asked)
        rows = connection.execute(query).all()
    found = [ReviewedBy(name=row.name, pairs=int(row.n)) for row in rows]
    return tuple(sorted(found, key=lambda each: (-each.pairs, each.name)))
