"""Files that a person put side by side, or took apart, in one comparison; what nobody touched is paired by itself."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_one, lock, several
from comparator.store.core.unit import Unit


class HandPair(Frozen):
    """Two files that belong together; with one of them None, a file that stands alone."""

    file_a: str | None
    file_b: str | None
    person_id: str
    at: AwareDatetime


_file_pair = tables.file_pair.c


def of_comparison(connection: sa.Connection, comparison_id: str) -> tuple[HandPair, ...]:
    """What was paired by hand; every file stands in at most one of them."""
    columns = (_file_pair[name] for name in HandPair.model_fields)
    query = (
        sa.select(*columns)
        .where(_file_pair.comparison_id == comparison_id)
        .order_by(_file_pair.at, _file_pair.id)
    )
    return several(connection, query, HandPair)


def keep(
    unit: Unit, comparison_id: str, pairs: Iterable[tuple[str | None, str | None]], *, person_id: str
) -> None:
    """Keep these pairs in place of whatever was kept of their files before."""
    pairs = tuple(pairs)
    lock(unit.connection, tables.comparison, comparison_id, what="such comparison")
    release(unit.connection, comparison_id, [file for pair in pairs for file in pair if file is not None])
    for file_a, file_b in pairs:
        insert_one(
            unit.connection,
            tables.file_pair,
            id=unit.new_id(),
            comparison_id=comparison_id,
            file_a=file_a,
            file_b=file_b,
            person_id=person_id,
            at=unit.at,
        )


def release(connection: sa.Connection, comparison_id: str, file_ids: Iterable[str]) -> None:
    """Forget what was paired by hand of these files."""
    ids = tuple(file_ids)
    connection.execute(
        tables.file_pair.delete().where(
            _file_pair.comparison_id == comparison_id,
            sa.or_(_file_pair.file_a.in_(ids), _file_pair.file_b.in_(ids)),
        )
    )
