"""Who works on which pair: claimed by oneself for a while, or assigned by a lead until it is taken back."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, and_, or_, select, true

from comparator.store import tables
from comparator.store.core.sql import Stored, several
from comparator.store.core.unit import Unit
from comparator.store.facts.fact import AT_REST

EXPIRES_AFTER = timedelta(hours=2)
"""A claim ends so long after the last change."""
WORTH_PROLONGING = timedelta(minutes=1)


class ClaimKind(StrEnum):
    """How somebody came to a pair."""

    CLAIMED = "claimed"
    ASSIGNED = "assigned"


class Claim(Stored, table=tables.claim):
    """One person's hold on one pair; `expires_at` is None for an assignment."""

    id: str
    comparison_id: str
    person_id: str
    kind: ClaimKind
    by: str | None
    at: AwareDatetime
    expires_at: AwareDatetime | None


_claim, _comparison, _fact = tables.claim.c, tables.comparison.c, tables.fact.c


def is_active(at: datetime) -> ColumnElement[bool]:
    """Whether a row of the table is in force at this time."""
    return and_(_claim.released_at.is_(None), or_(_claim.expires_at.is_(None), _claim.expires_at > at))


def _of(comparison_id: str, person_id: str) -> ColumnElement[bool]:
    return and_(_claim.comparison_id == comparison_id, _claim.person_id == person_id)


def claim(unit: Unit, comparison_id: str, *, person_id: str) -> bool:
    """Hold the pair for the person for two hours from now; False where they hold it already, which is prolonged."""
    mine = and_(_of(comparison_id, person_id), is_active(unit.at))
    ends, until = unit.scalars(select(_claim.expires_at).where(mine)), unit.at + EXPIRES_AFTER
    if not ends:
        who = {"comparison_id": comparison_id, "person_id": person_id}
        unit.add(tables.claim, **who, kind=ClaimKind.CLAIMED, expires_at=until)
    elif all(end is not None and end + WORTH_PROLONGING < until for end in ends):
        unit.update(tables.claim, mine, expires_at=until)
    return not ends


def assign(unit: Unit, comparison_id: str, *, person_id: str, by: str | None) -> bool:
    """Give the pair to the person until it is done or taken back; False where it was assigned to them already."""
    mine = and_(_of(comparison_id, person_id), is_active(unit.at))
    if ClaimKind.ASSIGNED in unit.scalars(select(_claim.kind).where(mine)):
        return False
    unit.update(tables.claim, mine, released_at=unit.at)
    who = {"comparison_id": comparison_id, "person_id": person_id, "by": by}
    unit.add(tables.claim, **who, kind=ClaimKind.ASSIGNED)
    return True


def release(unit: Unit, comparison_id: str, *, person_id: str) -> int:
    """End whatever hold the person has on the pair; how many there were."""
    held = (_of(comparison_id, person_id), _claim.released_at.is_(None))
    return unit.update(tables.claim, *held, released_at=unit.at)


def release_all(unit: Unit, project_id: str) -> None:
    """End all holds in a project."""
    here = _claim.comparison_id.in_(select(_comparison.id).where(_comparison.project_id == project_id))
    unit.update(tables.claim, here, _claim.released_at.is_(None), released_at=unit.at)


def in_force(unit: Unit, project_id: str, *, person_id: str | None = None) -> tuple[Claim, ...]:
    """The holds in force in a project, oldest first; of one person or of all. Not of pairs that wait for nobody."""
    theirs = true() if person_id is None else _claim.person_id == person_id
    query = (
        Claim.select(is_active(unit.at), theirs)
        .join(tables.fact, _fact.comparison_id == _claim.comparison_id)
        .where(_fact.project_id == project_id, _fact.status.not_in(AT_REST))
    )
    return several(unit.connection, query.order_by(_claim.at, _claim.id), Claim)
