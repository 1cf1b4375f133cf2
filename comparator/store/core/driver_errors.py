"""The border to the drivers: their exceptions become ours, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from comparator.domain.errors import Conflict, NotFound, StoreError

_UNIQUE = {"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "23505"}
_REFERENCE = {"SQLITE_CONSTRAINT_FOREIGNKEY", "23503"}
_INSERT_ONLY = {"SQLITE_CONSTRAINT_TRIGGER", "23001"}
_BUSY = {"SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_LOCKED", "40001", "40P01", "55P03"}
_FULL = {"SQLITE_FULL", "53100"}
_DAMAGED = {"SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002"}
_READ_ONLY = {"SQLITE_READONLY", "SQLITE_READONLY_DIRECTORY", "SQLITE_READONLY_DBMOVED", "25006"}


@contextmanager
def translated() -> Iterator[None]:
    """Raise Conflict, NotFound or StoreError for what the database driver raises inside."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise _ours(error) from error
    except sa.exc.TimeoutError as error:
        raise StoreError("All connections to the database are in use. Try again in a moment.") from error


def _ours(error: sa.exc.DBAPIError) -> StoreError:
    original = error.orig
    code = getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None)
    first_line = str(original).strip().partition("\n")[0]
    if code in _UNIQUE:
        return Conflict(f"Somebody else stored this first ({first_line}). Reload and try again.")
    if code in _REFERENCE:
        return NotFound(
            f"This refers to something that is not there, or is still referred to ({first_line})."
        )
    if code in _INSERT_ONLY:
        return StoreError(f"What was said is never altered: {first_line}.")
    if code in _BUSY:
        return Conflict("The database is busy with another writer. Try again.")
    if code in _FULL:
        return StoreError(
            "The disk with the database is full; nothing was stored. Free some space and try again."
        )
    if code in _DAMAGED:
        return StoreError(f"The database file is damaged or not a database ({first_line}). Restore a backup.")
    if code in _READ_ONLY:
        return StoreError(
            f"The database cannot be written ({first_line}). Check the file's and folder's rights."
        )
    if code == "SQLITE_CANTOPEN":
        return StoreError("The database file cannot be opened. Check its path and the folder's rights.")
    if code == "SQLITE_IOERR" or (code or "").startswith("SQLITE_IOERR"):
        return StoreError(f"The disk with the database fails or is full ({first_line}). Nothing was stored.")
    if code == "42P01" or "no such table" in first_line:
        return StoreError("The database lacks a table. Run `comparator db upgrade`.")
    if error.connection_invalidated or isinstance(error, sa.exc.OperationalError):
        return StoreError(
            f"The database cannot be reached ({first_line}). Check that it runs, then try again."
        )
    return StoreError(f"The database refused this ({first_line}).")
