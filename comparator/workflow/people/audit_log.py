"""The audit log and the roles, as an admin or lead reads them."""

from __future__ import annotations

from comparator.domain.labels import Frozen
from comparator.domain.rights import Act
from comparator.store.people import events, people, projects
from comparator.store.people.events import Event
from comparator.store.people.people import Person, RoleOfPerson
from comparator.workflow.people.people import require
from comparator.workflow.services import Services


class AuditEntry(Frozen):
    """One act, with the names of who and where as they are called now."""

    event: Event
    person: str
    project: str


def audit_log(
    services: Services,
    *,
    by: str,
    project_id: str | None = None,
    limit: int = 200,
    before: str | None = None,
) -> tuple[AuditEntry, ...]:
    """The newest acts first, of one project or all; with `before`, those that follow the act with this id.

    Raises RightsError, NotFound.
    """
    with services.database.read() as connection:
        require(connection, by, Act.SEE_AUDIT, project_id=None)
        found = events.recent(connection, project_id=project_id, limit=limit, before=before)
        names = {person.id: person.name for person in people.all_people(connection)}
        titles = {project.id: project.name for project in projects.all_projects(connection)}
    return tuple(
        AuditEntry(
            event=event,
            person=names.get(event.person_id or "", "this program"),
            project=titles.get(event.project_id or "", ""),
        )
        for event in found
    )


def members_of(services: Services, *, by: str, project_id: str | None) -> tuple[RoleOfPerson, ...]:
    """Who holds which role in the project, or (None) everywhere. Raises RightsError."""
    with services.database.read() as connection:
        require(connection, by, Act.INVITE if project_id else Act.GRANT, project_id=project_id)
        return people.members(connection, project_id=project_id)


def everybody(services: Services, *, by: str, project_id: str | None) -> tuple[Person, ...]:
    """Everyone who was ever here, to give them a role. Raises RightsError."""
    with services.database.read() as connection:
        require(connection, by, Act.INVITE if project_id else Act.GRANT, project_id=project_id)
        return people.all_people(connection)
