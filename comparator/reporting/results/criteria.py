"""The difference by criterion, where all tasks are scored by the project's rubric."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from comparator.domain.labels import Frozen
from comparator.reporting.results.result import HALF, Difference, difference_of
from comparator.reporting.tally.keeping import current
from comparator.reporting.tally.scope import ResultFilter, counted, require_revealed
from comparator.stats.paired import Sums
from comparator.store.core.database import Database


class CriterionDifference(Frozen):
    """Candidate one minus candidate two on one criterion, in points."""

    path: str
    difference: Difference


def by_criterion(database: Database, asked: ResultFilter) -> tuple[CriterionDifference, ...]:
    """The differences, in the order of their paths; none where rubrics are not shared. Raises BlindnessError."""
    pairs = counted(asked)
    sign = -1 if asked.one > asked.two else 1
    if database.engine.dialect.name == "sqlite":
        each = sa.func.json_each(pairs.c.criteria).table_valued("key", "value", name="each_criterion")
    else:
        each = sa.func.jsonb_each_text(sa.cast(sa.cast(pairs.c.criteria, sa.Text), JSONB)).table_valued(
            "key", "value", name="each_criterion"
        )
    value = sign * sa.cast(each.c.value, sa.Integer)
    by_task = (
        sa.select(each.c.key.label("path"), sa.func.count().label("n"), sa.func.sum(value).label("s"))
        .select_from(pairs)
        .join(each, sa.true())
        .where(pairs.c.criteria.is_not(None))
        .group_by(pairs.c.task_id, each.c.key)
        .subquery()
    )
    n, s = by_task.c.n, by_task.c.s
    query = (
        sa.select(
            by_task.c.path,
            sa.func.count().label("tasks"),
            sa.func.sum(n).label("n"),
            sa.func.sum(s).label("total"),
            sa.func.sum(s * s).label("squares"),
            sa.func.sum(s * n).label("products"),
            sa.func.sum(n * n).label("sizes"),
        )
        .group_by(by_task.c.path)
        .order_by(by_task.c.path)
    )
    with current(database) as connection:
        require_revealed(connection, asked)
        rows = connection.execute(query).all()
    return tuple(
        CriterionDifference(
            path=row.path,
            difference=difference_of(Sums(*(int(getattr(row, name)) for name in Sums._fields)), unit=HALF),
        )
        for row in rows
    )
