"""What the audit log knows of sign-ins by the provider: the newest that counted, and those that were ended."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.domain.rights import Role
from comparator.store import tables
from comparator.store.core.unit import Unit

EVERYBODY = "everybody"
"""Stands for everybody where a person's id would stand."""
ENTERED, ENDED, RESTORED, TAKEN = "signed_in", "sign_ins_ended", "restored", "role_taken"

_event = tables.event.c


class Entered(Frozen):
    """The newest sign-in whose roles were put in force: when the provider issued it, and when that was first done."""

    issued: int = -1
    """In seconds since 1970; -1 where there was none."""
    at: AwareDatetime | None = None


def newest(connection: sa.Connection, person_id: str) -> Entered:
    """The newest sign-in of the person that counted."""
    query = sa.select(_event.at, _event.detail).where(_event.subject_id == person_id, _event.kind == ENTERED)
    found = Entered()
    for row in connection.execute(query.order_by(_event.at)):
        issued = int(row.detail.get("issued", 0))
        if issued > found.issued:
            found = Entered(issued=issued, at=row.at)
    return found


def taken_since(connection: sa.Connection, person_id: str, at: datetime) -> frozenset[Role]:
    """The roles everywhere that somebody took from the person since then."""
    query = sa.select(_event.detail).where(
        _event.subject_id == person_id, _event.kind == TAKEN, _event.project_id.is_(None), _event.at >= at
    )
    return frozenset(Role(detail["role"]) for detail in connection.execute(query).scalars())


def ended_until(connection: sa.Connection, subject: str) -> int:
    """Sign-ins of this subject that were issued up to then (seconds since 1970) have ended; -1 for none."""
    person = sa.select(tables.person.c.id).where(tables.person.c.subject == subject).scalar_subquery()
    query = sa.select(_event.detail).where(
        sa.or_(_event.subject_id == person, _event.subject_id == EVERYBODY),
        _event.kind.in_((ENDED, RESTORED)),
    )
    return max((int(detail["until"]) for detail in connection.execute(query).scalars()), default=-1)


def last_moment(unit: Unit, person_id: str) -> int:
    """Until when sign-ins of the person have to end (seconds since 1970) so that none so far goes on."""
    # A provider whose clock is fast issued its newest one in what is the future here.
    return max(int(unit.at.timestamp()), newest(unit.connection, person_id).issued)


def end_sessions(unit: Unit, person_id: str) -> None:
    """End every session of the person that an invitation was exchanged for."""
    session = tables.sign_in
    unit.connection.execute(
        session.update()
        .where(session.c.person_id == person_id, session.c.ended_at.is_(None))
        .values(ended_at=unit.at)
    )
