"""What judging a project took: tries, tokens, seconds and money, by model."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.results_scope import whole
from comparator.store import tables
from comparator.store.database import Database
from comparator.store.tables.base import MONEY_PLACES


class Spent(Frozen):
    """What one model took. `cost` covers the priced tries only; `unpriced` used tokens at a price we do not know."""

    model: str
    pairs: int
    tries: int
    failed: int
    input_tokens: int
    output_tokens: int
    seconds: float
    cost: Decimal
    currency: str
    unpriced: int


def spending(database: Database, project_id: str) -> tuple[Spent, ...]:
    """What each model took for rubrics and judgments, dearest first; says nothing of candidates."""
    j, a, c = tables.judgment.c, tables.attempt.c, tables.comparison.c
    r, v, t = tables.rubric_attempt.c, tables.task_version.c, tables.task.c
    judging = (
        sa.select(
            j.judge_model,
            sa.func.count(j.comparison_id.distinct()).label("pairs"),
            _count(a.succeeded == sa.false()).label("failed"),
            *_used(tables.attempt),
        )
        .select_from(
            tables.attempt.join(tables.judgment, j.id == a.judgment_id).join(
                tables.comparison, c.id == j.comparison_id
            )
        )
        .where(c.project_id == project_id)
        .group_by(j.judge_model, a.currency)
    )
    writing = (
        sa.select(
            r.judge_model,
            sa.literal(0).label("pairs"),
            _count(r.rubric_id.is_(None)).label("failed"),
            *_used(tables.rubric_attempt),
        )
        .select_from(
            tables.rubric_attempt.join(tables.task_version, v.id == r.task_version_id).join(
                tables.task, t.id == v.task_id
            )
        )
        .where(t.project_id == project_id)
        .group_by(r.judge_model, r.currency)
    )
    found: dict[tuple[str, str], Spent] = {}
    with database.read() as connection:
        for row in (*connection.execute(judging), *connection.execute(writing)):
            spent = _spent(row)
            known = found.get((spent.model, spent.currency))
            found[spent.model, spent.currency] = _both(known, spent) if known else spent
    return tuple(sorted(found.values(), key=lambda each: (-each.cost, each.model, each.currency)))


def _used(table: sa.Table) -> tuple[sa.ColumnElement[Any], ...]:
    c = table.c
    used_tokens = c.input_tokens + c.output_tokens > 0
    return (
        c.currency,
        sa.func.count().label("tries"),
        sa.func.sum(c.input_tokens).label("input_tokens"),
        sa.func.sum(c.output_tokens).label("output_tokens"),
        sa.func.sum(c.seconds).label("seconds"),
        sa.func.coalesce(sa.func.sum(whole(c.cost)), 0).label("cost"),
        _count(sa.and_(c.cost.is_(None), used_tokens)).label("unpriced"),
    )


def _spent(row: Any) -> Spent:
    return Spent(
        model=row.judge_model,
        pairs=row.pairs,
        tries=row.tries,
        failed=int(row.failed),
        input_tokens=int(row.input_tokens),
        output_tokens=int(row.output_tokens),
        seconds=float(row.seconds),
        cost=Decimal(int(row.cost)).scaleb(-MONEY_PLACES),
        currency=row.currency,
        unpriced=int(row.unpriced),
    )


def _both(one: Spent, other: Spent) -> Spent:
    added = ("pairs", "tries", "failed", "input_tokens", "output_tokens", "seconds", "cost", "unpriced")
    return one.model_copy(update={name: getattr(one, name) + getattr(other, name) for name in added})


def _count(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.coalesce(sa.func.sum(sa.case((condition, 1), else_=0)), 0)
