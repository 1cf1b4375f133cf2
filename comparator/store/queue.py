"""Which comparison a person reviews next, by the order that the project sets, and how many wait for them."""

from __future__ import annotations

import hashlib
from typing import Any

import sqlalchemy as sa

from comparator.store import tables
from comparator.store.projects import QueueOrder
from comparator.store.standings import Status

WAITING = (Status.TO_REVIEW, Status.DRAFT)
_s = tables.standing.c
_later = tables.finalisation.alias("later")
_later_answer = tables.answer.alias("taken_back")
_margin = sa.func.abs(_s.judge_overall_a - _s.judge_overall_b)
# The audit sample comes first wherever the order is not the import's, so that it is always reviewed as a whole.
_sampled = sa.case(
    (
        sa.exists().where(tables.draw.c.comparison_id == _s.comparison_id, tables.draw.c.chosen == sa.true()),
        0,
    ),
    else_=1,
)


def next_to_review(
    connection: sa.Connection,
    *,
    person_id: str,
    project_id: str | None = None,
    order: QueueOrder = QueueOrder.AS_IMPORTED,
    after: str | None = None,
) -> str | None:
    """The id of the comparison that this person reviews next, own drafts first; None when all are done.

    Left out are `after` (the one just left), and what the person has finalised, skipped or cannot judge.
    """
    open_to_me = [~_finished(person_id), ~_answered(person_id)]
    if after is not None:
        open_to_me.append(_s.comparison_id != after)
    keys = [key.label(f"key_{number}") for number, key in enumerate(_order(order, person_id))]

    def first(project: sa.ColumnElement[str], *conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
        query = sa.select(_s.comparison_id, *keys).where(*conditions, *open_to_me)
        if project_id is not None:
            query = query.where(project == project_id)
        return query.order_by(*keys).limit(1)

    # From the few reviews that the person began, not from the queue: wrapped in a call, status and project are no
    # reason for the database to begin with an index of all comparisons.
    begun, change = tables.review.alias("begun"), tables.change.c
    waiting = sa.func.coalesce(_s.status, "").in_([status.value for status in WAITING])
    drafts = begun.join(tables.standing, _s.comparison_id == begun.c.comparison_id)
    project = sa.func.coalesce(_s.project_id, "")
    worked_on = sa.exists().where(change.review_id == begun.c.id)
    mine_first = first(project, begun.c.person_id == person_id, worked_on, waiting).select_from(drafts)
    draft = connection.execute(mine_first).scalar()
    if draft is not None:
        return str(draft)
    # One look into the index for each status: over both at once, the database would sort the whole queue.
    heads = sa.union_all(
        *(sa.select(first(_s.project_id, _s.status == status.value).subquery()) for status in WAITING)
    ).subquery()
    ordered = [heads.c[key.name] for key in keys]
    return connection.execute(sa.select(heads.c.comparison_id).order_by(*ordered).limit(1)).scalar()


def waiting_for(connection: sa.Connection, *, person_id: str, project_id: str | None = None) -> int:
    """How many comparisons wait for this person's review, drafts among them."""
    # From the person's few reviews and answers, not from a look at each comparison that waits.
    r, a = tables.review.c, tables.answer.c
    mine = sa.union(
        sa.select(r.comparison_id).where(r.person_id == person_id),
        sa.select(a.comparison_id).where(a.person_id == person_id),
    )
    status = _s.status.in_([status.value for status in WAITING])
    here = status if project_id is None else sa.and_(status, _s.project_id == project_id)
    everybodys = sa.select(sa.func.count()).select_from(tables.standing).where(here)
    through = (
        sa.select(sa.func.count())
        .select_from(tables.standing)
        .where(_s.comparison_id.in_(mine), here, sa.or_(_finished(person_id), _answered(person_id)))
    )
    return int(connection.execute(everybodys).scalar_one()) - int(connection.execute(through).scalar_one())


def _finished(person_id: str) -> sa.ColumnElement[bool]:
    r, f = tables.review.c, tables.finalisation.c
    return sa.exists().where(
        r.comparison_id == _s.comparison_id,
        r.person_id == person_id,
        f.review_id == r.id,
        f.kind == "final",
        ~sa.exists().where(_later.c.review_id == f.review_id, _later.c.seq > f.seq),
    )


def _answered(person_id: str) -> sa.ColumnElement[bool]:
    a = tables.answer.c
    return sa.exists().where(
        a.comparison_id == _s.comparison_id,
        a.person_id == person_id,
        a.withdraws.is_(None),
        a.kind.in_(("skip", "cannot_judge", "outside_expertise")),
        ~sa.exists().where(_later_answer.c.withdraws == a.id),
    )


def _order(order: QueueOrder, person_id: str) -> tuple[sa.ColumnElement[Any], ...]:
    match order:
        case QueueOrder.AS_IMPORTED:
            return (_s.created_at, _s.comparison_id)
        case QueueOrder.RANDOM:
            # Ids are random in each of their characters: read from another one on, they give another order that stays.
            start = 1 + hashlib.sha256(person_id.encode()).digest()[0] % 12
            return (_sampled, sa.func.substr(_s.comparison_id, start), _s.comparison_id)
        case QueueOrder.INFORMATIVE:
            return (
                _sampled,
                sa.case((_s.position_consistent == sa.false(), 0), else_=1),
                _margin,
                _s.quotes_found * 100 / sa.func.nullif(_s.quotes_total, 0),
                _s.comparison_id,
            )
