"""How many comparisons stand where."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from comparator.store import tables

_rollup = tables.rollup.c


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
    keys = (_rollup.project_id, _rollup.status, _rollup.final_reviews > 0, _rollup.judge_model)
    query = sa.select(*keys, sa.func.count()).group_by(*keys)
    if project_id is not None:
        query = query.where(_rollup.project_id == project_id)
    if among is not None:
        query = query.where(_rollup.project_id.in_(sorted(among)))
    return tuple(Counted(*row) for row in connection.execute(query))
