"""People, and their roles."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.ids import NewId
from comparator.store.sql import insert_new, one, several


class Role(StrEnum):
    """What a person may do, most first."""

    ADMIN = "admin"
    LEAD = "lead"
    REVIEWER = "reviewer"
    VIEWER = "viewer"


class Person(Frozen):
    """Someone who works with the app; `subject` is who the sign-in says it is."""

    id: str
    subject: str
    name: str
    email: str | None = None
    created_at: AwareDatetime


_p, _r = tables.person.c, tables.role.c


def ensure_person(
    connection: sa.Connection,
    subject: str,
    *,
    name: str,
    email: str | None = None,
    new_id: NewId,
    at: datetime,
) -> Person:
    """The person with this subject ("local:ada", "oidc:issuer|id"), created if new."""
    query = sa.select(tables.person).where(_p.subject == subject)
    if connection.execute(query).first() is None:
        values = {"id": new_id(), "subject": subject, "name": name, "email": email, "created_at": at}
        insert_new(connection, tables.person, values)
    return one(connection, query, Person, what=f"person {subject!r}")


def get(connection: sa.Connection, person_id: str) -> Person:
    """The person. Raises NotFound."""
    return one(connection, sa.select(tables.person).where(_p.id == person_id), Person, what="such person")


def all_people(connection: sa.Connection) -> tuple[Person, ...]:
    """Everyone, by name."""
    return several(connection, sa.select(tables.person).order_by(_p.name, _p.id), Person)


def grant(
    connection: sa.Connection,
    person_id: str,
    role: Role,
    *,
    project_id: str | None,
    granted_by: str | None,
    new_id: NewId,
    at: datetime,
) -> bool:
    """Give a role, in one project or (None) in all; whether it is new."""
    return insert_new(
        connection,
        tables.role,
        {
            "id": new_id(),
            "person_id": person_id,
            "project_id": project_id,
            "role": role.value,
            "granted_at": at,
            "granted_by": granted_by,
        },
    )


def revoke(
    connection: sa.Connection, person_id: str, role: Role, *, project_id: str | None, at: datetime
) -> None:
    """Take a role away; that it was held stays known."""
    same_project = _r.project_id.is_(None) if project_id is None else _r.project_id == project_id
    connection.execute(
        tables.role.update()
        .where(_r.person_id == person_id, _r.role == role.value, same_project, _r.revoked_at.is_(None))
        .values(revoked_at=at)
    )


def roles(connection: sa.Connection, person_id: str, *, project_id: str) -> frozenset[Role]:
    """What the person may do in a project."""
    query = sa.select(_r.role).where(
        _r.person_id == person_id,
        _r.revoked_at.is_(None),
        sa.or_(_r.project_id.is_(None), _r.project_id == project_id),
    )
    return frozenset(Role(name) for name in connection.execute(query).scalars())
