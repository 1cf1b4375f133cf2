"""Coming in: by the provider's sign-in or by a link, how long that goes on, and how often one may try."""

import hashlib
import json
import secrets
from collections import Counter, deque
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from threading import Lock
from typing import Any

from comparator.domain.errors import InputError, RightsError
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act, Role
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.sql import Unit, lock
from comparator.store.people import people, projects, sessions
from comparator.store.people.sessions import Invitation, Session
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services

SEEN_EVERY = timedelta(minutes=1)
"""How exactly it is known when somebody was last at work."""


def session_term(settings: Settings) -> timedelta:
    """How long a session goes on at most."""
    return timedelta(hours=settings.session_hours)


def goes_on(settings: Settings, session: Session, *, at: datetime) -> bool:
    """Whether the session lets anybody in at this time."""
    idle = settings.session_idle_hours if session.invitation_id is None else settings.invited_idle_hours
    return (
        session.ended_at is None
        and at < min(session.expires_at, session.created_at + session_term(settings))
        and at - session.last_seen < timedelta(hours=idle)
    )


def note_seen(services: Services, token_hash: str) -> None:
    """Somebody is at work in this session; one that has ended stays so."""
    now = services.now()
    with services.read() as connection:
        session = sessions.find(connection, token_hash)
    if session and goes_on(services.settings, session, at=now) and now - session.last_seen >= SEEN_EVERY:
        with services.write(at=now) as unit:
            sessions.note_seen(unit, token_hash)


def end(services: Services, token_hash: str) -> None:
    """Sign out."""
    with services.write() as unit:
        session = sessions.find(unit, token_hash)
        if session is not None and session.ended_at is None:
            sessions.end(unit, token_hash)
            unit.by(session.person_id).log("signed_out", None, session.person_id)


OIDC = "oidc:"
"""Begins the subject of whoever signed in with a provider."""


def subject_of(claims: Mapping[str, Any]) -> str:
    """The subject under which the person is kept. Raises RightsError for claims that name nobody."""
    issuer, subject = claims.get("iss"), claims.get("sub")
    if not isinstance(issuer, str) or not isinstance(subject, str) or not issuer or not subject:
        raise RightsError(
            "The sign-in did not say who you are (no iss or sub). Tell whoever runs this server."
        )
    return f"{OIDC}{issuer}|{subject}"[:400]


def issued(claims: Mapping[str, Any]) -> int:
    """When the provider issued these claims, in seconds since 1970; 0 where it does not say."""
    given = claims.get("iat")
    return int(given) if isinstance(given, int | float) and given > 0 else 0


def enter(services: Services, claims: Mapping[str, Any]) -> people.Person:
    """The person of these claims, with the roles that claim and allow lists give now; others of theirs stay.

    A browser keeps its claims for a month: those that are older than what counted last change no role, and a role
    that somebody took away stays away until a newer sign-in. Raises RightsError for claims that name nobody, and for
    a sign-in that was ended.
    """
    with services.write() as unit:
        return _enter(services, unit, claims)


def _enter(services: Services, unit: Unit, claims: Mapping[str, Any]) -> people.Person:
    subject = subject_of(claims)
    name = next(
        (str(claims[k]) for k in ("name", "preferred_username", "email", "sub") if claims.get(k)), "?"
    )
    if issued(claims) <= sessions.ended_until(unit, subject):
        raise RightsError("Your sign-in was ended. Sign in again.")
    person = people.ensure_person(
        unit, subject, name=name[:200], email=str(claims["email"])[:320] if claims.get("email") else None
    )
    lock(unit, tables.person, person.id)
    before, now = sessions.newest(unit, person.id), issued(claims)
    if now < before.issued:
        return person
    wanted = services.settings.entry.roles(claims)
    if now == before.issued and before.at is not None:
        wanted -= sessions.taken_since(unit, person.id, before.at)
    given = people.given_by_sign_in(unit, person.id)
    for role in wanted - given:
        people.grant(unit, person.id, role, project_id=None, granted_by=None)
    people.take_sign_in_roles(unit, person.id, given - wanted)
    if now > before.issued or given != wanted:
        detail = {"issued": now, "roles": sorted(wanted)}
        detail |= {} if given == wanted else {"before": sorted(given)}
        unit.by(person.id).log(sessions.ENTERED, None, person.id, **detail)
    return person


