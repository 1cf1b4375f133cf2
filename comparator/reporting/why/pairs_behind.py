"""The comparisons behind a bar of a chart that is drawn from the tally."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.part_conditions import Within
from comparator.reporting.tally.refresh import adds_to, current, names_of_figure, pairs_in
from comparator.reporting.tally.scope import ResultFilter
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
    outcome, comparison = tables.outcome.c, tables.comparison.c
    names = names_of_figure(figure, of)
    query = (
        sa.select(outcome.comparison_id, outcome.adds, comparison.title)
        .join_from(tables.outcome, tables.comparison, comparison.id == outcome.comparison_id)
        .where(*pairs_in(project_id, of=of, within=within), sa.or_(*map(adds_to, names)))
        .order_by(outcome.comparison_id)
    )
    found = []
    with (
        current(database) as connection,
        connection.execute(query, execution_options={"yield_per": 500}) as rows,
    ):
        for row in rows:
            keys = [under for own, under, n in row.adds if own in names and n > 0]
            if _any(keys, key) and not (without and _any(keys, without)):
                found.append(Behind(comparison_id=row.comparison_id, title=row.title))
                if len(found) == limit:
                    break
    return tuple(found)


def _any(keys: list[str], asked: str) -> bool:
    # Anything that a pattern could hold but the star is meant as it stands.
    patterns = asked.replace("[", "[[]").replace("?", "[?]").split(OR)
    return any(fnmatchcase(key, pattern) for key in keys for pattern in patterns)
