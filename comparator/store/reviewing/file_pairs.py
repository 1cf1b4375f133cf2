"""Files that a person put side by side, or took apart, in one comparison; what nobody touched is paired by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import lock
from comparator.store.core.unit import Unit


class HandPair(Frozen):
    """Two files that belong together; with one of them None, a file that stands alone."""

    file_a: str | None
    file_b: str | None
    person_id: str
    at: AwareDatetime

    @property
    def files(self) -> frozenset[str]:
        """The ids of its files."""
        return frozenset(file for file in (self.file_a, self.file_b) if file is not None)


_comparison = tables.comparison.c


def of_comparison(connection: sa.Connection, comparison_id: str) -> tuple[HandPair, ...]:
    """What was paired by hand, oldest first; every file stands in at most one of them."""
    query = sa.select(_comparison.hand_pairs).where(_comparison.id == comparison_id)
    return tuple(map(HandPair.model_validate, connection.execute(query).scalar() or ()))


def keep(
    unit: Unit, comparison_id: str, pairs: Iterable[tuple[str | None, str | None]], *, person_id: str
) -> None:
    """Keep these pairs in place of whatever was kept of their files before."""
    new = [HandPair(file_a=a, file_b=b, person_id=person_id, at=unit.at) for a, b in pairs]
    release(unit, comparison_id, frozenset[str]().union(*(each.files for each in new)), instead=new)


def release(
    unit: Unit, comparison_id: str, file_ids: Collection[str], *, instead: Iterable[HandPair] = ()
) -> None:
    """Forget what was paired by hand of these files."""
    lock(unit.connection, tables.comparison, comparison_id, what="such comparison")
    known = of_comparison(unit.connection, comparison_id)
    left = (*(each for each in known if not each.files & set(file_ids)), *instead)
    unit.connection.execute(
        tables.comparison.update().where(_comparison.id == comparison_id).values(hand_pairs=left)
    )
