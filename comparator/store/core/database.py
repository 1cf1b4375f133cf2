"""The database: opening it, transactions on it, and the schema that it must have."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Engine, Text, cast, func, select
from sqlalchemy.pool import ConnectionPoolEntry

from comparator.domain.answers import Answers
from comparator.domain.errors import Conflict, NotFound, StoreError
from comparator.store import migrations, tables
from comparator.store.core import sql
from comparator.store.core.sql import Connection as Connection
from comparator.store.core.sql import insert_many

BUSY_SECONDS = 20
"""How long a writer waits for another one."""
UPGRADE_LOCK = 0x0B11D_C0


class _Here(threading.local):
    """What each thread has of its own."""

    moment: sa.Connection | None = None


class Database:
    """A SQLite file or a PostgreSQL database with our tables."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.answers = Answers()
        """What this process keeps of what it read."""
        sa.event.listen(engine, "connect", lambda _, record: record.info.update({sql.ANSWERS: self.answers}))
        self._here = _Here()

    @classmethod
    def open(cls, url: str) -> Database:
        """The database at this URL; a SQLite file that does not exist yet is created with all tables.

        Raises StoreError where it cannot be opened. Does not check the schema of an existing one: `check` does.
        """
        with translate_errors():
            address = _address(url)
            if address.get_backend_name() == "sqlite":
                database = cls(_sqlite(address))
            else:
                engine = sa.create_engine(address, pool_size=5, max_overflow=20, pool_pre_ping=True)
                database = cls(engine)
        try:
            if database.engine.dialect.name == "sqlite":
                with translate_errors(), database._locked() as connection:
                    if _is_empty(connection):
                        migrations.create_whole(connection)
            else:
                with database.read() as connection:
                    connection.exec_driver_sql("SELECT 1")
        except StoreError:
            database.close()
            raise
        return database

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A connection for reading. On SQLite, and within `one_moment`, what it sees stays as it was when it began."""
        shared = self._here.moment
        with translate_errors():
            if shared is not None:
                yield shared
                return
            with self.engine.connect() as connection:
                yield connection

    @contextmanager
    def one_moment(self) -> Iterator[sa.Connection]:
        """One snapshot for every `read` of this thread, until the end or until this thread writes."""
        with self.snapshot() as connection:
            self._here.moment = connection
            try:
                yield connection
            finally:
                self._here.moment = None

    @contextmanager
    def snapshot(self) -> Iterator[sa.Connection]:
        """A connection for reading everything as it is at one moment, on both databases, while others write."""
        with translate_errors(), self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction: committed at the end, rolled back on an error. On SQLite one writer at a time."""
        # What this thread writes, it reads.
        self._here.moment = None
        with (
            translate_errors(),
            self.engine.connect().execution_options(comparator_writes=True) as connection,
            connection.begin(),
        ):
            try:
                yield connection
                sql.raise_changed(connection)
            finally:
                sql.forget(connection)

    def upgrade(self) -> None:
        """Bring the schema up to date, all or nothing; one process at a time, others find nothing to do."""
        with translate_errors(), self._locked() as connection:
            if _is_empty(connection):
                migrations.create_whole(connection)
            elif (revision := _revision(connection)) != migrations.HEAD:
                _refuse_foreign(revision)
                migrations.drop_triggers(connection)
                migrations.run(connection)
                migrations.create_triggers(connection)
            if connection.dialect.name == "sqlite":
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
                if broken:
                    raise StoreError(
                        f"The upgrade would break {len(broken)} references (first in table {broken[0][0]}); "
                        "nothing was changed. Restore a backup or report this."
                    )

    def check(self) -> None:
        """Raise StoreError unless the schema is the one that this version of the program works with."""
        with self.read() as connection:
            empty, revision = _is_empty(connection), _revision(connection)
        if empty:
            raise StoreError("The database has no tables yet. Run `comparator db upgrade`.")
        _refuse_foreign(revision)
        if revision != migrations.HEAD:
            raise StoreError(
                f"The database has the schema {revision}, this version needs {migrations.HEAD}. "
                "Back it up with `comparator db backup`, then run `comparator db upgrade`."
            )

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    @contextmanager
    def _locked(self) -> Iterator[sa.Connection]:
        """A transaction that no other upgrade runs beside."""
        with self.engine.connect().execution_options(comparator_writes=True) as connection:
            driver: Any = connection.connection.driver_connection
            sqlite = connection.dialect.name == "sqlite"
            if sqlite:
                # Tables can only be rebuilt with references switched off, and only before the transaction.
                driver.execute("PRAGMA foreign_keys=OFF")
            try:
                with connection.begin():
                    if not sqlite:
                        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADE_LOCK)))
                    yield connection
            finally:
                if sqlite:
                    driver.execute("PRAGMA foreign_keys=ON")


def _address(url: str) -> sa.URL:
    if url.startswith("postgres://"):
        url = "postgresql://" + url.removeprefix("postgres://")
    try:
        address = sa.make_url(url)
        backend = address.get_backend_name()
    except sa.exc.ArgumentError as error:
        raise StoreError(
            "The database URL cannot be read. Write it like sqlite:////home/me/comparator.db "
            "or postgresql+psycopg://user@host/name."
        ) from error
    if backend == "sqlite":
        if not address.database or address.database == ":memory:":
            raise StoreError(
                "A database in memory is not supported. Give a file: sqlite:////path/to/file.db."
            )
        return address.set(drivername="sqlite+pysqlite")
    if backend == "postgresql":
        return address.set(drivername="postgresql+psycopg")
    raise StoreError(f"{backend} is not supported. Use a sqlite:// or a postgresql+psycopg:// URL.")


