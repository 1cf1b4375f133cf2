"""The changes of a project's codebook, and the labels that people give to findings."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from comparator.domain.themes import Codebook, ThemeChange, codebook_of
from comparator.store import tables
from comparator.store.core.sql import insert_one, lock
from comparator.store.core.unit import Unit

_theme_change, _theme_label = tables.theme_change.c, tables.theme_label.c
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


def label(unit: Unit, finding_id: str, themes: Sequence[str], *, project_id: str, person_id: str) -> None:
    """Keep to which themes a person takes a finding to belong; none of them is an empty list."""
    insert_one(
        unit.connection,
        tables.theme_label,
        id=unit.new_id(),
        project_id=project_id,
        finding_id=finding_id,
        person_id=person_id,
        themes=list(themes),
        at=unit.at,
    )


def labels(connection: sa.Connection, project_id: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """By finding and person, the themes that they said last."""
    query = (
        sa.select(_theme_label.finding_id, _theme_label.person_id, _theme_label.themes)
        .where(_theme_label.project_id == project_id)
        .order_by(_theme_label.at, _theme_label.id)
    )
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in connection.execute(query):
        found.setdefault(row.finding_id, {})[row.person_id] = tuple(row.themes)
    return found
