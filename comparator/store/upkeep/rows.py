"""All rows of a database as they are stored, for moving them elsewhere: read, written and told apart by digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, select

from comparator.domain.errors import StoreError
from comparator.domain.labels import Frozen
from comparator.store.core.sql import scalars
from comparator.store.tables import metadata
from comparator.store.tables.base import Doc, Exact, SafeText, Utc

BATCH = 500
TRANSIENT = frozenset({"entry_try", "purge_permit", "worker", "lease"})
"""What processes that run at this moment hold or count; it means nothing elsewhere."""
NAMES = tuple(table.name for table in metadata.sorted_tables if table.name not in TRANSIENT)
"""The tables that are moved, each after those that it refers to."""


class RowCount(Frozen):
    """How many rows a table has, and a digest of them all that does not depend on their order."""

    rows: int
    digest: str


def counted(lines: Iterable[str]) -> RowCount:
    """How many rows these are, a line each, and their digest."""
    rows = total = 0
    for line in lines:
        rows += 1
        total += int.from_bytes(hashlib.sha256(line.encode()).digest())
    return RowCount(rows=rows, digest=f"{total % (1 << 256):064x}")


def lines(connection: Connection, name: str) -> Iterator[str]:
    """The rows of a table as lines of JSON, each after the row of the same table that it refers to."""
    table = _PLAIN[name]
    own = next(
        (str(k.parent.name) for k in metadata.tables[name].foreign_keys if k.column.table.name == name), None
    )
    query = select(table)
    if own is None:
        yield from _read(connection, query)
        return
    # Only rows that refer to others have to wait, and those are few.
    yield from _read(connection, query.where(table.c[own].is_(None)))
    waiting = list(connection.execute(query.where(table.c[own].is_not(None))).mappings())
    ids = {row["id"] for row in waiting}
    while waiting:
        ready = [row for row in waiting if row[own] not in ids] or waiting
        yield from (_line(row.values()) for row in ready)
        ids -= {row["id"] for row in ready}
        waiting = [row for row in waiting if row["id"] in ids]


def write(connection: Connection, name: str, rows: Iterable[str]) -> None:
    """Insert lines of JSON into a table."""
    table = _PLAIN[name]
    batch: list[dict[str, Any]] = []
    for line in rows:
        values = zip(table.columns, json.loads(line), strict=True)
        batch.append(
            {
                column.name: datetime.fromisoformat(value)
                if value and isinstance(column.type, Utc)
                else value
                for column, value in values
            }
        )
        if len(batch) == BATCH:
            connection.execute(table.insert(), batch)
            batch = []
    if batch:
        connection.execute(table.insert(), batch)


def count(connection: Connection, name: str) -> RowCount:
    """How many rows the table has, and their digest."""
    return counted(_read(connection, select(_PLAIN[name])))


def blob_digests(connection: Connection) -> tuple[str, ...]:
    """The digests of all bytes that the database refers to."""
    return scalars(connection, select(metadata.tables["blob"].c.digest))


def refuse_filled(connection: Connection) -> None:
    """Raise StoreError where a table has a row."""
    for name in NAMES:
        if connection.execute(select(sa.literal(1)).select_from(_PLAIN[name]).limit(1)).first():
            raise StoreError(
                f"The target database is not empty (there are rows in {name}). Nothing was changed; give an empty one."
            )


def _plain(column: sa.Column[Any]) -> sa.types.TypeEngine[Any]:
    """The column's type without our own conversions: JSON stays the text that it is."""
    match column.type:
        case Doc() | SafeText():
            return sa.Text()
        case Exact():
            return sa.BigInteger()
        case other:
            return other


_PLAIN = {
    name: sa.table(name, *(sa.column(c.name, _plain(c)) for c in metadata.tables[name].columns))
    for name in NAMES
}


def _read(connection: Connection, query: sa.Select[Any]) -> Iterator[str]:
    for row in connection.execute(query, execution_options={"yield_per": BATCH}):
        yield _line(row)


def _line(row: Iterable[Any]) -> str:
    return json.dumps(
        [value.isoformat() if isinstance(value, datetime) else value for value in row], ensure_ascii=False
    )
