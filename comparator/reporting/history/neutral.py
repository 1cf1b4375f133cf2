"""Lists for people who are blind: the candidates' names are taken out of titles, tags and names of projects."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from comparator.domain.blinding.scan import neutral
from comparator.reporting.history.listing import HistoryRow
from comparator.store import tables
from comparator.store.core.database import Connection, Database


def neutral_rows(database: Database, rows: Sequence[HistoryRow]) -> tuple[HistoryRow, ...]:
    """The rows with neutral words where an unrevealed pair's title, tags or project name a candidate of its project."""
    closed = {row.line.project_id for row in rows if row.made_by is None}
    with database.read() as connection:
        names = {project: _names(connection, project) for project in closed}
    return tuple(
        row if row.made_by is not None else _neutral(row, names[row.line.project_id]) for row in rows
    )


def neutral_name(database: Database, project_id: str, name: str) -> str:
    """The name of a project without the names of its candidates."""
    with database.read() as connection:
        names = _names(connection, project_id)
    return neutral((name,), names=names)[0]


def numbers(database: Database, project_id: str) -> tuple[tuple[int, str], ...]:
    """Each candidate's neutral number with its name, for whoever leads the project; says nothing of A and B."""
    candidate = tables.candidate.c
    query = sa.select(candidate.neutral_number, candidate.name, candidate.iteration).where(
        candidate.project_id == project_id, candidate.merged_into.is_(None)
    )
    with database.read() as connection:
        return tuple(
            (row.neutral_number, f"{row.name}, {row.iteration}" if row.iteration else row.name)
            for row in connection.execute(query.order_by(candidate.neutral_number))
        )


def _names(connection: Connection, project_id: str) -> tuple[str, ...]:
    candidate = tables.candidate.c
    query = (
        sa.select(candidate.name)
        .where(candidate.project_id == project_id)
        .distinct()
        .order_by(candidate.name)
    )
    return tuple(connection.execute(query).scalars())


def _neutral(row: HistoryRow, names: tuple[str, ...]) -> HistoryRow:
    line = row.line
    title, project_name, *tags = neutral((line.title, line.project_name, *line.tags), names=names)
    changed = {"title": title, "project_name": project_name, "tags": tuple(tags)}
    return row.model_copy(update={"line": line.model_copy(update=changed)})
