"""Whether the database is sound and can be written."""

from __future__ import annotations

import contextlib

from sqlalchemy import Text, cast, func, select

from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.sql import insert_one

MOST_PROBLEMS = 10


def damage(database: Database) -> tuple[str, ...]:
    """What is broken in the database, a line each; nothing where all pages, indexes and references are sound.

    Reads everything: about a second for each gigabyte on SQLite. Raises StoreError where it cannot be read at all.
    """
    with database.read() as connection:
        if connection.dialect.name == "sqlite":
            lines = connection.exec_driver_sql(f"PRAGMA integrity_check({MOST_PROBLEMS})").scalars()
            found = [str(line) for line in lines if line != "ok"]
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(MOST_PROBLEMS)
            return (
                *found,
                *(f"a row of {row[0]} refers to a row of {row[2]} that is gone" for row in broken),
            )
        for table in tables.metadata.sorted_tables:
            # Reading each value as text has the server check every page and every long value.
            longest = (func.max(func.length(cast(column, Text))) for column in table.columns)
            connection.execute(select(*longest)).one()
    return ()


def try_writing(database: Database) -> None:
    """Write a row and take it back. Raises StoreError where the database cannot be written."""
    with contextlib.suppress(_Undo), database.write() as connection:
        insert_one(connection, tables.purge_permit, id="doctor")
        raise _Undo


class _Undo(Exception):
    """Ends a transaction without keeping it."""
