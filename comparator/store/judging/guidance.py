"""A project's guidance: its versions, the splits that they were learnt from, and which one holds."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from typing import Any, Literal

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.guidance import Guidance, Sentence, Split, text_of
from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import by_key, insert_one, lock, maybe, one, several
from comparator.store.core.unit import Unit
from comparator.store.people import projects
from comparator.store.tables.base import MONEY_PLACES

_guidance_split, _guidance = tables.guidance_split.c, tables.guidance.c


class StoredSplit(Frozen):
    """A split as it was frozen; `digest` is that of its content."""

    id: str
    project_id: str
    number: int
    digest: str
    content: Split
    created_at: AwareDatetime
    created_by: str | None


class Version(Frozen):
    """One version of a project's guidance; it is never altered."""

    id: str
    project_id: str
    split_id: str
    number: int
    sentences: tuple[Sentence, ...]
    digest: str
    author_kind: Literal["model", "person"]
    author: str
    cost: Decimal | None
    created_at: AwareDatetime
    created_by: str | None

    @property
    def guidance(self) -> Guidance:
        """What a judge gets of it."""
        return Guidance(number=self.number, text=text_of(self.sentences))


class WrittenBy(Frozen):
    """Who wrote a version, a person or a model by its name, and what that cost in US dollars; None where unknown."""

    kind: Literal["model", "person"]
    name: str
    cost: Decimal | None = None


def add_split(unit: Unit, project_id: str, split: Split, *, person_id: str | None) -> StoredSplit:
    """Freeze a split as the project's next one."""
    lock(unit.connection, tables.project, project_id)
    id = unit.new_id()
    insert_one(
        unit.connection,
        tables.guidance_split,
        id=id,
        project_id=project_id,
        number=_next(unit.connection, tables.guidance_split, project_id),
        digest=split.digest,
        content=split,
        created_at=unit.at,
        created_by=person_id,
    )
    return get_split(unit.connection, id)


def get_split(connection: sa.Connection, split_id: str) -> StoredSplit:
    """The split. Raises NotFound."""
    return by_key(connection, tables.guidance_split, StoredSplit, split_id)


def newest_split(connection: sa.Connection, project_id: str) -> StoredSplit | None:
    """The project's newest split; None before anything was drafted."""
    query = sa.select(tables.guidance_split).where(_guidance_split.project_id == project_id)
    return maybe(connection, query.order_by(_guidance_split.number.desc()).limit(1), StoredSplit)


def add(
    unit: Unit,
    split: StoredSplit,
    sentences: tuple[Sentence, ...],
    *,
    by: WrittenBy,
    person_id: str | None,
) -> Version:
    """Store a draft as the project's next version; what it cost counts already."""
    lock(unit.connection, tables.project, split.project_id)
    id = unit.new_id()
    insert_one(
        unit.connection,
        tables.guidance,
        id=id,
        project_id=split.project_id,
        split_id=split.id,
        number=_next(unit.connection, tables.guidance, split.project_id),
        sentences=sentences,
        digest=hashlib.sha256(text_of(sentences).encode("utf-8", "replace")).hexdigest(),
        author_kind=by.kind,
        author=by.name,
        cost=None if by.cost is None else by.cost.quantize(Decimal(1).scaleb(-MONEY_PLACES)),
        created_at=unit.at,
        created_by=person_id,
    )
    return get(unit.connection, id)


def get(connection: sa.Connection, guidance_id: str) -> Version:
    """The version. Raises NotFound."""
    return by_key(connection, tables.guidance, Version, guidance_id)


def numbered(connection: sa.Connection, project_id: str, number: int) -> Version:
    """The project's version of this number. Raises NotFound."""
    query = sa.select(tables.guidance).where(_guidance.project_id == project_id, _guidance.number == number)
    return one(connection, query, Version, what=f"guidance version {number} in this project")


def versions(connection: sa.Connection, project_id: str) -> tuple[Version, ...]:
    """All versions of a project, the newest first."""
    query = sa.select(tables.guidance).where(_guidance.project_id == project_id)
    return several(connection, query.order_by(_guidance.number.desc()), Version)


def adopted(connection: sa.Connection, project_id: str) -> Version | None:
    """The version that holds now; None where there is none."""
    number = projects.get(connection, project_id).settings.guidance
    return None if number is None else numbered(connection, project_id, number)


def _next(connection: sa.Connection, table: sa.Table, project_id: str) -> int:
    query: sa.Select[Any] = sa.select(sa.func.coalesce(sa.func.max(table.c.number), 0))
    return int(connection.execute(query.where(table.c.project_id == project_id)).scalar_one()) + 1
