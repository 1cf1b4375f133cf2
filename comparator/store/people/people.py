"""People, their roles, and the audit log: who did what, when; only ever added to."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Select, and_, or_, select

from comparator.domain.labels import Frozen
from comparator.domain.rights import Grants, Role
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, scalars, several

LOCAL = "local:"
"""Begins the subject of whoever has a shell on the machine; that one may do everything."""
_person, _role, _project = tables.person.c, tables.role.c, tables.project.c


class Person(Stored, table=tables.person):
    """Someone who works with the app; `subject` is who the sign-in says it is."""

    id: str
    subject: str
    name: str
    email: str | None = None
    created_at: AwareDatetime


def ensure_person(unit: Unit, subject: str, *, name: str, email: str | None = None) -> Person:
    """The person with this subject ("local:ada", "oidc:issuer|id"), created if new."""
    return unit.ensure(Person, {"subject": subject}, name=name, email=email)


get = Person.get


def find(connection: Connection, subject: str) -> Person | None:
    """The person with this subject; None where nobody has it."""
    return Person.find(connection, _person.subject == subject)


def all_people(connection: Connection) -> tuple[Person, ...]:
    """Everyone, by name."""
    return Person.all(connection, by=[_person.name, _person.id])


def grant(unit: Unit, person_id: str, role: Role, *, project_id: str | None, granted_by: str | None) -> bool:
    """Give a role, in one project or (None) in all; whether it is new."""
    given = {"person_id": person_id, "project_id": project_id, "granted_by": granted_by}
    return unit.add_new(tables.role, role=role, **given)


def revoke(unit: Unit, person_id: str, role: Role, *, project_id: str | None) -> None:
    """Take a role away; that it was given stays known."""
    given = (_role.person_id == person_id, _role.role == role, _role.project_id == project_id)
    unit.update(tables.role, *given, _role.revoked_at.is_(None), revoked_at=unit.at)


class Roles(Frozen):
    """The roles of a person: those that hold everywhere, and their own in projects, by id."""

    everywhere: frozenset[Role]
    own: Mapping[str, frozenset[Role]]

    def in_project(self, project_id: str, *, closed: bool) -> Grants:
        """What these are in a project."""
        return Grants(roles=self.everywhere | self.own.get(project_id, frozenset()), closed=closed)


def grants(connection: Connection, person_id: str, *, project_id: str | None) -> Grants:
    """What the person holds in a project, or (None) everywhere; nothing for whoever is not known."""
    here = or_(_role.project_id.is_(None), _role.project_id == project_id)
    closed = select(_project.closed_at).where(_project.id == project_id).scalar_subquery()
    rows = connection.execute(_roles_of(person_id, here).add_columns(closed.label("closed_at"))).all()
    is_closed = bool(rows) and rows[0].closed_at is not None
    return _roles_from(rows).in_project(project_id or "", closed=is_closed)


def all_roles(connection: Connection, person_id: str) -> Roles:
    """What the person holds, everywhere and in each project; nothing for whoever is not known."""
    return _roles_from(connection.execute(_roles_of(person_id)).all())


def _roles_of(person_id: str, *where: ColumnElement[bool]) -> Select[Any]:
    """A row for each of the person's roles that meets the conditions; one without a role where none does."""
    theirs = and_(_role.person_id == _person.id, _role.revoked_at.is_(None), *where)
    query = select(_person.subject, _role.project_id, _role.role).where(_person.id == person_id)
    return query.join_from(tables.person, tables.role, theirs, isouter=True)


def _roles_from(rows: Sequence[Any]) -> Roles:
    everywhere: set[Role] = set()
    own: dict[str, set[Role]] = {}
    for row in rows:
        if row.subject.startswith(LOCAL):
            everywhere.add(Role.ADMIN)
        if row.role is not None:
            (own.setdefault(row.project_id, set()) if row.project_id else everywhere).add(Role(row.role))
    return Roles(everywhere=frozenset(everywhere), own={id: frozenset(roles) for id, roles in own.items()})


def given_by_sign_in(connection: Connection, person_id: str) -> frozenset[Role]:
    """The roles everywhere that the sign-in gave, rather than a person."""
    return frozenset(map(Role, scalars(connection, select(_role.role).where(*_by_sign_in(person_id)))))


def _by_sign_in(person_id: str) -> tuple[ColumnElement[bool], ...]:
    missing = (column.is_(None) for column in (_role.project_id, _role.granted_by, _role.revoked_at))
    return (_role.person_id == person_id, *missing)


def take_sign_in_roles(unit: Unit, person_id: str, roles: Collection[Role]) -> None:
    """Take away roles that the sign-in gave; those that a person gave stay."""
    unit.update(tables.role, *_by_sign_in(person_id), _role.role.in_(roles), revoked_at=unit.at)


class RoleOfPerson(Frozen):
    """One role of one person, in a project or (None) everywhere."""

    person_id: str
    name: str
    subject: str
    role: Role
    project_id: str | None
    granted_at: AwareDatetime
    granted_by: str | None


def members(connection: Connection, *, project_id: str | None) -> tuple[RoleOfPerson, ...]:
    """The roles given in this project, or (None) those given everywhere; by name."""
    query = (
        select(*(_role[n] if n in _role else _person[n] for n in RoleOfPerson.model_fields))
        .join(tables.person, _person.id == _role.person_id)
        .where(_role.revoked_at.is_(None), _role.project_id == project_id)
    )
    return several(connection, query.order_by(_person.name, _person.id, _role.role), RoleOfPerson)


class Event(Stored, table=tables.event):
    """One act."""

    id: str
    at: AwareDatetime
    kind: str
    person_id: str | None
    project_id: str | None
    subject_id: str | None
    detail: dict[str, Any]


def recent_acts(
    connection: Connection, *, project_id: str | None = None, limit: int = 100, before: str | None = None
) -> tuple[Event, ...]:
    """The newest acts first; with `before`, those that follow the act with this id. Raises NotFound for no such act."""
    event = tables.event.c
    query = Event.select().order_by(event.at.desc(), event.id).limit(limit)
    if project_id is not None:
        query = query.where(event.project_id == project_id)
    if before is not None:
        last = Event.get(connection, before)
        # Several acts may share a moment.
        query = query.where(or_(event.at < last.at, and_(event.at == last.at, event.id > last.id)))
    return several(connection, query, Event)
