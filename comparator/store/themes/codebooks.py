"""The changes of a project's codebook, the oldest first."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.domain.themes import Codebook, ThemeChange, codebook_of
from comparator.store import tables
from comparator.store.core.sql import insert_one, lock

_theme_change = tables.theme_change.c
_VALUE = frozenset({"themes", "theme", "into", "name", "test", "findings", "undoes"})


def changes(connection: sa.Connection, project_id: str) -> tuple[ThemeChange, ...]:
    """All changes, the oldest first."""
    query = (
        sa.select(
            _theme_change.id,
            _theme_change.seq,
            _theme_change.kind,
            _theme_change.at,
            _theme_change.person_id,
            _theme_change.value,
        )
        .where(_theme_change.project_id == project_id)
        .order_by(_theme_change.seq)
    )
    return tuple(
        ThemeChange.model_validate(
            {
                "id": row.id,
                "seq": row.seq,
                "kind": row.kind,
                "at": row.at,
                "person_id": row.person_id,
                **row.value,
            }
        )
        for row in connection.execute(query)
    )


def codebook(connection: sa.Connection, project_id: str) -> Codebook:
    """The codebook that holds."""
    return codebook_of(changes(connection, project_id))


def next_seq(connection: sa.Connection, project_id: str) -> int:
    """The number of the next change; nobody else adds one until the transaction ends. Raises NotFound."""
    lock(connection, tables.project, project_id, what="such project")
    newest = connection.execute(
        sa.select(sa.func.max(_theme_change.seq)).where(_theme_change.project_id == project_id)
    ).scalar()
    return int(newest or 0) + 1


def add(connection: sa.Connection, project_id: str, change: ThemeChange) -> None:
    """Keep a change."""
    insert_one(
        connection,
        tables.theme_change,
        id=change.id,
        project_id=project_id,
        seq=change.seq,
        kind=change.kind.value,
        value=change.model_dump(mode="json", include=set(_VALUE), exclude_defaults=True),
        person_id=change.person_id,
        at=change.at,
    )
