"""Who works here and what they may do: the check that every act begins with, roles, and the audit log."""

import getpass
from contextlib import suppress
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from comparator.domain.errors import Conflict, InputError, NotFound, RightsError
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act, Grants, Role
from comparator.store.core.sql import Unit
from comparator.store.pairs import comparisons, outputs
from comparator.store.people import people, projects
from comparator.store.people.projects import Project
from comparator.store.people.sessions import TAKEN
from comparator.store.upkeep import purge
from comparator.workflow.services import Services


def local_person(services: Services) -> people.Person:
    """The person at this machine, known by the name of their account; an admin, since the machine is theirs."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = "reviewer"
    subject = f"{people.LOCAL}{name}"
    with services.read() as connection:
        known = people.find(connection, subject)
    if known is not None:
        return known
    with services.write() as unit:
        return people.ensure_person(unit, subject, name=name)


def allows(unit: Unit, act: Act, project_id: str | None) -> bool:
    """Whether whoever acts may do this in the project, or (None) on the whole server."""
    return unit.who is None or people.grants(unit, unit.who, project_id=project_id).allows(act)


def require(unit: Unit, act: Act, project_id: str | None) -> None:
    """Raise RightsError unless whoever acts may do this in the project, or (None) on the whole server."""
    if not allows(unit, act, project_id):
        raise RightsError(f"You may not {act}. Ask a lead of the project or an admin for the role.")


def require_for(unit: Unit, act: Act, *, comparison_id: str) -> None:
    """As `require`, in the project of this comparison. Raises NotFound where there is none."""
    if unit.who is not None:
        require(unit, act, comparisons.get(unit, comparison_id).project_id)


def authorise(
    unit: Unit, doing: Act, kind: str, project_id: str | None, subject_id: str | None = None, /, **detail: Any
) -> None:
    """Allow an act and note it in the audit log, in the transaction that carries it out.

    Raises RightsError where the person may not do it; then nothing of the transaction stays.
    """
    require(unit, doing, project_id)
    unit.log(kind, project_id, subject_id, **detail)


def may(services: Services, act: Act, *, project_id: str | None = None, comparison_id: str = "") -> bool:
    """Whether whoever acts may do this in the project, or else with the comparison (False where there is none), or else
    on the whole server."""
    with services.read() as unit, suppress(NotFound):
        if comparison_id:
            project_id = comparisons.get(unit, comparison_id).project_id
        return allows(unit, act, project_id)
    return False


def name_of(services: Services, person_id: str) -> str:
    """The person's name. Raises NotFound."""
    with services.read() as connection:
        return people.get(connection, person_id).name


def give_role(services: Services, person_id: str, role: Role, *, project_id: str | None) -> None:
    """Give a role in a project or (None) everywhere. Raises RightsError, NotFound."""
    with services.write() as unit:
        _require_grant(unit, role, project_id=project_id)
        people.get(unit, person_id)
        if people.grant(unit, person_id, role, project_id=project_id, granted_by=services.who):
            unit.log("role_given", project_id, person_id, role=role)


def take_role(services: Services, person_id: str, role: Role, *, project_id: str | None) -> None:
    """Take a role away; that it was given stays known. Raises RightsError."""
    with services.write() as unit:
        _require_grant(unit, role, project_id=project_id)
        people.revoke(unit, person_id, role, project_id=project_id)
        unit.log(TAKEN, project_id, person_id, role=role)


def take_all_roles(services: Services, person_id: str, *, project_id: str | None) -> int:
    """Take all of a person's roles in a project, or (None) everywhere and in each project; how many there were.

    Raises RightsError, NotFound, and InputError for who works at this machine itself or has no role there.
    """
    with services.read() as connection:
        person = people.get(connection, person_id)
        held = people.all_roles(connection, person_id)
    if person.subject.startswith(people.LOCAL):
        raise InputError(f"{person.name} has a shell on this machine, and stays an admin.")
    every: dict[str | None, frozenset[Role]] = {None: held.everywhere}
    every.update(held.own)
    places = every if project_id is None else {project_id: every.get(project_id, frozenset[Role]())}
    held_roles = [(place, role) for place, roles in places.items() for role in sorted(roles)]
    if not held_roles:
        raise InputError(f"{person.name} has no role {'here' if project_id is None else 'in this project'}.")
    for place, role in held_roles:
        take_role(services, person_id, role, project_id=place)
    return len(held_roles)


