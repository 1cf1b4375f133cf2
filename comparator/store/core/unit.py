"""A unit of work: one transaction, the one time of all that is written in it, and its random ids."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, CursorResult, Executable, Table

from comparator.domain.errors import RightsError
from comparator.store.core import sql
from comparator.store.core.sql import insert_new, insert_one

NewId = Callable[[], str]
"""Makes a new id; repositories are given one, so that tests can choose theirs."""


def new_id() -> str:
    """20 characters of lower-case base32 (100 random bits), safe in addresses and file names."""
    return base64.b32encode(secrets.token_bytes(13)).decode().lower()[:20]


def known(person_id: str | None) -> str:
    """The person's id. Raises RightsError for None: some acts are a person's own."""
    if person_id is None:
        raise RightsError("This is done in somebody's name. Sign in first.")
    return person_id


@dataclass(frozen=True, slots=True)
class Unit:
    """A transaction that is open; whoever opened it commits it."""

    connection: Connection
    at: datetime = field(kw_only=True)
    """When everything in it happens, with a time zone."""
    new_id: NewId = field(default=new_id, kw_only=True)
    """Makes a fresh id."""
    who: str | None = field(default=None, kw_only=True)
    """The id of the person who acts; None for this program itself, at the bidding of whoever has its shell."""

    @property
    def person(self) -> str:
        """The person who acts. Raises RightsError where it is the program itself."""
        return known(self.who)

    def by(self, person_id: str | None) -> Unit:
        """The same transaction, with this person as the one who acts."""
        return replace(self, who=person_id)

    def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """What the statement comes to, in this transaction."""
        return self.connection.execute(statement, parameters)

    def add(self, table: Table, **values: Any) -> None:
        """Insert a row, with a fresh id and this unit's time where the table has such columns."""
        insert_one(self.connection, table, **self._whole(table, values))

    def add_new(self, table: Table, **values: Any) -> bool:
        """The same unless a unique rule forbids it; whether the row was inserted."""
        return insert_new(self.connection, table, self._whole(table, values))

    def update(self, table: Table, /, *where: ColumnElement[bool], **columns: Any) -> int:
        """Set columns of these rows; how many there are."""
        return sql.update(self.connection, table, *where, **columns)

    def scalars(self, query: Executable) -> tuple[Any, ...]:
        """The first column of all rows."""
        return sql.scalars(self.connection, query)

    def _whole(self, table: Table, values: dict[str, Any]) -> dict[str, Any]:
        for name in _TIMES & table.columns.keys() - values.keys():
            values[name] = self.at
        if "id" in table.columns:
            values.setdefault("id", self.new_id())
        return values


_TIMES = {"at", "created_at", "opened_at", "granted_at", "touched_at"}
