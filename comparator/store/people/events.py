"""The audit log: who did what, when; only ever added to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import and_, or_, select

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import Connection, Unit, one, several


class Event(Frozen):
    """One act."""

    id: str
    at: AwareDatetime
    kind: str
    person_id: str | None
    project_id: str | None
    subject_id: str | None
    detail: dict[str, Any]


def log(unit: Unit, kind: str, *, detail: Mapping[str, Any] | None = None, **about: str | None) -> None:
    """Add an act to the log, in the transaction of the act itself; it is `about` a project_id or a subject_id."""
    unit.add(tables.event, kind=kind, person_id=unit.who, detail=dict(detail or {}), **about)


def recent(
    connection: Connection,
    *,
    project_id: str | None = None,
    limit: int = 100,
    before: str | None = None,
) -> tuple[Event, ...]:
    """The newest acts first; with `before`, those that follow the act with this id. Raises NotFound for no such act."""
    event = tables.event.c
    query = select(tables.event).order_by(event.at.desc(), event.id).limit(limit)
    if project_id is not None:
        query = query.where(event.project_id == project_id)
    if before is not None:
        last = one(connection, select(tables.event).where(event.id == before), Event, what="such act")
        # Several acts may share a moment.
        query = query.where(or_(event.at < last.at, and_(event.at == last.at, event.id > last.id)))
    return several(connection, query, Event)
