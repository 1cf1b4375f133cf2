"""Everything about one person in the database, and taking the person out of it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, or_, select

from comparator.store import tables
from comparator.store.core.sql import Connection, Unit, permit

ERASED = "erased person"
_SECRET = frozenset({"token_hash"})


def everything(connection: Connection, person_id: str) -> dict[str, list[dict[str, Any]]]:
    """All rows that refer to the person, by table; the person's own row stands under "person".

    Hashes of sessions and links are left out: they are keys, not facts about somebody.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for table in tables.metadata.sorted_tables:
        refers = [column for column in table.c if _refers(column)]
        if table is tables.person:
            refers = [tables.person.c.id]
        if not refers:
            continue
        query = select(table).where(or_(*(column == person_id for column in refers)))
        rows = [
            {name: value for name, value in row.items() if name not in _SECRET}
            for row in connection.execute(query).mappings()
        ]
        if rows:
            found[table.name] = rows
    return found


def erase(unit: Unit, person_id: str) -> None:
    """Take name, address and sign-in of the person out; what they said stays, said by nobody in particular.

    Their roles and sign-ins end. The names in their invitations go too, in the audit log as well.
    """
    person, invitation, event = tables.person, tables.invitation, tables.event
    invited = unit.scalars(select(invitation.c.id).where(invitation.c.accepted_by == person_id))
    for table, owner, ended in (
        (tables.role, tables.role.c.person_id, "revoked_at"),
        (tables.sign_in, tables.sign_in.c.person_id, "ended_at"),
        (invitation, invitation.c.accepted_by, "revoked_at"),
    ):
        unit.update(table, owner == person_id, table.c[ended].is_(None), **{ended: unit.at})
    with permit(unit):
        unit.update(person, person.c.id == person_id, name=ERASED, email=None, subject=f"erased:{person_id}")
        unit.update(invitation, invitation.c.id.in_(invited), name=ERASED)
        named = select(event.c.id, event.c.detail).where(event.c.subject_id.in_(invited))
        for row in unit.execute(named).all():
            detail = {key: ERASED if key == "name" else value for key, value in row.detail.items()}
            unit.update(event, event.c.id == row.id, detail=detail)


def _refers(column: Column[Any]) -> bool:
    return any(key.column is tables.person.c.id for key in column.foreign_keys)
