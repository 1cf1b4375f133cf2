"""Leave to change rows that are otherwise only inserted: for a purge, and for a view that gets its pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.sql import insert_one


@contextmanager
def permit(connection: sa.Connection) -> Iterator[None]:
    """Let the triggers pass, for this transaction only: no other one sees the row."""
    insert_one(connection, tables.purge_permit, id="open")
    yield
    connection.execute(tables.purge_permit.delete())
