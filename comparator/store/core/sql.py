"""Rows as models, short forms for queries, a transaction that says who acts, and each project's revision."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Protocol, Self, TypeVar

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Executable, Select, Table, bindparam, func, literal, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from comparator.domain.answers import Answers
from comparator.domain.errors import NotFound, RightsError
from comparator.domain.labels import Frozen
from comparator.store import tables

R = TypeVar("R", bound=Frozen)
T = TypeVar("T")


class Connection(Protocol):
    """What reads and writes: a connection of the database library, or a unit of work."""

    @property
    def dialect(self) -> Dialect:
        """Which database it is."""

    @property
    def info(self) -> dict[Any, Any]:
        """What is noted while it is open."""

    def execute(self, statement: Executable, parameters: Any = None, /) -> Any:
        """What the statement comes to."""


class Stored(Frozen):
    """A row of a table, by those of its columns that the class names: `class Task(Stored, table=tables.task)`."""

    table: ClassVar[Table]

    def __init_subclass__(cls, table: Table | None = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        if table is not None:
            cls.table = table

    @classmethod
    def select(cls, *where: ColumnElement[bool]) -> Select[Any]:
        """The query for those rows."""
        return select_as(cls.table, cls, *where)

    @classmethod
    def get(cls, connection: Connection, key: str) -> Self:
        """The row under this primary key. Raises NotFound."""
        row = connection.execute(_by_key(cls), {"key": key}).mappings().first()
        if row is None:
            raise NotFound(f"There is no {_such(cls.table)}. It may have been removed.")
        return cls.model_validate(dict(row))

    @classmethod
    def find(cls, connection: Connection, *where: ColumnElement[bool]) -> Self | None:
        """One of these rows; None where there is none."""
        return maybe(connection, cls.select(*where), cls)

    @classmethod
    def all(
        cls, connection: Connection, *where: ColumnElement[bool], by: Sequence[Any] = ()
    ) -> tuple[Self, ...]:
        """These rows, sorted by columns."""
        return several(connection, cls.select(*where).order_by(*by), cls)


S = TypeVar("S", bound=Stored)


@cache
def _by_key(kind: type[Stored]) -> Select[Any]:
    # To make a statement takes longer than to run it.
    key = _key(kind.table)
    return kind.select(key == bindparam("key", type_=key.type))


def select_as(table: Table, kind: type[Frozen], *where: ColumnElement[bool]) -> Select[Any]:
    """What `kind` has of the table's rows."""
    return select(*(table.c[name] for name in kind.model_fields)).where(*where)


def maybe(connection: Connection, query: Select[Any], kind: type[R]) -> R | None:
    """The first row as a model, or None."""
    row = connection.execute(query).mappings().first()
    return None if row is None else kind.model_validate(dict(row))


def one(connection: Connection, query: Select[Any], kind: type[R], *, what: str) -> R:
    """The row as a model. Raises NotFound, naming `what`, where there is none."""
    record = maybe(connection, query, kind)
    if record is None:
        raise NotFound(f"There is no {what}. It may have been removed.")
    return record


def several(connection: Connection, query: Select[Any], kind: type[R]) -> tuple[R, ...]:
    """All rows as models."""
    return tuple(kind.model_validate(dict(row)) for row in connection.execute(query).mappings())


def scalars(connection: Connection, query: Executable) -> tuple[Any, ...]:
    """The first column of all rows."""
    return tuple(connection.execute(query).scalars())


def number(connection: Connection, table: sa.FromClause, *where: ColumnElement[bool]) -> int:
    """How many such rows there are."""
    query = select(func.count()).select_from(table).where(*where)
    return int(connection.execute(query).scalar_one())


def there_is(connection: Connection, *where: ColumnElement[bool]) -> bool:
    """Whether there is such a row, of the tables whose columns the conditions name."""
    return connection.execute(select(literal(1)).where(*where).limit(1)).first() is not None


def delete(connection: Connection, table: Table, *where: ColumnElement[bool]) -> int:
    """Delete these rows; how many there were."""
    return int(connection.execute(table.delete().where(*where)).rowcount)


def insert_new(
    connection: Connection, table: Table, values: Mapping[str, Any] | Sequence[Mapping[str, Any]]
) -> bool:
    """Insert one row, or several, unless a unique rule forbids it; whether any was inserted."""
    rows = [dict(values)] if isinstance(values, Mapping) else [dict(row) for row in values]
    if not rows:
        return False
    return bool(connection.execute(_insert_new(table, connection.dialect.name), rows).rowcount)


@cache
def _insert_new(table: Table, dialect: str) -> Executable:
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    # Without this, PostgreSQL's driver does not say how many rows an insert added.
    return insert(table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)


@cache
def _insert(table: Table) -> sa.Insert:
    return table.insert()


