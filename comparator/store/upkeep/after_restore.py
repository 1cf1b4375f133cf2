"""What a restored database must not bring back: sign-ins and links that were ended since, and what runs by itself."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.ids import NewId
from comparator.store.people import events, projects
from comparator.store.people.sign_ins import EVERYBODY, RESTORED


def settle(connection: sa.Connection, *, new_id: NewId, at: datetime) -> tuple[int, int, tuple[str, ...]]:
    """End every sign-in and open invitation, and switch off commands and live pages of all projects.

    Returned are how many sessions and how many invitations ended, and the names of the projects that were changed.
    """
    session, invitation = tables.sign_in, tables.invitation
    signed_out = connection.execute(
        session.update()
        .where(session.c.ended_at.is_(None), session.c.expires_at > at)
        .values(ended_at=at)
        .returning(session.c.token_hash)
    ).all()
    links = connection.execute(
        invitation.update()
        .where(
            invitation.c.accepted_at.is_(None),
            invitation.c.revoked_at.is_(None),
            invitation.c.expires_at > at,
        )
        .values(revoked_at=at)
        .returning(invitation.c.id)
    ).all()
    events.log(
        connection,
        RESTORED,
        subject_id=EVERYBODY,
        detail={"until": int(at.timestamp()), "sessions": len(signed_out), "invitations": len(links)},
        new_id=new_id,
        at=at,
    )
    changed = []
    for project in projects.all_projects(connection):
        if project.settings.render_command or project.settings.live_pages:
            off = project.settings.model_copy(update={"render_command": None, "live_pages": False})
            projects.save_settings(connection, project.id, off, person_id=None, new_id=new_id, at=at)
            changed.append(project.name)
    return len(signed_out), len(links), tuple(changed)
