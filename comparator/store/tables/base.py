"""The one MetaData, its column types, and short forms for the columns that every table repeats."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from pydantic import BaseModel
from sqlalchemy import BigInteger, Column, String, Table, Text
from sqlalchemy.engine import Dialect

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def storable(text: str) -> str:
    """The text as both databases can hold it: NUL becomes the visible sign U+2400, a lone surrogate U+FFFD."""
    if "\x00" in text:
        text = text.replace("\x00", "\u2400")
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class SafeText(sa.TypeDecorator[str]):
    """Text from people, files and models, whatever characters it holds."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The storable form of the text."""
        return None if value is None else storable(value)


class Code(sa.TypeDecorator[str]):
    """One of a closed set of words, taken as a member of its enum or as the word."""

    impl = String(40)
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The word."""
        return None if value is None else str(value)


class Utc(sa.TypeDecorator[datetime]):
    """An aware time, stored and returned as UTC; a naive one is refused."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The time in UTC. Raises ValueError for a naive one."""
        if value is None:
            return None
        if value.tzinfo is None or value.utcoffset() is None:
            raise ValueError(f"{value!r} has no time zone; pass datetime.now(UTC)")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The time with the UTC zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Exact(sa.TypeDecorator[Decimal]):
    """A decimal with fixed places, stored as a whole number: exact, sortable and summable on both databases."""

    impl = BigInteger
    cache_ok = True

    def __init__(self, places: int) -> None:
        super().__init__()
        self.places = places

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        """The number of smallest units. Raises ValueError if the value has more places than the column."""
        if value is None:
            return None
        units = Decimal(value).scaleb(self.places)
        if units != units.to_integral_value():
            raise ValueError(f"{value} has more than {self.places} decimal places")
        return int(units)

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        """The decimal, with the column's number of places."""
        return None if value is None else Decimal(value).scaleb(-self.places)


class Doc(sa.TypeDecorator[Any]):
    """A JSON value as text: keys keep their order, and every character survives on both databases."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """The JSON text of plain values, a model or a tuple of models; decimals are written as strings."""
        return None if value is None else storable(_to_json(value))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """The value."""
        return None if value is None else json.loads(value)

    def coerce_compared_value(self, op: Any, value: Any) -> sa.types.TypeEngine[Any]:
        """Comparisons are made with JSON text as well."""
        return self


def _to_json(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{','.join(map(_to_json, value))}]"
    if isinstance(value, BaseModel):
        try:
            # Several times as fast as writing out what it holds, but an error where there is a lone surrogate.
            return value.model_dump_json()
        except ValueError:
            value = value.model_dump(mode="json")
    return json.dumps(value, ensure_ascii=False, default=_json_value)


def _json_value(value: object) -> str:
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"{value!r} has no JSON form")


SCORE_PLACES = 1
RATE_PLACES = 2
MONEY_PLACES = 12


NULL = "null"
"""Of a column: a row may lack it."""


def table(name: str, *parts: Any) -> Table:
    """A table of our metadata."""
    return Table(name, metadata, *parts)


def _columns_of(kind: Any) -> Callable[..., Column[Any]]:
    def column(name: str, null: str = "", **more: Any) -> Column[Any]:
        return Column(name, kind, nullable=bool(null), **more)

    return column


code = _columns_of(Code)
"""One of a closed set of words; the repository's types say which."""
digest = _columns_of(String(64))
"""A sha256 in hexadecimal."""
doc = _columns_of(Doc)
"""A JSON value."""
when = _columns_of(Utc)
"""A time in UTC."""
flag = _columns_of(sa.Boolean)
"""Yes or no."""
count = _columns_of(BigInteger)
"""A whole number."""
real = _columns_of(sa.Float(53))
"""Any number."""


def score(name: str) -> Column[Decimal]:
    """A column for a score: one decimal place."""
    return Column(name, Exact(SCORE_PLACES))


def rate(name: str) -> Column[Decimal]:
    """A column for a pass rate: two decimal places."""
    return Column(name, Exact(RATE_PLACES))


def money(name: str, *, nullable: bool = True) -> Column[Decimal]:
    """A column for an amount of money (or tokens): twelve decimal places."""
    return Column(name, Exact(MONEY_PLACES), nullable=nullable)


def words(name: str, null: str = "", **more: Any) -> Column[str]:
    """Free text; where it may not be missing, it is empty by default."""
    return Column(name, SafeText, nullable=bool(null), default=None if null else "", **more)


def pk(name: str = "id") -> Column[str]:
    """The random id of a row."""
    return Column(name, String(64), primary_key=True)


def ref(
    name: str,
    null: str = "",
    *,
    to: str = "",
    index: bool = True,
    primary_key: bool = False,
    later: bool = False,
) -> Column[str]:
    """A reference to the row of this table, or under another name `to` one; `later`: one that may come after it.

    A row goes with the one that it belongs to, but never with a person or with bytes.
    """
    name, to = (name, to) if to else (f"{name}_id", f"{name}.id")
    stays = to in ("person.id", "blob.digest")
    return Column(
        name,
        String(64),
        sa.ForeignKey(
            to,
            ondelete=None if stays else "CASCADE",
            deferrable=later or None,
            initially="DEFERRED" if later else None,
        ),
        nullable=bool(null),
        index=index and not primary_key,
        primary_key=primary_key,
    )


def partial_index(name: str, *columns: Column[Any], where: str) -> None:
    """Let only the rows that meet this condition be unique in these columns, on both databases."""
    condition = sa.text(where)
    sa.Index(name, *columns, unique=True, sqlite_where=condition, postgresql_where=condition)