def insert_many(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert all rows of plain values: given beside the statement, they cost a quarter of what they do inside it."""
    if rows:
        connection.execute(_insert(table), [dict(row) for row in rows])


def among(connection: Connection, values: Collection[str]) -> Select[Any]:
    """One column of these, for `in_`: a single parameter, as databases take only so many."""
    if connection.dialect.name == "sqlite":
        return select(func.json_each(json.dumps([*values])).table_valued("value").c.value)
    return select(func.unnest(literal([*values], postgresql.ARRAY(sa.Text))))


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
    key = _key(table)
    return select(key).where(key == bindparam("row", type_=key.type)).with_for_update()


def _key(table: Table) -> sa.Column[Any]:
    return next(iter(table.primary_key.columns))


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
    insert_many(connection, tables.purge_permit, [{"id": "open"}])
    yield
    connection.execute(tables.purge_permit.delete())


_COMPARISONS, _PROJECTS = "comparator_changed_comparisons", "comparator_changed_projects"
_project, _comparison = tables.project.c, tables.comparison.c


def changed(connection: Connection, *, comparisons: Iterable[str] = (), projects: Iterable[str] = ()) -> None:
    """Note what this transaction changes; `raise_changed` raises the revisions of the projects it belongs to."""
    connection.info.setdefault(_COMPARISONS, set()).update(comparisons)
    connection.info.setdefault(_PROJECTS, set()).update(projects)


def raise_changed(connection: Connection) -> None:
    """Raise the revision of each project of which something was noted, just before the transaction is committed."""
    comparisons = connection.info.pop(_COMPARISONS, ())
    projects: set[str] = connection.info.pop(_PROJECTS, set())
    if comparisons:
        those = _comparison.id.in_(among(connection, comparisons))
        projects.update(scalars(connection, select(_comparison.project_id).where(those).distinct()))
    raised = tables.project.update().values(revision=_project.revision + 1)
    for project_id in sorted(projects):
        connection.execute(raised.where(_project.id == project_id))


def forget(connection: Connection) -> None:
    """Forget what was noted in a transaction that ended without a commit: the connection serves another one next."""
    connection.info.pop(_COMPARISONS, None)
    connection.info.pop(_PROJECTS, None)


ANSWERS = "answers"
"""Under this name a connection's `info` holds what its process keeps."""


def kept(
    connection: Connection, what: str, projects: Collection[str] | None, read: Callable[[], T], *, size: int
) -> T:
    """What `read` gives, about `size` bytes, or gave before: it depends on what raises the revisions of these projects.

    `projects` are ids; None for all. A transaction that has changed something reads for itself.
    """
    if _COMPARISONS in connection.info or _PROJECTS in connection.info:
        return read()
    query = select(_project.id, _project.revision).order_by(_project.id)
    rows = connection.execute(query if projects is None else query.where(_project.id.in_(projects))).all()
    key, revision = f"{what} {[row.id for row in rows]}", sum(row.revision for row in rows)
    answers: Answers = connection.info[ANSWERS]
    answer: T | None = answers.get(key, revision)
    if answer is None:
        answer = read()
        answers.keep(key, answer, revision, size=size)
    return answer


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

    @property
    def dialect(self) -> Dialect:
        """Which database it is."""
        return self.connection.dialect

    @property
    def info(self) -> dict[Any, Any]:
        """What is noted while the transaction is open."""
        return self.connection.info

    def execute(self, statement: Executable, parameters: Any = None, /) -> Any:
        """What the statement comes to, in this transaction."""
        return self.connection.execute(statement, parameters)

    def add(self, table: Table, **values: Any) -> None:
        """Insert a row, with a fresh id and this unit's time where the table has such columns."""
        self.execute(_insert(table), self._whole(table, values))

    def add_new(self, table: Table, **values: Any) -> bool:
        """The same unless a unique rule forbids it; whether the row was inserted."""
        return insert_new(self.connection, table, self._whole(table, values))

    def ensure(self, kind: type[S], key: Mapping[str, Any], **values: Any) -> S:
        """The row with this unique key, added with these values if there is none."""
        this = [kind.table.c[name] == value for name, value in key.items()]
        row = kind.find(self, *this)
        if row is None:
            self.add_new(kind.table, **key, **values)
            row = kind.find(self, *this)
            assert row is not None
        return row

    def log(
        self, kind: str, project_id: str | None = None, subject_id: str | None = None, /, **detail: Any
    ) -> None:
        """Note in the audit log what is done in this transaction, in which project and to what."""
        about = {"project_id": project_id, "subject_id": subject_id}
        self.add(tables.event, kind=kind, person_id=self.who, detail=detail, **about)

    def update(self, table: Table, /, *where: ColumnElement[bool], **columns: Any) -> int:
        """Set columns of these rows, and when they were touched where the table has that; how many there are."""
        if "touched_at" in table.columns:
            columns.setdefault("touched_at", self.at)
        return int(self.execute(table.update().where(*where).values(**columns)).rowcount)

    def _whole(self, table: Table, values: dict[str, Any]) -> dict[str, Any]:
        for name in _TIMES & table.columns.keys() - values.keys():
            values[name] = self.at
        if "id" in table.columns:
            values.setdefault("id", self.new_id())
        return values


_TIMES = {"at", "created_at", "opened_at", "granted_at", "touched_at"}