def has_ended(services: Services, claims: Mapping[str, Any]) -> bool:
    """Whether the sign-in that these claims come from was ended. Raises RightsError for claims that name nobody."""
    with services.read() as connection:
        return issued(claims) <= sessions.ended_until(connection, subject_of(claims))


def end_sign_ins(services: Services, person_id: str) -> None:
    """End every sign-in of the person so far, in all browsers. Raises RightsError, NotFound."""
    with services.write() as unit:
        people.get(unit, person_id)
        until = sessions.last_moment(unit, person_id)
        authorise(unit, Act.GRANT, sessions.ENDED, None, person_id, until=until)
        sessions.end_sessions(unit, person_id)


def session_of(claims: Mapping[str, Any]) -> str:
    """By what the sign-in that these claims come from is kept: each one at the provider is another."""
    what = [claims.get(name) for name in ("iss", "sub", "iat", "auth_time", "nonce", "at_hash")]
    return hashlib.sha256(json.dumps(what, default=str).encode()).hexdigest()


def come_in(services: Services, claims: Mapping[str, Any]) -> str | None:
    """The person of these claims, who comes in at their first use; None where their sign-in goes on no more.

    A copy of the browser's cookie is of no use after signing out. Raises RightsError for claims that name nobody.
    """
    if has_ended(services, claims):
        return None
    with services.read() as connection:
        known = sessions.find(connection, session_of(claims))
    now = services.now()
    if known is not None:
        return known.person_id if goes_on(services.settings, known, at=now) else None
    if now.timestamp() - issued(claims) >= session_term(services.settings).total_seconds():
        return None
    with services.write(at=now) as unit:
        person = _enter(services, unit, claims)
        sessions.begin(unit, session_of(claims), person.id, expires_at=now + session_term(services.settings))
        return person.id


MOST, WITHIN = 30, timedelta(minutes=10)
"""So many tries within so long."""


