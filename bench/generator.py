"""Histories of any size: the demo's judged, reviewed and revealed pairs, and copies that the database makes of them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import sqlalchemy as sa

from bench.browser import ROOT
from comparator.domain.project import ReviewMode
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import changed
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.services import Services

LINES = ROOT / "examples" / "demo" / "comparisons.jsonl"
NAME = "Generated"
_MOVED = {tables.task.c.key, tables.judgment.c.set_digest, tables.review.c.judgment_set}
"""Columns that differ from copy to copy, beside ids and references."""


def generate(database: Database, comparisons: int, *, blobs: BlobStore | None = None) -> str:
    """Fill an empty database with a revealed project of about so many comparisons; its id.

    Nobody else may write to the database meanwhile.
    """
    with tempfile.TemporaryDirectory(prefix="bench-home-") as home:
        store = blobs or BlobStore.at(os.fspath(ROOT / "build" / "bench-blobs"))
        services = Services(settings=Settings(home=Path(home)), database=database, blobs=store)
        request = ImportRequest(path=LINES, project=NAME, mode=ReviewMode.BLIND_FIRST)
        import_path(services, request, on_step=lambda _: None)
    for number in range(1, round(comparisons / len(LINES.read_text("utf-8").splitlines()))):
        with database.write() as connection:
            _copy(connection, f"{number:05d}")
    with database.write() as connection:
        project_id = str(
            connection.scalar(sa.select(tables.project.c.id).where(tables.project.c.name == NAME))
        )
        changed(connection, projects=[project_id])
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")
    return project_id


def _belonging() -> tuple[sa.Table, ...]:
    """Tasks, views, and all that needs one of them, however far; a table comes behind those that it refers to."""
    found = {tables.task, tables.view}
    for table in tables.metadata.sorted_tables:
        needs = any(key.column.table in found and not key.parent.nullable for key in table.foreign_keys)
        if needs or table is tables.attempt:
            found.add(table)
    return tuple(table for table in tables.metadata.sorted_tables if table in found)


_BELONGING = _belonging()


def _copy(connection: sa.Connection, prefix: str) -> None:
    """Put what was imported into the database once more: digits before its ids, with which no other id begins."""
    if connection.dialect.name == "postgresql":
        # What the rows refer to is there; to look for it each time would take most of an hour.
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
    for table in _BELONGING:
        moved = {
            column.name
            for column in table.columns
            if column.name == "id"
            or column in _MOVED
            or any(key.column.table in _BELONGING for key in column.foreign_keys)
        }
        own = next(column for column in table.columns if column.name in moved and not column.nullable)
        values = [
            sa.literal(prefix).concat(sa.func.substr(column, 1, 59)) if column.name in moved else column
            for column in table.columns
        ]
        original = sa.select(*values).where(own >= "1")
        connection.execute(table.insert().from_select([column.name for column in table.columns], original))
