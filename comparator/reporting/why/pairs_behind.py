"""The comparisons behind a bar of a chart of Trust, People or Cost."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.figures import lines_of
from comparator.reporting.frames import Frame
from comparator.reporting.scope import ResultFilter, Within
from comparator.store import tables
from comparator.store.core.database import Database

ANY, OR = "*", "|or|"
"""In a key: any part, and between two keys of which one is enough."""


class Behind(Frozen):
    """One of them."""

    comparison_id: str
    title: str


def behind(
    database: Database,
    project_id: str,
    *,
    figure: str,
    key: str,
    without: str = "",
    of: ResultFilter | None = None,
    within: Sequence[Within] = (),
    limit: int = 200,
) -> tuple[Behind, ...]:
    """Comparisons that count in `figure` under a key like `model|*|judge_first|A|B`, at most `limit`.

    Those that count under the key `without` too are left out. `of` narrows them to the revealed pairs of this result,
    `within` to revealed pairs that are in all of these parts.
    """
    with facts_of(database, project_id) as facts:
        lines = lines_of(facts, figure, of=of, within=within)
        ids = set(lines.comparison_id[_are(lines, key)])
        if without:
            ids -= set(lines.comparison_id[_are(lines, without)])
        first = sorted(ids)[:limit]
        comparison = tables.comparison.c
        query = sa.select(comparison.id, comparison.title).where(comparison.id.in_(first))
        rows = facts.connection.execute(query.order_by(comparison.id))
        return tuple(Behind(comparison_id=row.id, title=row.title) for row in rows)


def _are(lines: Frame, asked: str) -> Frame:
    """Which of a figure's lines stand under one of the keys; what a key leaves out at its end may be anything."""
    found = pd.Series(False, index=lines.index)
    for key in asked.split(OR):
        own = pd.Series(True, index=lines.index)
        for column, part in zip(lines.columns[1:-1], key.split("|"), strict=False):
            if part != ANY:
                own &= lines[column] == part
        found |= own
    return found