def _require_grant(unit: Unit, role: Role, *, project_id: str | None) -> None:
    # A lead may make somebody a reviewer or viewer of their own project; everything else is an admin's.
    if project_id is not None and role in (Role.REVIEWER, Role.VIEWER):
        require(unit, Act.INVITE, project_id)
    else:
        require(unit, Act.GRANT, None)


class Permissions(NamedTuple):
    """The person's roles, and which projects there were, at one moment."""

    roles: people.Roles
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


def permissions_of(services: Services) -> Permissions:
    """Where the person who acts may do what, as it is stored now."""
    with services.read() as connection:
        return Permissions(people.all_roles(connection, services.person), projects.all_projects(connection))


def may_see_output(services: Services, person_id: str, id: str) -> bool:
    """Whether the person may see the output, or file of an output, under this id; False for an unknown one.

    A reference answer that its project hides is for those only who may change that.
    """
    with services.read() as connection:
        view = outputs.view_of(connection, id)
        for pair in comparisons.of_view(connection, view):
            roles = people.grants(connection, person_id, project_id=pair.project_id)
            visible = (
                view != pair.reference_view
                or projects.get(connection, pair.project_id).settings.show_reference
            )
            if roles.allows(Act.READ if visible else Act.CHANGE_SETTINGS):
                return True
    return False


class AuditEntry(Frozen):
    """One act, with the names of who and where as they are called now."""

    event: people.Event
    person: str
    project: str


def audit_log(
    services: Services, *, project_id: str | None = None, limit: int = 200, before: str | None = None
) -> tuple[AuditEntry, ...]:
    """The newest acts first, of one project or all; with `before`, those that follow the act with this id.

    Raises RightsError, NotFound.
    """
    with services.read() as unit:
        require(unit, Act.SEE_AUDIT, None)
        events = people.recent_acts(unit, project_id=project_id, limit=limit, before=before)
        names = {person.id: person.name for person in people.all_people(unit)}
        titles = {project.id: project.name for project in projects.all_projects(unit)}
    return tuple(
        AuditEntry(
            event=event,
            person=names.get(event.person_id or "", "this program"),
            project=titles.get(event.project_id or "", ""),
        )
        for event in events
    )


def members_of(services: Services, *, project_id: str | None) -> tuple[people.RoleOfPerson, ...]:
    """Who holds which role in the project, or (None) everywhere. Raises RightsError."""
    with services.read() as unit:
        require(unit, Act.INVITE if project_id else Act.GRANT, project_id)
        return people.members(unit, project_id=project_id)


def everybody(services: Services, *, project_id: str | None) -> tuple[people.Person, ...]:
    """Everyone who was ever here, to give them a role. Raises RightsError."""
    with services.read() as unit:
        require(unit, Act.INVITE if project_id else Act.GRANT, project_id)
        return people.all_people(unit)


def person_named(services: Services, name: str) -> people.Person:
    """The person with this name, address or id. Raises InputError where it is none or several, RightsError."""
    with services.read() as unit:
        require(unit, Act.GRANT, None)
        persons = [
            person for person in people.all_people(unit) if name in (person.id, person.name, person.email)
        ]
    if not persons:
        raise InputError(
            f"Nobody here is called {name[:80]!r}. Give the name, address or id of somebody who has signed "
            "in, or invite the person with `comparator people invite`."
        )
    if len(persons) > 1:
        which = "; ".join(f"{person.id} ({person.email or 'no address'})" for person in persons[:9])
        raise InputError(
            f"{len(persons)} people here are called {name[:80]!r}. Give one id of these: {which}."
        )
    return persons[0]


def export_person(services: Services, person_id: str) -> dict[str, Any]:
    """All that the database holds about the person, by table, in values of JSON. Raises NotFound, RightsError."""
    with services.write() as unit:
        people.get(unit, person_id)
        authorise(unit, Act.GRANT, "person_exported", None, person_id)
        rows = purge.everything(unit, person_id)
    exported: dict[str, Any] = TypeAdapter(Any).dump_python(rows, mode="json")
    return exported


def erase_person(services: Services, person_id: str, *, reason: str) -> None:
    """Take the person's name, address and sign-in out for good; reviews and their reasons stay, without a name.

    Raises RightsError, NotFound, InputError without a
    reason, and Conflict for oneself.
    """
    if not reason.strip():
        raise InputError("Say why the person is erased: the audit log keeps the reason.")
    if person_id == services.who:
        raise Conflict("That is you. Another admin has to erase you.")
    with services.write() as unit:
        people.get(unit, person_id)
        authorise(unit, Act.PURGE, "person_erased", None, person_id, reason=reason.strip())
        purge.erase(unit, person_id)
