"""Which criterion favoured whom: the difference by criterion, and the pairs that were won, tied and lost by it."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from comparator.domain.labels import Frozen
from comparator.reporting.results.result import HALF, Difference, difference_of
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import ResultFilter, counted, require_revealed
from comparator.reporting.tally.sums import count, sums_in, sums_over_tasks
from comparator.stats.slices import Ended, Runs
from comparator.store.core.database import Connection, Database
from comparator.store.judging.rubrics import criterion_names


class CriterionDifference(Frozen):
    """Candidate one against candidate two on one criterion; the difference is in points, one minus two."""

    path: str
    """Its dimension and key; criteria of several rubrics with one path are the same."""
    name: str | None = None
    """What the rubrics call it; None where they do not agree."""
    difference: Difference
    won: int
    """The pairs in which it favours candidate one."""
    tied: int
    lost: int
    decided: int
    """The pairs that it favours somebody in and that somebody won; in `with_winner` of them both are the same."""
    with_winner: int

    @property
    def n(self) -> int:
        """The pairs in which both outputs have a score on it."""
        return self.won + self.tied + self.lost


def called(path: str, name: str | None) -> str:
    """A criterion by its name, else its key, with its dimension.

    >>> called("content.field_alignment", None), called("content.field_alignment", "Alignment of fields")
    ('Field alignment (content)', 'Alignment of fields (content)')
    """
    dimension, _, key = path.partition(".")
    return f"{name or key.replace('_', ' ').capitalize()} ({dimension})"


def criterion_name(database: Database, project_id: str, path: str) -> str | None:
    """What the newest rubrics of the project call one criterion; None where they do not agree, or none has it."""
    with database.read() as connection:
        return criterion_names(connection, project_id).get(path)


def by_criterion(database: Database, asked: ResultFilter) -> tuple[CriterionDifference, ...]:
    """The differences, in the order of their paths. Raises BlindnessError."""
    with current(database) as connection:
        require_revealed(connection, asked)
        rows = connection.execute(_differences_query(asked, connection.dialect.name)).all()
        names = criterion_names(connection, asked.project_id)
    return tuple(
        CriterionDifference(
            path=row.path,
            name=names.get(row.path),
            difference=difference_of(sums_in(row), unit=HALF),
            won=int(row.won),
            tied=int(row.tied),
            lost=int(row.lost),
            decided=int(row.decided),
            with_winner=int(row.with_winner),
        )
        for row in rows
    )


@lru_cache(maxsize=256)
def _differences_query(asked: ResultFilter, dialect: str) -> sa.Select[Any]:
    pairs = counted(asked)
    each, value = _criteria_of(pairs, dialect)
    lead = pairs.c.points - 1
    named = {
        "won": count(value > 0),
        "tied": count(value == 0),
        "lost": count(value < 0),
        "decided": count(value * lead != 0),
        "with_winner": count(value * lead > 0),
    }
    by_task = (
        sa.select(
            each.c.key.label("path"),
            sa.func.count().label("n"),
            sa.func.sum(value).label("s"),
            *(column.label(name) for name, column in named.items()),
        )
        .select_from(pairs)
        .join(each, sa.true())
        .where(pairs.c.criteria.is_not(None))
        .group_by(pairs.c.task_id, each.c.key)
        .subquery()
    )
    return (
        sa.select(
            by_task.c.path,
            *sums_over_tasks(by_task.c.n, by_task.c.s),
            *(sa.func.sum(by_task.c[name]).label(name) for name in named),
        )
        .group_by(by_task.c.path)
        .order_by(by_task.c.path)
    )


def leads_by_criterion(connection: Connection, asked: ResultFilter) -> dict[str, Runs]:
    """Of each criterion's path: how often candidate one leads, is even and trails by it, by task and run."""
    pairs = counted(asked)
    each, value = _criteria_of(pairs, connection.dialect.name)
    query = (
        sa.select(
            each.c.key, pairs.c.task_id, pairs.c.both, count(value > 0), count(value == 0), count(value < 0)
        )
        .select_from(pairs)
        .join(each, sa.true())
        .where(pairs.c.criteria.is_not(None))
        .group_by(each.c.key, pairs.c.task_id, pairs.c.both)
    )
    found: dict[str, Runs] = defaultdict(dict)
    for path, task, both, won, tied, lost in connection.execute(query):
        found[path].setdefault(task, {})[both] = Ended(won, tied, lost)
    return found


def _criteria_of(pairs: sa.Subquery, dialect: str) -> tuple[sa.TableValuedAlias, sa.ColumnElement[int]]:
    """The criteria of each pair, and candidate one's lead by each."""
    if dialect == "sqlite":
        each = sa.func.json_each(pairs.c.criteria).table_valued("key", "value", name="each_criterion")
    else:
        each = sa.func.jsonb_each_text(sa.cast(sa.cast(pairs.c.criteria, sa.Text), JSONB)).table_valued(
            "key", "value", name="each_criterion"
        )
    return each, pairs.c.sign * sa.cast(each.c.value, sa.Integer)
