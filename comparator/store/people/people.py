"""People, and their roles."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Connection, Select, and_, or_, select

from comparator.domain.labels import Frozen
from comparator.domain.rights import Grants, Role
from comparator.store import tables
from comparator.store.core.sql import Stored, maybe, one, several
from comparator.store.core.unit import Unit

LOCAL = "local:"
"""Begins the subject of whoever has a shell on the machine; that one may do everything."""


class Person(Stored, table=tables.person):
    """Someone who works with the app; `subject` is who the sign-in says it is."""

    id: str
    subject: str
    name: str
    email: str | None = None
    created_at: AwareDatetime


_person, _role = tables.person.c, tables.role.c


def ensure_person(unit: Unit, subject: str, *, name: str, email: str | None = None) -> Person:
    """The person with this subject ("local:ada", "oidc:issuer|id"), created if new."""
    query = select(tables.person).where(_person.subject == subject)
    if unit.execute(query).first() is None:
        unit.add_new(tables.person, subject=subject, name=name, email=email)
    return one(unit.connection, query, Person, what=f"person {subject!r}")


get = Person.get


def find(connection: Connection, subject: str) -> Person | None:
    """The person with this subject; None where nobody has it."""
    return maybe(connection, select(tables.person).where(_person.subject == subject), Person)


def all_people(connection: Connection) -> tuple[Person, ...]:
    """Everyone, by name."""
    return several(connection, select(tables.person).order_by(_person.name, _person.id), Person)


def grant(unit: Unit, person_id: str, role: Role, *, project_id: str | None, granted_by: str | None) -> bool:
    """Give a role, in one project or (None) in all; whether it is new."""
    return unit.add_new(
        tables.role,
        person_id=person_id,
        project_id=project_id,
        role=role.value,
        granted_by=granted_by,
    )


def revoke(unit: Unit, person_id: str, role: Role, *, project_id: str | None) -> None:
    """Take a role away; that it was given stays known."""
    same_project = _role.project_id.is_(None) if project_id is None else _role.project_id == project_id
    unit.update(
        tables.role,
        _role.person_id == person_id,
        _role.role == role.value,
        same_project,
        _role.revoked_at.is_(None),
        revoked_at=unit.at,
    )


class Roles(Frozen):
    """The roles of a person: those that hold everywhere, and their own in projects, by id."""

    everywhere: frozenset[Role]
    own: Mapping[str, frozenset[Role]]

    def in_project(self, project_id: str, *, closed: bool) -> Grants:
        """What these are in a project."""
        return Grants(roles=self.everywhere | self.own.get(project_id, frozenset()), closed=closed)


def grants(connection: Connection, person_id: str, *, project_id: str | None) -> Grants:
    """What the person holds in a project, or (None) everywhere; nothing for whoever is not known."""
    if project_id is None:
        rows = connection.execute(_roles_of(person_id, _role.project_id.is_(None))).all()
        return Grants(roles=_gathered(rows).everywhere)
    here = or_(_role.project_id.is_(None), _role.project_id == project_id)
    closed = select(tables.project.c.closed_at).where(tables.project.c.id == project_id)
    query = _roles_of(person_id, here).add_columns(closed.scalar_subquery().label("closed_at"))
    rows = connection.execute(query).all()
    return _gathered(rows).in_project(project_id, closed=bool(rows) and rows[0].closed_at is not None)


def all_roles(connection: Connection, person_id: str) -> Roles:
    """What the person holds, everywhere and in each project; nothing for whoever is not known."""
    return _gathered(connection.execute(_roles_of(person_id)).all())


def _roles_of(person_id: str, *conditions: ColumnElement[bool]) -> Select[Any]:
    """A row for each of the person's roles that meets the conditions; one without a role where none does."""
    theirs = and_(_role.person_id == _person.id, _role.revoked_at.is_(None), *conditions)
    return (
        select(_person.subject, _role.project_id, _role.role)
        .join_from(tables.person, tables.role, theirs, isouter=True)
        .where(_person.id == person_id)
    )


def _gathered(rows: Sequence[Any]) -> Roles:
    everywhere: set[Role] = set()
    own: dict[str, set[Role]] = {}
    for row in rows:
        if row.subject.startswith(LOCAL):
            everywhere.add(Role.ADMIN)
        if row.role is not None:
            (everywhere if row.project_id is None else own.setdefault(row.project_id, set())).add(
                Role(row.role)
            )
    return Roles(everywhere=frozenset(everywhere), own={id: frozenset(roles) for id, roles in own.items()})


def given_by_sign_in(connection: Connection, person_id: str) -> frozenset[Role]:
    """The roles everywhere that the sign-in gave, rather than a person."""
    query = select(_role.role).where(*_by_sign_in(person_id))
    return frozenset(Role(name) for name in connection.execute(query).scalars())


def _by_sign_in(person_id: str) -> tuple[ColumnElement[bool], ...]:
    return (
        _role.person_id == person_id,
        *(column.is_(None) for column in (_role.project_id, _role.granted_by, _role.revoked_at)),
    )


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
    here = _role.project_id.is_(None) if project_id is None else _role.project_id == project_id
    query = (
        select(
            _role.person_id,
            _person.name,
            _person.subject,
            _role.role,
            _role.project_id,
            _role.granted_at,
            _role.granted_by,
        )
        .join(tables.person, _person.id == _role.person_id)
        .where(_role.revoked_at.is_(None), here)
        .order_by(_person.name, _person.id, _role.role)
    )
    return several(connection, query, RoleOfPerson)
