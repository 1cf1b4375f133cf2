"""The comparisons behind a bar of a chart that is drawn from the tally."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.part_conditions import Within, condition
from comparator.reporting.tally.refresh import current
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.sql import like

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
    within: Sequence[Within] = (),
    limit: int = 200,
) -> tuple[Behind, ...]:
    """Comparisons that count in `figure` under a key like `model|*|judge_first|A|B`, at most `limit`.

    Those that count under the key `without` too are left out. `within` narrows them to revealed pairs that are in all
    of these parts.
    """
    outcome, comparison = tables.outcome.c, tables.comparison.c
    query = (
        sa.select(outcome.comparison_id, outcome.adds, comparison.title)
        .join_from(tables.outcome, tables.comparison, comparison.id == outcome.comparison_id)
        .where(
            outcome.project_id == project_id,
            sa.type_coerce(outcome.adds, sa.Text).like(like(f'["{figure}", '), escape="\\"),
            *([outcome.revealed == sa.true()] if within else ()),
            *(condition(each) for each in within),
        )
        .order_by(outcome.comparison_id)
    )
    found = []
    with (
        current(database) as connection,
        connection.execute(query, execution_options={"yield_per": 500}) as rows,
    ):
        for row in rows:
            keys = [of for own, of, n in row.adds if own == figure and n > 0]
            if _any(keys, key) and not (without and _any(keys, without)):
                found.append(Behind(comparison_id=row.comparison_id, title=row.title))
                if len(found) == limit:
                    break
    return tuple(found)


def _any(keys: list[str], asked: str) -> bool:
    # Anything that a pattern could hold but the star is meant as it stands.
    patterns = asked.replace("[", "[[]").replace("?", "[?]").split(OR)
    return any(fnmatchcase(key, pattern) for key in keys for pattern in patterns)
