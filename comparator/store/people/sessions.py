"""Sign-ins that go on in a browser, kept by a hash, so that no copy of the database lets anybody in; tries at it."""

from __future__ import annotations

from datetime import datetime

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Connection, func, select

from comparator.domain.labels import Frozen
from comparator.domain.rights import Role
from comparator.store import tables
from comparator.store.core.sql import (
    Stored,
    delete,
    insert_new,
    number,
    scalars,
)
from comparator.store.core.unit import Unit

_sign_in = tables.sign_in.c


class Session(Stored, table=tables.sign_in):
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
    return Session.find(connection, _sign_in.token_hash == token_hash)


def begin(connection: Connection, token_hash: str, session: Session) -> None:
    """Keep a new session; nothing happens where another request has done so already."""
    insert_new(connection, tables.sign_in, {**dict(session), "token_hash": token_hash})


def saw(unit: Unit, token_hash: str) -> None:
    """Note that somebody was at work in it."""
    unit.update(tables.sign_in, *_going_on(_sign_in.token_hash == token_hash), seen_at=unit.at)


def end(unit: Unit, token_hash: str) -> None:
    """End the session."""
    unit.update(tables.sign_in, *_going_on(_sign_in.token_hash == token_hash), ended_at=unit.at)


def end_sessions(unit: Unit, person_id: str) -> None:
    """End every session of the person."""
    unit.update(tables.sign_in, *_going_on(_sign_in.person_id == person_id), ended_at=unit.at)


def _going_on(whose: ColumnElement[bool]) -> tuple[ColumnElement[bool], ...]:
    return (whose, _sign_in.ended_at.is_(None))


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
    for at, detail in connection.execute(query.order_by(_event.at)):
        if (issued := int(detail.get("issued", 0))) > found.issued:
            found = Entered(issued=issued, at=at)
    return found


def taken_since(connection: Connection, person_id: str, at: datetime) -> frozenset[Role]:
    """The roles everywhere that somebody took from the person since then."""
    query = select(_event.detail).where(
        _event.subject_id == person_id, _event.kind == TAKEN, _event.project_id.is_(None), _event.at >= at
    )
    return frozenset(Role(detail["role"]) for detail in scalars(connection, query))


def ended_until(connection: Connection, subject: str) -> int:
    """Sign-ins of this subject that were issued up to then (seconds since 1970) have ended; -1 for none."""
    person = select(tables.person.c.id).where(tables.person.c.subject == subject).scalar_subquery()
    concerned = (_event.subject_id == person) | (_event.subject_id == EVERYBODY)
    query = select(_event.detail).where(concerned, _event.kind.in_((ENDED, RESTORED)))
    return max((int(detail["until"]) for detail in scalars(connection, query)), default=-1)


def last_moment(unit: Unit, person_id: str) -> int:
    """Until when sign-ins of the person have to end (seconds since 1970) so that none so far goes on."""
    # A provider whose clock is fast issued its newest one in what is the future here.
    return max(int(unit.at.timestamp()), newest(unit.connection, person_id).issued)


LOCK = 0x7219

_entry_try = tables.entry_try.c


def tries_made(connection: Connection, digest: str, *, since: datetime) -> int:
    """How many tries stand under this digest after that moment."""
    return number(connection, tables.entry_try, _entry_try.source == digest, _entry_try.at > since)


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
