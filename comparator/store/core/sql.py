"""Short forms that all modules share: rows as frozen models, insert-or-ignore, long lists, and "no such thing"."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Select, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite

from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen
from comparator.store import tables

R = TypeVar("R", bound=Frozen)


def select_as(table: Table, kind: type[Frozen], *where: ColumnElement[bool]) -> Select[Any]:
    """What `kind` has of the table's rows."""
    return select(*(table.c[name] for name in kind.model_fields)).where(*where)


def maybe(connection: Connection, query: Select[Any], kind: type[R]) -> R | None:
    """The first row as a model, or None."""
    row = connection.execute(query).mappings().first()
    return None if row is None else kind.model_validate(dict(row))


def one(connection: Connection, query: Select[Any], kind: type[R], *, what: str) -> R:
    """The row as a model. Raises NotFound, naming `what`, where there is none."""
    found = maybe(connection, query, kind)
    if found is None:
        raise NotFound(f"There is no {what}. It may have been removed.")
    return found


def by_key(connection: Connection, table: Table, kind: type[R], key: str) -> R:
    """The row under this primary key as a model. Raises NotFound."""
    own = next(iter(table.primary_key.columns))
    return one(connection, select_as(table, kind, own == key), kind, what=_such(table))


def several(connection: Connection, query: Select[Any], kind: type[R]) -> tuple[R, ...]:
    """All rows as models."""
    return tuple(kind.model_validate(dict(row)) for row in connection.execute(query).mappings())


def insert_new(
    connection: Connection, table: Table, values: Mapping[str, Any] | Sequence[Mapping[str, Any]]
) -> bool:
    """Insert one row, or several, unless a unique rule forbids it; whether any was inserted."""
    rows = [dict(values)] if isinstance(values, Mapping) else [dict(row) for row in values]
    # Without this, PostgreSQL's driver does not say how many rows an insert added.
    insert = _insert_new(table, connection.dialect.name)
    result = connection.execute(insert, rows, execution_options={"preserve_rowcount": True})
    return bool(result.rowcount)


@cache
def _insert_new(table: Table, dialect: str) -> sa.Executable:
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return insert(table).on_conflict_do_nothing()


def insert_one(connection: Connection, table: Table, **values: Any) -> None:
    """Insert a row of plain values: given beside the statement, they cost a quarter of what they do inside it."""
    connection.execute(_insert(table), values)


@cache
def _insert(table: Table) -> sa.Insert:
    return table.insert()


def insert_many(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert all rows."""
    if rows:
        connection.execute(_insert(table), [dict(row) for row in rows])


def among(connection: Connection, values: Collection[str]) -> Select[Any]:
    """One column of these, for `in_`: a single parameter, as databases take only so many."""
    if connection.dialect.name == "sqlite":
        return select(func.json_each(json.dumps([*values])).table_valued("value").c.value)
    return select(func.unnest(sa.literal([*values], postgresql.ARRAY(sa.Text))))


def lock(connection: Connection, table: Table, id: str) -> None:
    """Hold the row until the transaction ends; SQLite holds the whole database already. Raises NotFound."""
    if connection.execute(_lock_row(table), {"row": id}).first() is None:
        raise NotFound(f"There is no {_such(table)}. It may have been removed.")


def _such(table: Table) -> str:
    known = {
        "fact": "comparison",
        "snapshot": "output",
        "output_check": "check",
        "view_file": "file",
        "ab_key": "key",
    }
    return f"such {known.get(table.name, table.name.replace('_', ' '))}"


@cache
def _lock_row(table: Table) -> Select[Any]:
    key = next(iter(table.primary_key.columns))
    return select(key).where(key == sa.bindparam("row", type_=key.type)).with_for_update()


_DIGITS = "0123456789"


def naturally(text: ColumnElement[str]) -> tuple[ColumnElement[Any], ...]:
    """What sorts by the words, whatever their case, then by the last number: Task 9 before Task 10."""
    lower = func.lower(text)
    return (func.rtrim(lower, _DIGITS), func.length(lower), lower)


def like(text: str) -> str:
    """A LIKE pattern for text that contains `text`, with backslash as the escape sign."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


@contextmanager
def permit(connection: Connection) -> Iterator[None]:
    """Let the triggers pass, for this transaction only: no other one sees the row."""
    insert_one(connection, tables.purge_permit, id="open")
    yield
    connection.execute(tables.purge_permit.delete())
