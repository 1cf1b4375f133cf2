"""Invitations and the sign-ins that go on in a browser, kept by a hash: no copy of the database lets anybody in."""

from datetime import datetime

from pydantic import AwareDatetime
from sqlalchemy import select

from comparator.domain.labels import Frozen
from comparator.domain.rights import Role
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, lock, maybe, scalars

_invitation, _sign_in = tables.invitation.c, tables.sign_in.c
_GOES_ON = _sign_in.ended_at.is_(None)


class Invitation(Stored, table=tables.invitation):
    """A link for one person into one project."""

    id: str
    project_id: str
    name: str
    role: Role
    created_at: AwareDatetime
    created_by: str
    expires_at: AwareDatetime
    accepted_by: str | None = None
    """Whom it is for where that is known already; else who came by it."""
    accepted_at: AwareDatetime | None = None
    revoked_at: AwareDatetime | None = None


def invite(unit: Unit, invitation: Invitation, *, token_hash: str) -> None:
    """Keep a new invitation."""
    unit.add(tables.invitation, **dict(invitation), token_hash=token_hash)


def locked(connection: Connection, invitation_id: str) -> Invitation:
    """The invitation, its row locked until the transaction ends. Raises NotFound."""
    lock(connection, tables.invitation, invitation_id)
    return Invitation.get(connection, invitation_id)


def by_hash(connection: Connection, token_hash: str, *, lock: bool) -> Invitation | None:
    """The invitation whose link has this hash, or None; `lock` keeps others from it until the transaction ends."""
    query = Invitation.select(_invitation.token_hash == token_hash)
    return maybe(connection, query.with_for_update() if lock else query, Invitation)


def of_project(connection: Connection, project_id: str) -> tuple[Invitation, ...]:
    """All of a project, the newest first."""
    order = (_invitation.created_at.desc(), _invitation.id)
    return Invitation.all(connection, _invitation.project_id == project_id, by=order)


def accept(unit: Unit, invitation_id: str, *, person_id: str) -> None:
    """Note who came by it."""
    this = _invitation.id == invitation_id
    unit.update(tables.invitation, this, accepted_by=person_id, accepted_at=unit.at)


def revoke(unit: Unit, invitation: Invitation) -> None:
    """End the invitation, every other for the same person in its project, and the sessions that came of them."""
    those = _invitation.id == invitation.id
    if (by := invitation.accepted_by) is not None:
        same = (_invitation.accepted_by == by) & (_invitation.project_id == invitation.project_id)
        those |= same
    came = _sign_in.invitation_id.in_(select(_invitation.id).where(those))
    unit.update(tables.sign_in, came, _GOES_ON, ended_at=unit.at)
    unit.update(tables.invitation, those, _invitation.revoked_at.is_(None), revoked_at=unit.at)


class Session(Stored, table=tables.sign_in):
    """One sign-in in one browser."""

    person_id: str
    invitation_id: str | None
    """The invitation that was exchanged for it; None for a provider's."""
    created_at: AwareDatetime
    expires_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    seen_at: AwareDatetime | None = None

    @property
    def last_seen(self) -> datetime:
        """When somebody was last at work in it."""
        return self.seen_at or self.created_at


def find(connection: Connection, token_hash: str) -> Session | None:
    """The session under this hash, also one that has ended; None where there never was one."""
    return Session.find(connection, _sign_in.token_hash == token_hash)


def begin(
    unit: Unit, token_hash: str, person_id: str, *, expires_at: datetime, invitation_id: str | None = None
) -> None:
    """Keep a new session; nothing happens where another request has done so already."""
    what = {"token_hash": token_hash, "person_id": person_id, "invitation_id": invitation_id}
    unit.add_new(tables.sign_in, **what, expires_at=expires_at, seen_at=unit.at)


def note_seen(unit: Unit, token_hash: str) -> None:
    """Note that somebody was at work in it."""
    unit.update(tables.sign_in, _sign_in.token_hash == token_hash, _GOES_ON, seen_at=unit.at)


def end(unit: Unit, token_hash: str) -> None:
    """End the session."""
    unit.update(tables.sign_in, _sign_in.token_hash == token_hash, _GOES_ON, ended_at=unit.at)


def end_sessions(unit: Unit, person_id: str) -> None:
    """End every session of the person."""
    unit.update(tables.sign_in, _sign_in.person_id == person_id, _GOES_ON, ended_at=unit.at)


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
    every = (
        Entered(issued=int(detail.get("issued", 0)), at=at)
        for at, detail in connection.execute(query.order_by(_event.at))
    )
    return max(every, key=lambda entered: entered.issued, default=Entered())


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
    return max(int(unit.at.timestamp()), newest(unit, person_id).issued)