def _sqlite(address: sa.URL) -> Engine:
    path = Path(str(address.database))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The folder {path.parent} for the database cannot be created: {error.strerror}."
        ) from error
    engine = sa.create_engine(address, pool_size=5, max_overflow=20, connect_args={"timeout": BUSY_SECONDS})

    def connected(connection: Any, _entry: ConnectionPoolEntry) -> None:
        # The driver's own transactions begin too late; ours begin in `begin`.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
        connection.execute("PRAGMA journal_mode=WAL")
        # "Saved" is said after a commit, so a commit must survive a power cut.
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA cache_size=-16000")
        # The built-in one knows ASCII only; searching without regard to case is for every language.
        connection.create_function(
            "lower", 1, lambda text: text.lower() if isinstance(text, str) else text, deterministic=True
        )

    def begin(connection: sa.Connection) -> None:
        writes = connection.get_execution_options().get("comparator_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    sa.event.listen(engine, "connect", connected)
    sa.event.listen(engine, "begin", begin)
    return engine


def _is_empty(connection: sa.Connection) -> bool:
    return not sa.inspect(connection).get_table_names()


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _refuse_foreign(revision: str | None) -> None:
    if revision is None:
        raise StoreError(
            "There are tables in this database that are not ours. Give Blind Comparator a database of its own."
        )
    if revision not in migrations.REVISIONS:
        raise StoreError(
            f"The database was written by another version of Blind Comparator (schema {revision}; this version has "
            f"{migrations.HEAD}). Export its results with that version, then import them into a new database."
        )


_FAULTS: tuple[tuple[set[str], type[StoreError], str], ...] = (
    (
        {"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "23505"},
        Conflict,
        "Somebody else stored this first ({}). Reload and try again.",
    ),
    (
        {"SQLITE_CONSTRAINT_FOREIGNKEY", "23503"},
        NotFound,
        "This refers to something that is not there, or is still referred to ({}).",
    ),
    ({"SQLITE_CONSTRAINT_TRIGGER", "23001"}, StoreError, "What was said is never altered: {}."),
    (
        {"SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_LOCKED", "40001", "40P01", "55P03"},
        Conflict,
        "The database is busy with another writer. Try again.",
    ),
    (
        {"SQLITE_FULL", "53100"},
        StoreError,
        "The disk with the database is full; nothing was stored. Free some space and try again.",
    ),
    (
        {"SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002"},
        StoreError,
        "The database file is damaged or not a database ({}). Restore a backup.",
    ),
    (
        {"SQLITE_READONLY", "SQLITE_READONLY_DIRECTORY", "SQLITE_READONLY_DBMOVED", "25006"},
        StoreError,
        "The database cannot be written ({}). Check the file's and folder's rights.",
    ),
    (
        {"SQLITE_CANTOPEN"},
        StoreError,
        "The database file cannot be opened. Check its path and the folder's rights.",
    ),
    ({"SQLITE_IOERR"}, StoreError, "The disk with the database fails or is full ({}). Nothing was stored."),
    ({"42P01"}, StoreError, "The database lacks a table. Run `comparator db upgrade`."),
)
"""What each code of either database means, and what a person is told; {} is the first line of its message."""


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise Conflict, NotFound or StoreError for what the database driver raises inside."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise _store_error(error) from error
    except sa.exc.TimeoutError as error:
        raise StoreError("All connections to the database are in use. Try again in a moment.") from error


def _store_error(error: sa.exc.DBAPIError) -> StoreError:
    original = error.orig
    code = str(getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None))
    line = str(original).strip().partition("\n")[0]
    if code.startswith("SQLITE_IOERR"):
        code = "SQLITE_IOERR"
    elif "no such table" in line:
        code = "42P01"
    for codes, kind, message in _FAULTS:
        if code in codes:
            return kind(message.format(line))
    if error.connection_invalidated or isinstance(error, sa.exc.OperationalError):
        return StoreError(f"The database cannot be reached ({line}). Check that it runs, then try again.")
    return StoreError(f"The database refused this ({line}).")


MOST_PROBLEMS = 10


def damage(database: Database) -> tuple[str, ...]:
    """What is broken in the database, a line each; nothing where all pages, indexes and references are sound.

    Reads everything: about a second for each gigabyte on SQLite. Raises StoreError where it cannot be read at all.
    """
    with database.read() as connection:
        if connection.dialect.name == "sqlite":
            lines = connection.exec_driver_sql(f"PRAGMA integrity_check({MOST_PROBLEMS})").scalars()
            problems = [str(line) for line in lines if line != "ok"]
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(MOST_PROBLEMS)
            return (
                *problems,
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
        insert_many(connection, tables.purge_permit, [{"id": "doctor"}])
        raise _Undo


class _Undo(Exception):
    """Ends a transaction without keeping it."""
