"""Invitations by link, and the sessions that they are exchanged for; both are kept by their hash only."""

from __future__ import annotations

from pydantic import AwareDatetime
from sqlalchemy import Connection, select

from comparator.domain.rights import Role
from comparator.store import tables
from comparator.store.core.sql import Stored, insert_one, lock, maybe
from comparator.store.core.unit import Unit

_invitation, _sign_in = tables.invitation.c, tables.sign_in.c


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


def add(connection: Connection, invitation: Invitation, *, token_hash: str) -> None:
    """Keep a new invitation."""
    insert_one(connection, tables.invitation, **dict(invitation), token_hash=token_hash)


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
    unit.update(tables.sign_in, came, _sign_in.ended_at.is_(None), ended_at=unit.at)
    unit.update(tables.invitation, those, _invitation.revoked_at.is_(None), revoked_at=unit.at)
