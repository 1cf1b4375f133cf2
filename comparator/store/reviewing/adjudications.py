"""Rulings on pairs whose reviewers disagree; only ever added, the newest holds."""

from __future__ import annotations

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen, Winner
from comparator.domain.scoring.judgment import Prose
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.verdict import DecidedBy, Verdict
from comparator.store import tables
from comparator.store.core.sql import insert_one, lock, several
from comparator.store.core.unit import Unit
from comparator.store.facts import fact


class Adjudication(Frozen):
    """One ruling, with its reason and everything that it settled."""

    id: str
    number: int
    person_id: str
    winner: Winner
    decided_by: DecidedBy
    verdict: Verdict
    prose: Prose
    reason: str
    blindness: Blindness
    """Of whoever made it; nobody is blind after the reveal."""
    at: AwareDatetime


_adjudication = tables.adjudication.c
_COLUMNS = tuple(_adjudication[name] for name in Adjudication.model_fields)


def add(
    unit: Unit,
    comparison_id: str,
    *,
    person_id: str,
    verdict: Verdict,
    prose: Prose,
    reason: str,
    blindness: Blindness,
) -> None:
    """Store a ruling; from now on its verdict holds."""
    lock(unit.connection, tables.fact, comparison_id, what="such comparison")
    last = sa.select(sa.func.max(_adjudication.number)).where(_adjudication.comparison_id == comparison_id)
    insert_one(
        unit.connection,
        tables.adjudication,
        id=unit.new_id(),
        comparison_id=comparison_id,
        number=(unit.connection.execute(last).scalar() or 0) + 1,
        person_id=person_id,
        winner=verdict.winner.value,
        decided_by=verdict.decided_by.value,
        verdict=verdict.model_dump(mode="json"),
        prose=prose.model_dump(mode="json"),
        reason=reason,
        blindness=blindness.value,
        at=unit.at,
    )
    fact.refresh(unit, comparison_id)


def of_comparison(connection: sa.Connection, comparison_id: str) -> tuple[Adjudication, ...]:
    """All rulings on a pair, oldest first; the last one holds."""
    query = (
        sa.select(*_COLUMNS)
        .where(_adjudication.comparison_id == comparison_id)
        .order_by(_adjudication.number)
    )
    return several(connection, query, Adjudication)
