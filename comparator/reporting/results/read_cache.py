"""Keeps what was read of a project's counted pairs until one of them is counted anew."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from comparator.reporting.tally.refresh import revision
from comparator.store.core.database import Connection, Database

T = TypeVar("T")


def cached(
    database: Database, connection: Connection, project_id: str, what: Hashable, read: Callable[[], T]
) -> T:
    """Return what `read` gives, or what it gave before if no pair of the project was counted since.

    `what` identifies the reading: different readings need different values. `read` may depend on the counted pairs
    only, since names and titles change without a count. Callers must not change the answer.
    """
    before = revision(connection, project_id)
    key = (project_id, before, what)
    known: T | None = database.answers.get(key)
    if known is not None:
        return known
    found = read()
    # Outside a snapshot a pair may have been counted in between.
    if revision(connection, project_id) == before:
        database.answers.keep(key, found)
    return found
