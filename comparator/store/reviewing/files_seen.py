"""Which files a reviewer has looked at; ticks that can be taken away again."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.core.sql import insert_new
from comparator.store.core.unit import Unit

_file_seen = tables.file_seen.c


def of_review(connection: sa.Connection, review_id: str) -> frozenset[str]:
    """Ids of the files that are ticked in this review."""
    return frozenset(
        connection.execute(sa.select(_file_seen.file_id).where(_file_seen.review_id == review_id)).scalars()
    )


def tick(unit: Unit, review_id: str, file_ids: Iterable[str]) -> None:
    """Tick these files; those that are ticked keep their time."""
    for file_id in file_ids:
        insert_new(
            unit.connection, tables.file_seen, {"review_id": review_id, "file_id": file_id, "at": unit.at}
        )


def untick(connection: sa.Connection, review_id: str, file_ids: Iterable[str]) -> None:
    """Take the ticks of these files away."""
    connection.execute(
        tables.file_seen.delete().where(
            _file_seen.review_id == review_id, _file_seen.file_id.in_(tuple(file_ids))
        )
    )
