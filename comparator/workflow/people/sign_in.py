"""Coming in by the provider's sign-in: the person is known again, and holds the roles that it says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from comparator.domain.errors import RightsError
from comparator.domain.rights import Act, Role
from comparator.store import tables
from comparator.store.core.sql import lock
from comparator.store.core.unit import Unit
from comparator.store.people import events, people, sessions, sign_ins
from comparator.store.people.people import Person
from comparator.store.people.sessions import Session
from comparator.workflow.people.people import authorise
from comparator.workflow.people.recent_sign_in import require_recent_sign_in
from comparator.workflow.people.sessions import goes_on, lasts
from comparator.workflow.services import Services

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
    if issued(claims) <= sign_ins.ended_until(unit.connection, subject):
        raise RightsError("Your sign-in was ended. Sign in again.")
    person = people.ensure_person(
        unit, subject, name=name[:200], email=str(claims["email"])[:320] if claims.get("email") else None
    )
    lock(unit.connection, tables.person, person.id, what="such person")
    before = sign_ins.newest(unit.connection, person.id)
    if issued(claims) >= before.issued:
        _put_in_force(services, unit, person.id, claims, before=before)
    return person


def _put_in_force(
    services: Services, unit: Unit, person_id: str, claims: Mapping[str, Any], *, before: sign_ins.Entered
) -> None:
    again = issued(claims) == before.issued
    wanted = services.settings.entry.roles(claims)
    if again and before.at is not None:
        wanted -= sign_ins.taken_since(unit.connection, person_id, before.at)
    given = people.given_by_sign_in(unit.connection, person_id)
    for role in wanted - given:
        people.grant(unit, person_id, role, project_id=None, granted_by=None)
    for role in given - wanted:
        people.take_sign_in_role(unit, person_id, role)
    if again and given == wanted:
        return
    events.log(
        unit,
        sign_ins.ENTERED,
        person_id=person_id,
        subject_id=person_id,
        detail={"issued": issued(claims), "roles": sorted(role.value for role in wanted)}
        | _change(given, wanted),
    )


def has_ended(services: Services, claims: Mapping[str, Any]) -> bool:
    """Whether the sign-in that these claims come from was ended. Raises RightsError for claims that name nobody."""
    with services.database.read() as connection:
        return issued(claims) <= sign_ins.ended_until(connection, subject_of(claims))


def end_sign_ins(services: Services, person_id: str, *, by: str | None) -> None:
    """End every sign-in of the person so far, in all browsers. Raises RightsError, NotFound."""
    require_recent_sign_in(services)
    with services.write() as unit:
        people.get(unit.connection, person_id)
        authorise(
            unit,
            Act.GRANT,
            sign_ins.ENDED,
            person_id=by,
            project_id=None,
            subject_id=person_id,
            detail={"until": sign_ins.last_moment(unit, person_id)},
        )
        sign_ins.end_sessions(unit, person_id)


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


def _change(given: frozenset[Role], wanted: frozenset[Role]) -> dict[str, list[str]]:
    return {} if given == wanted else {"before": sorted(role.value for role in given)}
