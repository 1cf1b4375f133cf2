"""The codebook of a project: one document, replaced as a whole."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.domain.themes import Codebook
from comparator.store import tables
from comparator.store.core.sql import lock

_project = tables.project.c


def codebook(connection: sa.Connection, project_id: str) -> Codebook:
    """The codebook; an empty one before the first draft."""
    query = sa.select(_project.codebook).where(_project.id == project_id)
    return Codebook.model_validate(connection.execute(query).scalar() or {})


def to_change(connection: sa.Connection, project_id: str) -> Codebook:
    """The codebook; nobody else changes it until the transaction ends. Raises NotFound."""
    lock(connection, tables.project, project_id, what="such project")
    return codebook(connection, project_id)


def replace(connection: sa.Connection, project_id: str, book: Codebook) -> None:
    """Keep this codebook in place of the one before."""
    connection.execute(tables.project.update().where(_project.id == project_id).values(codebook=book))
