"""All judgments of one comparison beside each other: another model, another rubric, other prompts."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

import sqlalchemy as sa

from comparator.domain.errors import BlindnessError
from comparator.domain.scoring.judgment import MergedJudgment, merge
from comparator.reporting.history.conditions import covered
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.facts import verdicts
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import PassSet
from comparator.store.judging.rubrics import RubricVersion


class JudgmentOf(NamedTuple):
    """One judgment: the passes of one judge by one rubric, or what several judges come to."""

    passed: PassSet
    rubric: RubricVersion
    merged: MergedJudgment | None
    """None without a pass in each order."""
    current: bool
    """Whether it is the one that counts."""
    name: str | None = None
    """Of the judge, where it is one of several that were asked."""
    cost: Decimal | None = None
    """None where a reading has no known price, and for several judges, whose costs are told with each."""


def judgments_of(database: Database, comparison_id: str, *, reader: str) -> tuple[JudgmentOf, ...]:
    """The comparison's judgments over its present views, oldest first.

    Raises BlindnessError while the reader has yet to score the pair before seeing what a judge said.
    """
    with database.read() as connection:
        _require_open(connection, comparison_id, reader)
        now, found = verdicts.judged(connection, comparison_id), []
        names = {each.digest: name for name, each in now.by.sets.items()} if now and now.by else {}
        for passed in judgments.sets(connection, comparison_id):
            rubric = rubrics.get(connection, passed.rubric_id)
            read = judgments.successful(connection, passed.digest)
            found.append(
                JudgmentOf(
                    passed,
                    rubric,
                    merge(rubric.rubric, read) if passed.complete else None,
                    current=now is not None and now.by is None and passed == now.chosen,
                    name=names.get(passed.digest),
                    cost=_cost(connection, passed.digest),
                )
            )
        if now is not None and now.by is not None:
            rubric = rubrics.get(connection, now.chosen.rubric_id)
            found.append(JudgmentOf(now.chosen, rubric, now.judgment, current=True))
        return tuple(found)


def _require_open(connection: Connection, comparison_id: str, reader: str) -> None:
    hidden = covered(connection, reader)
    if hidden is None:
        return
    fact = tables.fact.c
    query = sa.select(fact.comparison_id).where(fact.comparison_id == comparison_id, hidden)
    if connection.execute(query).first() is not None:
        raise BlindnessError("Score this pair first. Then you can see what judges said of it.")


def _cost(connection: Connection, set_digest: str) -> Decimal | None:
    """What its readings cost; None where one has no known price."""
    judgment, attempt = tables.judgment.c, tables.attempt.c
    query = (
        sa.select(attempt.cost)
        .join_from(tables.attempt, tables.judgment, attempt.judgment_id == judgment.id)
        .where(judgment.set_digest == set_digest)
    )
    costs = list(connection.execute(query).scalars())
    return None if not costs or any(cost is None for cost in costs) else sum(costs, Decimal())
