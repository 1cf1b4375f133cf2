"""What a row of facts is derived from: a statement each, made once, for the comparison in the parameter `comparison`.

To make a statement takes SQLAlchemy longer than to run it, and a row is derived anew after each judgment.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, String, Subquery, and_, bindparam, exists, func, or_, select, true, type_coerce

from comparator.store import tables

_fact, _review, _finalisation = tables.fact.c, tables.review.c, tables.finalisation.c
_judgment, _attempt = tables.judgment.c, tables.attempt.c
_batch_item, _batch, _lease = tables.batch_item.c, tables.batch.c, tables.lease.c
_comparison = bindparam("comparison", type_=String())

LOCK_ROW = select(_fact.project_id).where(_fact.comparison_id == _comparison).with_for_update()
"""Holds its row until the end of the transaction."""

UPDATE = tables.fact.update().where(_fact.comparison_id == _comparison)
"""Sets the columns that are given as further parameters."""

RUN_STATES = select(_fact.superseded, _fact.state_a, _fact.state_b).where(_fact.comparison_id == _comparison)

MAY_REVEAL = select(tables.comparison.c.may_reveal).where(tables.comparison.c.id == _comparison)
"""Whether a passage in one of the outputs tells outright which run it is from."""

SETTINGS = (
    select(tables.project.c.settings)
    .join_from(tables.project, tables.comparison, tables.comparison.c.project_id == tables.project.c.id)
    .where(tables.comparison.c.id == _comparison)
)
"""Of its project."""

COST = (
    select(
        type_coerce(func.sum(_attempt.cost), _attempt.cost.type).label("cost"),
        func.count(_attempt.cost).label("priced"),
        func.count().label("tries"),
    )
    .join_from(tables.attempt, tables.judgment, _attempt.judgment_id == _judgment.id)
    .where(
        _judgment.comparison_id == _comparison,
        _judgment.trial.is_(None),
        _attempt.input_tokens + _attempt.output_tokens > 0,
    )
)
"""Of all readings that used tokens: the sum, how many have a price, and how many there are."""

RULING = (
    select(tables.adjudication.c.verdict, tables.adjudication.c.prose, tables.adjudication.c.blindness)
    .where(tables.adjudication.c.comparison_id == _comparison)
    .order_by(tables.adjudication.c.number.desc())
    .limit(1)
)
"""The newest adjudication."""


def _newest() -> Subquery:
    """The newest finalisation of each of its reviews."""
    return (
        select(_finalisation.review_id, func.max(_finalisation.seq).label("seq"))
        .join_from(tables.finalisation, tables.review, _review.id == _finalisation.review_id)
        .where(_review.comparison_id == _comparison)
        .group_by(_finalisation.review_id)
        .subquery()
    )


def _reviews() -> Select[Any]:
    newest = _newest()
    begun = exists().where(tables.change.c.review_id == _review.id)
    return (
        select(_finalisation.kind, begun.label("begun"))
        .select_from(
            tables.review.outerjoin(newest, newest.c.review_id == _review.id).outerjoin(
                tables.finalisation,
                and_(_finalisation.review_id == _review.id, _finalisation.seq == newest.c.seq),
            )
        )
        .where(_review.comparison_id == _comparison)
    )


def _final_reviews() -> Select[Any]:
    newest = _newest()
    return (
        select(_finalisation.verdict, _finalisation.prose, _review.rubric_id)
        .select_from(
            tables.finalisation.join(
                newest,
                and_(newest.c.review_id == _finalisation.review_id, newest.c.seq == _finalisation.seq),
            ).join(tables.review, _review.id == _finalisation.review_id)
        )
        .where(_finalisation.kind == "final")
        .order_by(_finalisation.at, _review.id)
    )


REVIEWS = _reviews()
"""Each review's newest finalisation, and whether anything was changed in it."""

FINAL_REVIEWS = _final_reviews()
"""The verdicts of the reviews that are final and not reopened, oldest first."""


def _being_judged() -> Select[Any]:
    theirs = and_(
        _batch_item.comparison_id == _comparison,
        _batch_item.state == "waiting",
        _batch.id == _batch_item.batch_id,
    )
    waits = exists().where(theirs, _batch.trial.is_(None))
    waits_for_a_trial = exists().where(theirs, _batch.trial == true())
    # Whoever reads it for a trial says nothing of it.
    leased = and_(
        exists().where(_lease.kind == "pair", _lease.id == _comparison),
        or_(waits, ~waits_for_a_trial),
    )
    asked = exists().where(theirs, _batch.single == true(), _batch.state == "running")
    return select(or_(leased, asked))


BEING_JUDGED = _being_judged()
"""Whether a judge reads it, or is about to by itself."""

ENDED_WITH = (
    select(_batch_item.problem)
    .join_from(tables.batch_item, tables.batch, _batch.id == _batch_item.batch_id)
    .where(
        _batch_item.comparison_id == _comparison,
        _batch_item.state.in_(["done", "failed", "cancelled"]),
        _batch.trial.is_(None),
    )
    .order_by(_batch_item.touched_at.desc())
    .limit(1)
)
"""Why the last judge of a batch ended without success."""


def _last_problem() -> Select[Any]:
    success = tables.attempt.alias()
    answered = exists().where(success.c.judgment_id == _judgment.id, success.c.succeeded == true())
    return (
        select(_attempt.message)
        .join_from(tables.attempt, tables.judgment, _attempt.judgment_id == _judgment.id)
        .where(_judgment.set_digest == bindparam("set", type_=String()), ~answered)
        .order_by(_attempt.at.desc(), _attempt.id)
        .limit(1)
    )


LAST_PROBLEM = _last_problem()
"""Of the set of passes that `set` names: the message of the last try without an answer."""
