"""All rows of a database as they are stored, for moving them elsewhere: read, written and told apart by digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from comparator.domain.errors import StoreError
from comparator.domain.labels import Frozen
from comparator.store import migrations
from comparator.store.tables import metadata, triggers
from comparator.store.tables.base import Doc, Exact, SafeText, Utc

BATCH = 500
TRANSIENT = frozenset({"entry_try", "purge_permit", "worker", "lease"})
"""What processes that run at this moment hold or count; it means nothing elsewhere."""
_MODULUS = 1 << 256


class RowCount(Frozen):
    """How many rows a table has, and a digest of them all that does not depend on their order."""

    rows: int
    digest: str


class RowCounter:
    """Counts rows while they pass."""

    def __init__(self) -> None:
        self._rows, self._sum = 0, 0

    def add(self, line: str) -> None:
        """Take one row's line into account."""
        self._rows += 1
        self._sum = (self._sum + int.from_bytes(hashlib.sha256(line.encode()).digest())) % _MODULUS

    @property
    def count(self) -> RowCount:
        """What has passed so far."""
        return RowCount(rows=self._rows, digest=f"{self._sum:064x}")


def _plain(column: sa.Column[Any]) -> sa.types.TypeEngine[Any]:
    """The column's type without our own conversions: JSON stays the text that it is."""
    match column.type:
        case Doc() | SafeText():
            return sa.Text()
        case Exact():
            return sa.BigInteger()
        case other:
            return other


_PLAIN = sa.MetaData()
_TABLES = tuple(
    sa.Table(
        table.name, _PLAIN, *(sa.Column(c.name, _plain(c), primary_key=c.primary_key) for c in table.columns)
    )
    for table in metadata.sorted_tables
    if table.name not in TRANSIENT
)
NAMES = tuple(table.name for table in _TABLES)
"""The tables that are moved, each after those that it refers to."""


def lines(connection: sa.Connection, name: str) -> Iterator[str]:
    """The rows of a table as lines of JSON, each after the row of the same table that it refers to."""
    table = _PLAIN.tables[name]
    own = _refers_to_itself(name)
    if own is None:
        yield from _read(connection, sa.select(table))
        return
    # Only rows that refer to others have to wait, and those are few.
    yield from _read(connection, sa.select(table).where(table.c[own].is_(None)))
    waiting = list(connection.execute(sa.select(table).where(table.c[own].is_not(None))).mappings())
    ids = {row["id"] for row in waiting}
    while waiting:
        ready = [row for row in waiting if row[own] not in ids] or waiting
        yield from (_line(row.values()) for row in ready)
        ids -= {row["id"] for row in ready}
        waiting = [row for row in waiting if row["id"] in ids]


def write(connection: sa.Connection, name: str, rows: Iterable[str]) -> RowCount:
    """Insert lines of JSON into an empty table; what they were."""
    table, counter = _PLAIN.tables[name], RowCounter()
    batch: list[dict[str, Any]] = []
    for line in rows:
        counter.add(line)
        values = zip(table.columns, json.loads(line), strict=True)
        batch.append({column.name: _value(column, value) for column, value in values})
        if len(batch) == BATCH:
            connection.execute(table.insert(), batch)
            batch = []
    if batch:
        connection.execute(table.insert(), batch)
    return counter.count


def count(connection: sa.Connection, name: str) -> RowCount:
    """How many rows the table has, and their digest."""
    counter = RowCounter()
    for line in _read(connection, sa.select(_PLAIN.tables[name])):
        counter.add(line)
    return counter.count


def blob_digests(connection: sa.Connection) -> tuple[str, ...]:
    """The digests of all bytes that the database refers to."""
    return tuple(connection.execute(sa.select(_PLAIN.tables["blob"].c.digest)).scalars())


def make_ready(connection: sa.Connection) -> None:
    """Bare tables without a row and without triggers, whatever was there before. Raises StoreError if rows were."""
    inspector = sa.inspect(connection)
    present = set(inspector.get_table_names())
    for name in NAMES:
        if (
            name in present
            and connection.execute(sa.select(_PLAIN.tables[name]).limit(1)).first() is not None
        ):
            raise StoreError(
                f"The target database is not empty (there are rows in {name}). Nothing was changed; give an empty one."
            )
    if foreign := present - {table.name for table in metadata.sorted_tables} - {"alembic_version"}:
        raise StoreError(
            f"There are tables in the target database that are not ours ({min(foreign)}). Give Blind Comparator "
            "a database of its own."
        )
    metadata.drop_all(connection)
    connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")
    metadata.create_all(connection)
    migrations.stamp(connection)


def finish(connection: sa.Connection) -> None:
    """What was left out while rows were written: the triggers, and where numbers go on."""
    triggers.create(connection)
    if connection.dialect.name == "postgresql":
        for table in metadata.sorted_tables:
            column = table.autoincrement_column
            if column is not None and isinstance(column.type, sa.Integer) and column.autoincrement is True:
                highest = connection.execute(sa.select(sa.func.max(column))).scalar()
                if highest is not None:
                    sequence = sa.func.pg_get_serial_sequence(table.name, column.name)
                    connection.execute(sa.select(sa.func.setval(sequence, highest)))


def _refers_to_itself(name: str) -> str | None:
    for key in metadata.tables[name].foreign_keys:
        if key.column.table.name == name:
            return str(key.parent.name)
    return None


def _read(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[str]:
    for row in connection.execute(query, execution_options={"yield_per": BATCH}):
        yield _line(row)


def _line(row: Iterable[Any]) -> str:
    return json.dumps(
        [value.isoformat() if isinstance(value, datetime) else value for value in row], ensure_ascii=False
    )


def _value(column: sa.Column[Any], value: Any) -> Any:
    return datetime.fromisoformat(value) if isinstance(column.type, Utc) and value is not None else value
