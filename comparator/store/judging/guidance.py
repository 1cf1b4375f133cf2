"""A project's guidance: its versions, and which one holds."""

from __future__ import annotations

from decimal import Decimal

from pydantic import AwareDatetime
from sqlalchemy import Connection, select

from comparator.domain.guidance import Guidance
from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import Unit, lock, one, several
from comparator.store.people import projects
from comparator.store.tables.base import MONEY_PLACES

_guidance = tables.guidance.c


class Version(Frozen):
    """One version of a project's guidance, which is never altered; `author` is a person's name or a model's."""

    id: str
    project_id: str
    number: int
    text: str
    author: str
    cost: Decimal | None
    """What a model's draft cost, in US dollars."""
    created_at: AwareDatetime
    created_by: str | None

    @property
    def guidance(self) -> Guidance:
        """What a judge gets of it."""
        return Guidance(number=self.number, text=self.text)


def add(
    unit: Unit,
    project_id: str,
    text: str,
    *,
    author: str,
    cost: Decimal | None = None,
) -> Version:
    """Store the project's next version."""
    lock(unit.connection, tables.project, project_id)
    number = len(versions(unit.connection, project_id)) + 1
    unit.add(
        tables.guidance,
        id=unit.new_id(),
        project_id=project_id,
        number=number,
        text=text,
        author=author,
        cost=None if cost is None else cost.quantize(Decimal(1).scaleb(-MONEY_PLACES)),
        created_by=unit.who,
    )
    return numbered(unit.connection, project_id, number)


def numbered(connection: Connection, project_id: str, number: int) -> Version:
    """The project's version of this number. Raises NotFound."""
    query = select(tables.guidance).where(_guidance.project_id == project_id, _guidance.number == number)
    return one(connection, query, Version, what=f"guidance version {number} in this project")


def versions(connection: Connection, project_id: str) -> tuple[Version, ...]:
    """All versions of a project, the newest first."""
    query = select(tables.guidance).where(_guidance.project_id == project_id)
    return several(connection, query.order_by(_guidance.number.desc()), Version)


def adopted(connection: Connection, project_id: str) -> Version | None:
    """The version that holds now; None where there is none."""
    number = projects.get(connection, project_id).settings.guidance
    return None if number is None else numbered(connection, project_id, number)
