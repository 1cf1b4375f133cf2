"""What a restored database must not bring back: sign-ins and links that were ended since, and what runs by itself."""

from __future__ import annotations

from comparator.store import tables
from comparator.store.core.unit import Unit
from comparator.store.people import events, projects
from comparator.store.people.sessions import EVERYBODY, RESTORED


def switch_off(unit: Unit) -> tuple[int, int, tuple[str, ...]]:
    """End every sign-in and open invitation, and switch off commands and live pages of all projects.

    Returned are how many sessions and how many invitations ended, and the names of the projects that were changed.
    """
    session, invitation = tables.sign_in, tables.invitation
    signed_out = unit.connection.execute(
        session.update()
        .where(session.c.ended_at.is_(None), session.c.expires_at > unit.at)
        .values(ended_at=unit.at)
        .returning(session.c.token_hash)
    ).all()
    links = unit.connection.execute(
        invitation.update()
        .where(
            invitation.c.accepted_at.is_(None),
            invitation.c.revoked_at.is_(None),
            invitation.c.expires_at > unit.at,
        )
        .values(revoked_at=unit.at)
        .returning(invitation.c.id)
    ).all()
    events.log(
        unit,
        RESTORED,
        subject_id=EVERYBODY,
        detail={"until": int(unit.at.timestamp()), "sessions": len(signed_out), "invitations": len(links)},
    )
    changed = []
    for project in projects.all_projects(unit.connection):
        if project.settings.render_command:
            off = project.settings.model_copy(update={"render_command": None})
            projects.save_settings(unit, project.id, off, person_id=None)
            changed.append(project.name)
    return len(signed_out), len(links), tuple(changed)
