"""Whether what is stored can still be read: pages of the database, its writing, and a sample of the blobs."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Sequence

from sqlalchemy import Text, cast, func, select

from comparator.domain.errors import NotFound, StoreError
from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import insert_one, number

MOST_PROBLEMS = 10
LONGEST_READ = 64 << 20
"""Larger blobs are not read whole: only whether they are there, with their size."""


class Sample(Frozen):
    """What a look at some of the blobs found."""

    looked_at: int
    stored: int
    """How many the database knows."""
    problems: tuple[str, ...] = ()


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


def sample_blobs(
    database: Database,
    blobs: BlobStore,
    *,
    most: int,
    start: Callable[[], str] = lambda: secrets.token_hex(32),
) -> Sample:
    """Read up to `most` of the stored blobs, from a random one on, and compare each with its hash and size."""
    blob = tables.blob.c
    with database.read() as connection:
        stored = number(connection, tables.blob)
        first = start()
        query = select(blob.digest, blob.size).order_by(blob.digest).limit(most)
        rows = connection.execute(query.where(blob.digest >= first)).all()
        if len(rows) < most:
            rows = [*rows, *connection.execute(query.where(blob.digest < first).limit(most - len(rows)))]
    problems = [problem for row in rows if (problem := _problem(blobs, row.digest, row.size))]
    return Sample(looked_at=len(rows), stored=stored, problems=_first(problems))


def _problem(blobs: BlobStore, digest: str, size: int) -> str | None:
    try:
        if size <= LONGEST_READ:
            blobs.get(digest)
        elif (found := blobs.size(digest)) != size:
            return f"{digest[:12]}… has {found} bytes instead of {size}"
    except NotFound:
        return f"{digest[:12]}… is missing"
    except StoreError as error:
        return str(error).partition(". ")[0]
    return None


def _first(problems: Sequence[str]) -> tuple[str, ...]:
    more = len(problems) - MOST_PROBLEMS
    return (*problems[:MOST_PROBLEMS], *([f"and {more} more"] if more > 0 else []))
