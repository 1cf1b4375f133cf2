"""Invitations by link, and the sessions that they are exchanged for; both are kept by their hash only."""

from __future__ import annotations

from pydantic import AwareDatetime
from sqlalchemy import Connection, and_, or_, select

from comparator.domain.labels import Frozen
from comparator.domain.rights import Role
from comparator.store import tables
from comparator.store.core.sql import insert_one, maybe, one, several
from comparator.store.core.unit import Unit

_invitation, _sign_in = tables.invitation.c, tables.sign_in.c


class Invitation(Frozen):
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


_COLUMNS = tuple(column for column in tables.invitation.columns if column.name != "token_hash")


def add(connection: Connection, invitation: Invitation, *, token_hash: str) -> None:
    """Keep a new invitation."""
    values = {**invitation.model_dump(), "role": invitation.role.value, "token_hash": token_hash}
    insert_one(connection, tables.invitation, **values)


def locked(connection: Connection, invitation_id: str) -> Invitation:
    """The invitation, its row locked until the transaction ends. Raises NotFound."""
    query = select(*_COLUMNS).where(_invitation.id == invitation_id).with_for_update()
    return one(connection, query, Invitation, what="such invitation")


def by_hash(connection: Connection, token_hash: str, *, lock: bool) -> Invitation | None:
    """The invitation whose link has this hash, or None; `lock` keeps others from it until the transaction ends."""
    query = select(*_COLUMNS).where(_invitation.token_hash == token_hash)
    return maybe(connection, query.with_for_update() if lock else query, Invitation)


def of_project(connection: Connection, project_id: str) -> tuple[Invitation, ...]:
    """All of a project, the newest first."""
    query = (
        select(*_COLUMNS)
        .where(_invitation.project_id == project_id)
        .order_by(_invitation.created_at.desc(), _invitation.id)
    )
    return several(connection, query, Invitation)


def accept(unit: Unit, invitation_id: str, *, person_id: str) -> None:
    """Note who came by it."""
    unit.update(
        tables.invitation, _invitation.id == invitation_id, accepted_by=person_id, accepted_at=unit.at
    )


def revoke(unit: Unit, invitation: Invitation) -> None:
    """End the invitation, every other for the same person in its project, and the sessions that came of them."""
    those = _invitation.id == invitation.id
    if invitation.accepted_by is not None:
        same = and_(
            _invitation.accepted_by == invitation.accepted_by, _invitation.project_id == invitation.project_id
        )
        those = or_(those, same)
    unit.update(
        tables.sign_in,
        _sign_in.invitation_id.in_(select(_invitation.id).where(those)),
        _sign_in.ended_at.is_(None),
        ended_at=unit.at,
    )
    unit.update(tables.invitation, those, _invitation.revoked_at.is_(None), revoked_at=unit.at)
