"""Inviting one outside person by a link: made, exchanged once for a session, revoked."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from enum import StrEnum

from comparator.domain.errors import InputError, RightsError
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act, Role
from comparator.store.core.unit import Unit
from comparator.store.people import events, invitations, people, projects
from comparator.store.people import sessions as store_sessions
from comparator.store.people.invitations import Invitation
from comparator.store.people.sessions import Session
from comparator.workflow.people import sign_in
from comparator.workflow.people.people import require, require_recent_sign_in
from comparator.workflow.services import Services

INVITED = "invited:"
"""Begins the subject of whoever came by a link."""
LINK = timedelta(days=7)
"""How long a link can be used."""
LONGEST_LINK_DAYS = 90
NO_USE = "This link cannot be used: it was used already, has expired or was revoked. Ask for a new one."


class LinkState(StrEnum):
    """What has become of an invitation's link."""

    OPEN = "open"
    USED = "used"
    EXPIRED = "expired"
    REVOKED = "revoked"
    DISOWNED = "disowned"
    """Whoever made it may not invite any more: it ended with that right."""


class Listed(Frozen):
    """An invitation, what has become of its link, and the name of whoever made it."""

    invitation: Invitation
    state: LinkState
    made_by: str


class Invited(Frozen):
    """A new invitation with the secret that its link carries; the secret is shown once and kept nowhere."""

    invitation: Invitation
    token: str


class SignedIn(Frozen):
    """A new session with the secret that its cookie carries."""

    person_id: str
    token: str
    expires_at: datetime


def invite(services: Services, project_id: str, *, name: str, valid: timedelta = LINK) -> Invited:
    """A link for one person who reviews in this project.

    Raises InputError without a name or for an impossible time, RightsError, NotFound.
    """
    require_recent_sign_in(services)
    name = " ".join(name.split())[:100]
    if not name:
        raise InputError("Say whom the invitation is for: a name that the lead will recognise.")
    if not timedelta(0) < valid <= timedelta(days=LONGEST_LINK_DAYS):
        raise InputError(f"An invitation is valid for 1 to {LONGEST_LINK_DAYS} days.")
    with services.write() as unit:
        project = projects.get(unit.connection, project_id)
        require(unit, Act.INVITE, project_id=project.id)
        return _add(unit, project_id=project_id, name=name, valid=valid)


def invite_again(services: Services, invitation_id: str) -> Invited:
    """A new link for the same person; every one before, and its sessions, end.

    Raises RightsError, NotFound, and InputError for a revoked one.
    """
    require_recent_sign_in(services)
    with services.write() as unit:
        before = _revoke(unit, invitation_id)
        if before.revoked_at is not None:
            raise InputError(
                "This invitation was revoked, perhaps by a newer link for the same person. Use the newest one in the "
                "list, or invite the person again."
            )
        return _add(
            unit,
            project_id=before.project_id,
            name=before.name,
            valid=LINK,
            known=before.accepted_by,
        )


def revoke_invitation(services: Services, invitation_id: str) -> None:
    """End the invitation and every other of this person in the project, their sessions, and the role that came with
    it. Raises RightsError, NotFound."""
    require_recent_sign_in(services)
    with services.write() as unit:
        before = _revoke(unit, invitation_id)
        if before.accepted_by is not None:
            people.revoke(unit, before.accepted_by, before.role, project_id=before.project_id)


def invitations_of(services: Services, project_id: str) -> tuple[Listed, ...]:
    """All of a project, the newest first. Raises RightsError."""
    with services.read() as unit:
        require(unit, Act.INVITE, project_id=project_id)
        names = {person.id: person.name for person in people.all_people(unit.connection)}
        return tuple(
            Listed(
                invitation=one,
                state=_state(unit, one),
                made_by=names.get(one.created_by, "?"),
            )
            for one in invitations.of_project(unit.connection, project_id)
        )


def name_on(services: Services, token: str) -> str:
    """For whom the link with this secret is; it stays unused. Raises RightsError where it cannot be used."""
    with services.read() as unit:
        return _usable(unit, token).name


def accept(services: Services, token: str) -> SignedIn:
    """Exchange the link's secret for a session, once. Raises RightsError where it cannot be used."""
    session = secrets.token_urlsafe(32)
    with services.write() as unit:
        now = unit.at
        invitation = _usable(unit, token, lock=True)
        person_id = invitation.accepted_by or _new_person(unit, invitation)
        invitations.accept(unit, invitation.id, person_id=person_id)
        people.grant(
            unit,
            person_id,
            invitation.role,
            project_id=invitation.project_id,
            granted_by=invitation.created_by,
        )
        expires = now + sign_in.lasts(services.settings)
        begun = Session(
            person_id=person_id, invitation_id=invitation.id, created_at=now, expires_at=expires, seen_at=now
        )
        store_sessions.begin(unit.connection, hash_of(session), begun)
        _log(unit.by(person_id), "invitation_accepted", invitation)
    return SignedIn(person_id=person_id, token=session, expires_at=expires)


def person_of_session(services: Services, token: str) -> str | None:
    """Whose session this is; None where it has ended or never was."""
    return sign_in.person_of(services, hash_of(token))


def end_session(services: Services, token: str) -> None:
    """Sign out."""
    sign_in.end(services, hash_of(token))


def hash_of(token: str) -> str:
    """By what a secret is kept: it has 256 random bits, so nothing is gained by a slow hash."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _add(
    unit: Unit,
    *,
    project_id: str,
    name: str,
    valid: timedelta,
    known: str | None = None,
) -> Invited:
    token = secrets.token_urlsafe(32)
    invitation = Invitation(
        id=unit.new_id(),
        project_id=project_id,
        name=name,
        role=Role.REVIEWER,
        created_at=unit.at,
        created_by=unit.person,
        expires_at=unit.at + valid,
        accepted_by=known,
    )
    invitations.add(unit.connection, invitation, token_hash=hash_of(token))
    _log(unit, "invitation_made", invitation)
    return Invited(invitation=invitation, token=token)


def _usable(unit: Unit, token: str, *, lock: bool = False) -> Invitation:
    invitation = invitations.by_hash(unit.connection, hash_of(token), lock=lock)
    if invitation is None or _state(unit, invitation) is not LinkState.OPEN:
        raise RightsError(NO_USE)
    return invitation


def _state(unit: Unit, one: Invitation) -> LinkState:
    if one.revoked_at is not None:
        return LinkState.REVOKED
    if one.accepted_at is not None:
        return LinkState.USED
    if one.expires_at <= unit.at:
        return LinkState.EXPIRED
    # Asked now, not when it was made: a lead who was dismissed lets nobody in any more.
    maker = people.grants(unit.connection, one.created_by, project_id=one.project_id)
    return LinkState.OPEN if maker.allows(Act.INVITE) else LinkState.DISOWNED


def _revoke(unit: Unit, invitation_id: str) -> Invitation:
    """End all of the person's in this project; the invitation as it was before."""
    invitation = invitations.locked(unit.connection, invitation_id)
    require(unit, Act.INVITE, project_id=invitation.project_id)
    invitations.revoke(unit, invitation)
    _log(unit, "invitation_revoked", invitation)
    return invitation


def _new_person(unit: Unit, invitation: Invitation) -> str:
    return people.ensure_person(unit, f"{INVITED}{invitation.id}", name=invitation.name).id


def _log(unit: Unit, kind: str, invitation: Invitation) -> None:
    events.log(
        unit,
        kind,
        project_id=invitation.project_id,
        subject_id=invitation.id,
        detail={"name": invitation.name},
    )
