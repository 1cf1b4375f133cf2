"""The win rate that people would give on all pairs: the judge on all of them, people on the audit sample."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import (
    ResultFilter,
    Runs,
    VerdictKind,
    Verdicts,
    counted,
    of_two,
    require_revealed,
)
from comparator.stats.figures import TooFew
from comparator.stats.prediction_powered import Powered, PoweredSums, powered_rate
from comparator.store import tables
from comparator.store.core.database import Database

UNTOLD = (VerdictKind.BLIND, VerdictKind.REVEALING)
"""What stands for people: no verdict of those who set the pair up, or knew which output was whose."""


class AllPairs(Frozen):
    """What people would say of all pairs that a model judged; `reviewed` of the `sample` are done, by people who were
    told nothing of the candidates."""

    pairs: int
    sample: int
    reviewed: int
    powered: Powered | TooFew | None
    """None where there is no sample, or nobody reviewed any of it."""

    @property
    def finished(self) -> bool:
        """Whether all of the sample is reviewed: only then may it stand for all pairs."""
        return self.sample > 0 and self.reviewed == self.sample


def all_pairs(database: Database, asked: ResultFilter) -> AllPairs:
    """The estimate for the two candidates. Raises BlindnessError while nothing of the two is revealed."""
    # Pairs that only the judge has spoken on belong to it as much as reviewed ones.
    either = asked.model_copy(update={"verdicts": Verdicts.EITHER})
    pairs = counted(either)
    judged = sa.select(pairs).where(pairs.c.judge_points.is_not(None)).subquery()
    done = sa.and_(judged.c.audited == sa.true(), judged.c.kind.in_([each.value for each in UNTOLD]))

    def total(value: Any) -> sa.ColumnElement[Any]:
        return sa.func.coalesce(sa.func.sum(value), 0)

    def of_done(value: Any) -> sa.ColumnElement[Any]:
        return total(sa.case((done, value), else_=0))

    person, judge = judged.c.points, judged.c.judge_points
    by_task = (
        sa.select(
            of_done(1).label("labelled"),
            of_done(person).label("people"),
            of_done(judge).label("judge"),
            total(sa.case((done, 0), else_=1)).label("others"),
            total(sa.case((done, 0), else_=judge)).label("judge_others"),
            of_done(person * judge).label("people_judge"),
            total(judge * judge).label("judge_squares"),
            total(sa.case((judged.c.audited == sa.true(), 1), else_=0)).label("sample"),
        )
        .group_by(judged.c.task_id)
        .subquery()
    )
    five = [by_task.c[name] for name in ("labelled", "people", "judge", "others", "judge_others")]
    products = [total(five[i] * five[k]).label(f"p{i}{k}") for i in range(5) for k in range(i, 5)]
    query = sa.select(
        total(sa.case((by_task.c.labelled > 0, 1), else_=0)).label("tasks"),
        *(total(column).label(column.name) for column in five),
        total(by_task.c.people_judge).label("people_judge"),
        total(by_task.c.judge_squares).label("judge_squares"),
        total(by_task.c.sample).label("sample"),
        *products,
    )
    with current(database) as connection:
        require_revealed(connection, asked)
        row = connection.execute(query).one()
        contested = connection.execute(_contested(asked)).scalar_one()
    sums = PoweredSums(
        tasks=int(row.tasks),
        totals=(int(row.labelled), int(row.people), int(row.judge), int(row.others), int(row.judge_others)),
        people_judge=int(row.people_judge),
        judge_squares=int(row.judge_squares),
        products=tuple(int(getattr(row, product.name)) for product in products),
    )
    return AllPairs(
        pairs=int(row.labelled) + int(row.others),
        sample=int(row.sample) + int(contested),
        reviewed=int(row.labelled),
        powered=powered_rate(sums) if row.labelled else None,
    )


def _contested(asked: ResultFilter) -> sa.Select[Any]:
    """How many pairs of the sample have no verdict because their reviewers disagree: they wait for a ruling."""
    outcome = tables.outcome.c
    query = sa.select(sa.func.count()).where(
        *of_two(asked),
        outcome.revealed == sa.true(),
        outcome.audited == sa.true(),
        outcome.judge_points.is_not(None),
        outcome.points.is_(None),
    )
    return query.where(outcome.valid == sa.true()) if asked.runs is Runs.VALID else query
