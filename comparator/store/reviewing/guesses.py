"""What reviewers answered when they were asked, before the reveal, which candidate made which output."""

from __future__ import annotations

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_new, maybe, several
from comparator.store.core.unit import Unit


class Guess(Frozen):
    """One answer: the neutral number of the candidate that is taken for A's, and how sure (1 to 3); None: no idea."""

    id: str
    comparison_id: str
    person_id: str
    candidate_a: int | None
    sure: int | None
    at: AwareDatetime


_guess = tables.guess.c


def add(unit: Unit, comparison_id: str, *, person_id: str, candidate_a: int | None, sure: int | None) -> bool:
    """Store a person's guess; False where they gave one before, which stays."""
    return insert_new(
        unit.connection,
        tables.guess,
        {
            "id": unit.new_id(),
            "comparison_id": comparison_id,
            "person_id": person_id,
            "candidate_a": candidate_a,
            "sure": sure,
            "at": unit.at,
        },
    )


def find(connection: sa.Connection, comparison_id: str, *, person_id: str) -> Guess | None:
    """The person's guess on a comparison, if they gave one."""
    query = sa.select(tables.guess).where(
        _guess.comparison_id == comparison_id, _guess.person_id == person_id
    )
    return maybe(connection, query, Guess)


def of_comparison(connection: sa.Connection, comparison_id: str) -> tuple[Guess, ...]:
    """All guesses on a comparison, oldest first."""
    query = (
        sa.select(tables.guess).where(_guess.comparison_id == comparison_id).order_by(_guess.at, _guess.id)
    )
    return several(connection, query, Guess)