class Tries:
    """Counts how often each person or address tried to come in lately. Threads may share it."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._lock = Lock()
        self._made: deque[tuple[datetime, str]] = deque()
        self._number: Counter[str] = Counter()

    def may_try(self, who: str) -> bool:
        """Whether this person or address may try to come in now; a try that may be made counts."""
        with self._lock:
            at = self._now()
            while self._made and self._made[0][0] <= at - WITHIN:
                self._number.subtract([self._made.popleft()[1]])
            if self._number[who] >= MOST:
                return False
            self._made.append((at, who))
            self._number[who] += 1
            if len(self._number) > 2 * len(self._made):
                self._number = +self._number
            return True


INVITED = "invited:"
"""Begins the subject of whoever came by a link."""
INVITATION_LASTS = timedelta(days=7)
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


def invite(services: Services, project_id: str, *, name: str, valid: timedelta = INVITATION_LASTS) -> Invited:
    """A link for one person who reviews in this project.

    Raises InputError without a name or for an impossible time, RightsError, NotFound.
    """
    name = " ".join(name.split())[:100]
    if not name:
        raise InputError("Say whom the invitation is for: a name that the lead will recognise.")
    if not timedelta(0) < valid <= timedelta(days=LONGEST_LINK_DAYS):
        raise InputError(f"An invitation is valid for 1 to {LONGEST_LINK_DAYS} days.")
    with services.write() as unit:
        project = projects.get(unit, project_id)
        require(unit, Act.INVITE, project.id)
        return _invited(unit, project_id=project_id, name=name, valid=valid)


def invite_again(services: Services, invitation_id: str) -> Invited:
    """A new link for the same person; every one before, and its sessions, end.

    Raises RightsError, NotFound, and InputError for a revoked one.
    """
    with services.write() as unit:
        before = _revoke(unit, invitation_id)
        if before.revoked_at is not None:
            raise InputError(
                "This invitation was revoked, perhaps by a newer link for the same person. Use the newest one in the "
                "list, or invite the person again."
            )
        invitee = {"project_id": before.project_id, "name": before.name}
        return _invited(unit, **invitee, valid=INVITATION_LASTS, known=before.accepted_by)


def revoke_invitation(services: Services, invitation_id: str) -> None:
    """End the invitation and every other of this person in the project, their sessions, and the role that came with
    it. Raises RightsError, NotFound."""
    with services.write() as unit:
        before = _revoke(unit, invitation_id)
        if before.accepted_by is not None:
            people.revoke(unit, before.accepted_by, before.role, project_id=before.project_id)


def invitations_of(services: Services, project_id: str) -> tuple[Listed, ...]:
    """All of a project, the newest first. Raises RightsError."""
    with services.read() as unit:
        require(unit, Act.INVITE, project_id)
        names = {person.id: person.name for person in people.all_people(unit)}
        return tuple(
            Listed(invitation=one, state=_state(unit, one), made_by=names.get(one.created_by, "?"))
            for one in sessions.of_project(unit, project_id)
        )


def name_on(services: Services, token: str) -> str:
    """For whom the link with this secret is; it stays unused. Raises RightsError where it cannot be used."""
    with services.read() as unit:
        return _usable(unit, token).name


def accept(services: Services, token: str) -> SignedIn:
    """Exchange the link's secret for a session, once. Raises RightsError where it cannot be used."""
    session = secrets.token_urlsafe(32)
    with services.write() as unit:
        invitation = _usable(unit, token, lock=True)
        person_id = (
            invitation.accepted_by
            or people.ensure_person(unit, f"{INVITED}{invitation.id}", name=invitation.name).id
        )
        sessions.accept(unit, invitation.id, person_id=person_id)
        where = {"project_id": invitation.project_id, "granted_by": invitation.created_by}
        people.grant(unit, person_id, invitation.role, **where)
        expires = unit.at + session_term(services.settings)
        sessions.begin(unit, hash_of(session), person_id, expires_at=expires, invitation_id=invitation.id)
        _log(unit.by(person_id), "invitation_accepted", invitation)
    return SignedIn(person_id=person_id, token=session, expires_at=expires)


def person_of_session(services: Services, token: str) -> str | None:
    """Whose session this is; None where it has ended or never was."""
    with services.read() as connection:
        session = sessions.find(connection, hash_of(token))
    return session.person_id if session and goes_on(services.settings, session, at=services.now()) else None


def hash_of(token: str) -> str:
    """By what a secret is kept: it has 256 random bits, so nothing is gained by a slow hash."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _invited(
    unit: Unit, *, project_id: str, name: str, valid: timedelta, known: str | None = None
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
    sessions.invite(unit, invitation, token_hash=hash_of(token))
    _log(unit, "invitation_made", invitation)
    return Invited(invitation=invitation, token=token)


def _usable(unit: Unit, token: str, *, lock: bool = False) -> Invitation:
    invitation = sessions.by_hash(unit, hash_of(token), lock=lock)
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
    maker = people.grants(unit, one.created_by, project_id=one.project_id)
    return LinkState.OPEN if maker.allows(Act.INVITE) else LinkState.DISOWNED


def _revoke(unit: Unit, invitation_id: str) -> Invitation:
    """End all of the person's in this project; the invitation as it was before."""
    invitation = sessions.locked(unit, invitation_id)
    require(unit, Act.INVITE, invitation.project_id)
    sessions.revoke(unit, invitation)
    _log(unit, "invitation_revoked", invitation)
    return invitation


def _log(unit: Unit, kind: str, invitation: Invitation) -> None:
    unit.log(kind, invitation.project_id, invitation.id, name=invitation.name)
