"""Where a person may do what, found out at once for all that a page asks."""

from __future__ import annotations

from dataclasses import dataclass

from comparator.domain.rights import Act, Grants
from comparator.store.people import people, projects
from comparator.store.people.people import Roles
from comparator.store.people.projects import Project
from comparator.workflow.services import Services


@dataclass(frozen=True)
class Permissions:
    """The person's roles, and which projects there were, at one moment."""

    roles: Roles
    every: tuple[Project, ...]

    def everywhere(self, act: Act) -> bool:
        """Whether the person may do this on the whole server."""
        return Grants(roles=self.roles.everywhere).allows(act)

    def all_projects(self, act: Act) -> bool:
        """Whether the person may do this in every project there is or will be."""
        return self.everywhere(act) and all(
            self._allows(act, project) for project in self.every if project.id in self.roles.own
        )

    def projects(self, act: Act) -> tuple[Project, ...]:
        """The projects in which the person may do this, by name."""
        return tuple(project for project in self.every if self._allows(act, project))

    def somewhere(self, act: Act) -> bool:
        """Whether the person may do this in at least one project, or could once there is one."""
        return self.all_projects(act) or bool(self.projects(act))

    def _allows(self, act: Act, project: Project) -> bool:
        return self.roles.in_project(project.id, closed=project.closed_at is not None).allows(act)


def permissions_of(services: Services, person_id: str) -> Permissions:
    """Where the person may do what, as it is stored now."""
    with services.database.read() as connection:
        return Permissions(people.all_roles(connection, person_id), projects.all_projects(connection))
