"""How many comparisons stand where."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from comparator.store import tables

_fact = tables.fact.c


class Counted(NamedTuple):
    """So many comparisons of a project have this status; `reviewed` says that they have a final review."""

    project_id: str
    status: str
    reviewed: bool
    judge_model: str | None
    number: int


def counted(
    connection: sa.Connection, *, project_id: str | None = None, among: Collection[str] | None = None
) -> tuple[Counted, ...]:
    """The numbers of a project, of some of them, or of all; an index holds all that is read."""
    keys = (_fact.project_id, _fact.status, _fact.final_reviews > 0, _fact.judge_model)
    query = sa.select(*keys, sa.func.count()).group_by(*keys)
    if project_id is not None:
        query = query.where(_fact.project_id == project_id)
    if among is not None:
        query = query.where(_fact.project_id.in_(sorted(among)))
    return tuple(Counted(*row) for row in connection.execute(query))
