"""Coming in by the provider's sign-in, how long that goes on, and how often somebody may try."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from comparator.domain.errors import RightsError
from comparator.domain.rights import Act
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.sql import lock
from comparator.store.core.unit import Unit
from comparator.store.people import events, people, sessions
from comparator.store.people.people import Person
from comparator.store.people.sessions import Session
from comparator.workflow.people.people import authorise, require_recent_sign_in
from comparator.workflow.services import Services

SEEN_EVERY = timedelta(minutes=1)
"""How exactly it is known when somebody was last at work."""


def lasts(settings: Settings) -> timedelta:
    """How long a session goes on at most."""
    return timedelta(hours=settings.session_hours)


def goes_on(settings: Settings, session: Session, *, at: datetime) -> bool:
    """Whether the session lets anybody in at this time."""
    idle = settings.session_idle_hours if session.invitation_id is None else settings.invited_idle_hours
    last = session.seen_at or session.created_at
    began = session.created_at
    return (
        session.ended_at is None
        and at < min(session.expires_at, began + lasts(settings))
        and at - last < timedelta(hours=idle)
    )


def person_of(services: Services, token_hash: str) -> str | None:
    """Whose session this is; None where it has ended or never was."""
    with services.database.read() as connection:
        found = sessions.find(connection, token_hash)
    if found is None or not goes_on(services.settings, found, at=services.now()):
        return None
    return found.person_id


def saw(services: Services, token_hash: str) -> None:
    """Somebody is at work in this session; one that has ended stays so."""
    now = services.now()
    with services.database.read() as connection:
        found = sessions.find(connection, token_hash)
    if found is None or not goes_on(services.settings, found, at=now):
        return
    if now - (found.seen_at or found.created_at) >= SEEN_EVERY:
        with services.write(at=now) as unit:
            sessions.saw(unit, token_hash)


def end(services: Services, token_hash: str) -> None:
    """Sign out."""
    with services.write() as unit:
        found = sessions.find(unit.connection, token_hash)
        if found is None or found.ended_at is not None:
            return
        sessions.end(unit, token_hash)
        events.log(unit.by(found.person_id), "signed_out", subject_id=found.person_id)


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


def enter(services: Services, claims: Mapping[str, Any]) -> Person:
    """The person of these claims, with the roles that claim and allow lists give now; others of theirs stay.

    A browser keeps its claims for a month: those that are older than what counted last change no role, and a role
    that somebody took away stays away until a newer sign-in. Raises RightsError for claims that name nobody, and for
    a sign-in that was ended.
    """
    with services.write() as unit:
        return _enter(services, unit, claims)


def _enter(services: Services, unit: Unit, claims: Mapping[str, Any]) -> Person:
    subject = subject_of(claims)
    name = next(
        (str(claims[k]) for k in ("name", "preferred_username", "email", "sub") if claims.get(k)), "?"
    )
    if issued(claims) <= sessions.ended_until(unit.connection, subject):
        raise RightsError("Your sign-in was ended. Sign in again.")
    person = people.ensure_person(
        unit, subject, name=name[:200], email=str(claims["email"])[:320] if claims.get("email") else None
    )
    lock(unit.connection, tables.person, person.id)
    before = sessions.newest(unit.connection, person.id)
    if issued(claims) >= before.issued:
        _put_in_force(services, unit, person.id, claims, before=before)
    return person


def _put_in_force(
    services: Services, unit: Unit, person_id: str, claims: Mapping[str, Any], *, before: sessions.Entered
) -> None:
    again = issued(claims) == before.issued
    wanted = services.settings.entry.roles(claims)
    if again and before.at is not None:
        wanted -= sessions.taken_since(unit.connection, person_id, before.at)
    given = people.given_by_sign_in(unit.connection, person_id)
    for role in wanted - given:
        people.grant(unit, person_id, role, project_id=None, granted_by=None)
    people.take_sign_in_roles(unit, person_id, given - wanted)
    if again and given == wanted:
        return
    events.log(
        unit.by(person_id),
        sessions.ENTERED,
        subject_id=person_id,
        detail={"issued": issued(claims), "roles": sorted(wanted)}
        | ({} if given == wanted else {"before": sorted(given)}),
    )


def has_ended(services: Services, claims: Mapping[str, Any]) -> bool:
    """Whether the sign-in that these claims come from was ended. Raises RightsError for claims that name nobody."""
    with services.database.read() as connection:
        return issued(claims) <= sessions.ended_until(connection, subject_of(claims))


def end_sign_ins(services: Services, person_id: str) -> None:
    """End every sign-in of the person so far, in all browsers. Raises RightsError, NotFound."""
    require_recent_sign_in(services)
    with services.write() as unit:
        people.get(unit.connection, person_id)
        authorise(
            unit,
            Act.GRANT,
            sessions.ENDED,
            project_id=None,
            subject_id=person_id,
            detail={"until": sessions.last_moment(unit, person_id)},
        )
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
    with services.database.read() as connection:
        known = sessions.find(connection, session_of(claims))
    now = services.now()
    if known is not None:
        return known.person_id if goes_on(services.settings, known, at=now) else None
    if now.timestamp() - issued(claims) >= lasts(services.settings).total_seconds():
        return None
    with services.write(at=now) as unit:
        person = _enter(services, unit, claims)
        begun = Session(
            person_id=person.id,
            invitation_id=None,
            created_at=now,
            expires_at=now + lasts(services.settings),
            seen_at=now,
        )
        sessions.begin(unit.connection, session_of(claims), begun)
        return person.id


MOST, WITHIN = 30, timedelta(minutes=10)
"""So many tries within so long."""


def may_try(services: Services, who: str) -> bool:
    """Whether this person or address may try to come in now; a try that may be made counts."""
    at = services.now()
    since, digest = at - WITHIN, hashlib.sha256(who.encode()).hexdigest()
    with services.database.read() as connection:
        # Whoever goes on after a refusal costs a look, and keeps nobody from writing.
        if sessions.tries_made(connection, digest, since=since) >= MOST:
            return False
    with services.write(at=at) as unit:
        return sessions.add_try(unit, digest, most=MOST, since=since)
