"""How long a sign-in goes on: until it is ended, has lasted too long, or nobody was at work in it for too long."""

from __future__ import annotations

from datetime import datetime, timedelta

from comparator.settings import Settings
from comparator.store.people import events, sessions
from comparator.store.people.sessions import Session
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
        events.log(unit, "signed_out", person_id=found.person_id, subject_id=found.person_id)
