"""Tries to come in, counted for all processes together."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.sql import insert_one
from comparator.store.core.unit import Unit

LOCK = 0x7219

_entry_try = tables.entry_try.c


def made(connection: sa.Connection, digest: str, *, since: datetime) -> int:
    """How many tries stand under this digest after that moment."""
    query = sa.select(sa.func.count()).where(_entry_try.source == digest, _entry_try.at > since)
    return int(connection.execute(query).scalar_one())


def add(unit: Unit, digest: str, *, most: int, since: datetime) -> bool:
    """Note a try, unless as many as `most` stand there after `since`; whether it was noted. Older ones are deleted."""
    if unit.connection.dialect.name != "sqlite":
        # SQLite has one writer anyway. Two who count at once would both find room for the last try.
        unit.connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    unit.connection.execute(tables.entry_try.delete().where(_entry_try.at <= since))
    if made(unit.connection, digest, since=since) >= most:
        return False
    insert_one(unit.connection, tables.entry_try, id=unit.new_id(), source=digest, at=unit.at)
    return True
