"""Generated histories are what the app itself would have written: the facts in them follow from the rest."""

from __future__ import annotations

import sqlalchemy as sa

from bench.generator import generate
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.facts import fact


def test_the_facts_of_a_generated_history_follow_from_its_other_rows(
    database: Database, blobs: BlobStore
) -> None:
    generate(database, 150, blobs=blobs)

    with database.read() as connection:
        rows = connection.execute(sa.select(tables.fact)).mappings().all()
        for row in rows:
            derived = fact.derive(connection, row["comparison_id"])
            assert {name: row[name] for name in derived} == derived
        counted = {
            table: connection.scalar(sa.select(sa.func.count()).select_from(table))
            for table in (tables.comparison, tables.task, tables.review)
        }
        assert (len(rows), counted[tables.comparison], counted[tables.task]) == (144, 144, 24)
        assert (counted[tables.review] or 0) >= 144
        if connection.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall() == []
