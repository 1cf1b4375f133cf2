"""Sign-ins that go on in a browser, kept by a hash, so that no copy of the database lets anybody in; tries at it."""

from __future__ import annotations

from datetime import datetime

from pydantic import AwareDatetime
from sqlalchemy import Connection, func, or_, select

from comparator.domain.labels import Frozen
from comparator.domain.rights import Role
from comparator.store import tables
from comparator.store.core.sql import delete, insert_one, maybe, select_as
from comparator.store.core.unit import Unit

_sign_in = tables.sign_in.c


class Session(Frozen):
    """One sign-in in one browser."""

    person_id: str
    invitation_id: str | None
    """The invitation that was exchanged for it; None for a provider's."""
    created_at: AwareDatetime
    expires_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    seen_at: AwareDatetime | None = None
    """When somebody was last at work in it."""


def find(connection: Connection, token_hash: str) -> Session | None:
    """The session under this hash, also one that has ended; None where there never was one."""
    return maybe(connection, select_as(tables.sign_in, Session, _sign_in.token_hash == token_hash), Session)


def begin(connection: Connection, token_hash: str, session: Session) -> None:
    """Keep a new session; nothing happens where another request has done so already."""
    if find(connection, token_hash) is None:
        insert_one(connection, tables.sign_in, token_hash=token_hash, **session.model_dump())


def saw(unit: Unit, token_hash: str) -> None:
    """Note that somebody was at work in it."""
    unit.update(
        tables.sign_in, _sign_in.token_hash == token_hash, _sign_in.ended_at.is_(None), seen_at=unit.at
    )


def end(unit: Unit, token_hash: str) -> None:
    """End the session."""
    unit.update(
        tables.sign_in, _sign_in.token_hash == token_hash, _sign_in.ended_at.is_(None), ended_at=unit.at
    )


EVERYBODY = "everybody"
"""Stands for everybody where a person's id would stand."""
ENTERED, ENDED, RESTORED, TAKEN = "signed_in", "sign_ins_ended", "restored", "role_taken"

_event = tables.event.c


class Entered(Frozen):
    """The newest sign-in whose roles were put in force: when the provider issued it, and when that was first done."""

    issued: int = -1
    """In seconds since 1970; -1 where there was none."""
    at: AwareDatetime | None = None


def newest(connection: Connection, person_id: str) -> Entered:
    """The newest sign-in of the person that counted."""
    query = select(_event.at, _event.detail).where(_event.subject_id == person_id, _event.kind == ENTERED)
    found = Entered()
    for row in connection.execute(query.order_by(_event.at)):
        issued = int(row.detail.get("issued", 0))
        if issued > found.issued:
            found = Entered(issued=issued, at=row.at)
    return found


def taken_since(connection: Connection, person_id: str, at: datetime) -> frozenset[Role]:
    """The roles everywhere that somebody took from the person since then."""
    query = select(_event.detail).where(
        _event.subject_id == person_id, _event.kind == TAKEN, _event.project_id.is_(None), _event.at >= at
    )
    return frozenset(Role(detail["role"]) for detail in connection.execute(query).scalars())


def ended_until(connection: Connection, subject: str) -> int:
    """Sign-ins of this subject that were issued up to then (seconds since 1970) have ended; -1 for none."""
    person = select(tables.person.c.id).where(tables.person.c.subject == subject).scalar_subquery()
    query = select(_event.detail).where(
        or_(_event.subject_id == person, _event.subject_id == EVERYBODY),
        _event.kind.in_((ENDED, RESTORED)),
    )
    return max((int(detail["until"]) for detail in connection.execute(query).scalars()), default=-1)


def last_moment(unit: Unit, person_id: str) -> int:
    """Until when sign-ins of the person have to end (seconds since 1970) so that none so far goes on."""
    # A provider whose clock is fast issued its newest one in what is the future here.
    return max(int(unit.at.timestamp()), newest(unit.connection, person_id).issued)


def end_sessions(unit: Unit, person_id: str) -> None:
    """End every session of the person."""
    unit.update(
        tables.sign_in, _sign_in.person_id == person_id, _sign_in.ended_at.is_(None), ended_at=unit.at
    )


LOCK = 0x7219

_entry_try = tables.entry_try.c


def tries_made(connection: Connection, digest: str, *, since: datetime) -> int:
    """How many tries stand under this digest after that moment."""
    query = select(func.count()).where(_entry_try.source == digest, _entry_try.at > since)
    return int(connection.execute(query).scalar_one())


def add_try(unit: Unit, digest: str, *, most: int, since: datetime) -> bool:
    """Note a try, unless as many as `most` stand there after `since`; whether it was noted. Older ones are deleted."""
    if unit.connection.dialect.name != "sqlite":
        # SQLite has one writer anyway. Two who count at once would both find room for the last try.
        unit.execute(select(func.pg_advisory_xact_lock(LOCK)))
    delete(unit.connection, tables.entry_try, _entry_try.at <= since)
    if tries_made(unit.connection, digest, since=since) >= most:
        return False
    unit.add(tables.entry_try, source=digest)
    return True
