"""Coming in by the provider's sign-in: the person is known again, and holds the roles that it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from comparator.domain.errors import RightsError
from comparator.domain.rights import Role
from comparator.store import events, people
from comparator.store.people import Person
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


def enter(services: Services, claims: Mapping[str, Any]) -> Person:
    """The person of these claims, with the roles that claim and allow lists give now; others of theirs stay.

    Raises RightsError for claims that name nobody.
    """
    subject = subject_of(claims)
    wanted = services.settings.entry.roles(claims)
    name = next(
        (str(claims[k]) for k in ("name", "preferred_username", "email", "sub") if claims.get(k)), "?"
    )
    with services.database.write() as connection:
        now = services.now()
        person = people.ensure_person(
            connection,
            subject,
            name=name[:200],
            email=str(claims["email"])[:320] if claims.get("email") else None,
            new_id=services.new_id,
            at=now,
        )
        given = people.given_by_sign_in(connection, person.id)
        for role in wanted - given:
            people.grant(
                connection,
                person.id,
                role,
                project_id=None,
                granted_by=None,
                new_id=services.new_id,
                at=now,
            )
        for role in given - wanted:
            people.take_sign_in_role(connection, person.id, role, at=now)
        events.log(
            connection,
            "signed_in",
            person_id=person.id,
            subject_id=person.id,
            detail={"roles": sorted(role.value for role in wanted)} | _change(given, wanted),
            new_id=services.new_id,
            at=now,
        )
    return person


def known_person(services: Services, claims: Mapping[str, Any]) -> Person | None:
    """The person of these claims if they have come in before; nothing is stored."""
    with services.database.read() as connection:
        return people.find(connection, subject_of(claims))


def _change(given: frozenset[Role], wanted: frozenset[Role]) -> dict[str, list[str]]:
    return {} if given == wanted else {"before": sorted(role.value for role in given)}
