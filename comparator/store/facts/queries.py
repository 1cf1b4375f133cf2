"""What a row of facts is derived from: a statement each, made once, for the comparison in the parameter `comparison`.

To make a statement takes SQLAlchemy longer than to run it, and a row is derived anew after each judgment.
"""

from __future__ import annotations

from sqlalchemy import String, and_, bindparam, exists, func, or_, select, true, type_coerce

from comparator.store import tables

_fact, _review, _finalisation = tables.fact.c, tables.review.c, tables.finalisation.c
_judgment, _attempt, _adjudication = tables.judgment.c, tables.attempt.c, tables.adjudication.c
_item, _batch, _lease, _pair = tables.batch_item.c, tables.batch.c, tables.lease.c, tables.comparison.c
_comparison = bindparam("comparison", type_=String())

LOCK_ROW = select(_fact.project_id).where(_fact.comparison_id == _comparison).with_for_update()
"""Holds its row until the end of the transaction."""

UPDATE = tables.fact.update().where(_fact.comparison_id == _comparison)
"""Sets the columns that are given as further parameters."""

PAIR = (
    select(_fact.superseded, _fact.state_a, _fact.state_b, _pair.may_reveal, tables.project.c.settings)
    .join_from(tables.fact, tables.comparison, _pair.id == _fact.comparison_id)
    .join(tables.project, tables.project.c.id == _fact.project_id)
    .where(_fact.comparison_id == _comparison)
)
"""How its runs stand, whether a passage tells whose an output is, and the settings of its project."""

COST = (
    select(
        type_coerce(func.sum(_attempt.cost), _attempt.cost.type).label("cost"),
        (func.count(_attempt.cost) == func.count()).label("whole"),
    )
    .join_from(tables.attempt, tables.judgment, _attempt.judgment_id == _judgment.id)
    .where(
        _judgment.comparison_id == _comparison,
        _judgment.trial.is_(None),
        _attempt.input_tokens + _attempt.output_tokens > 0,
    )
)
"""Of all readings that used tokens: the sum, and whether each has a price."""

RULING = (
    select(_adjudication.verdict, _adjudication.prose, _adjudication.blindness)
    .where(_adjudication.comparison_id == _comparison)
    .order_by(_adjudication.number.desc())
    .limit(1)
)
"""The newest adjudication."""

_later = tables.finalisation.alias("later").c
_newest = and_(
    _finalisation.review_id == _review.id,
    ~exists().where(_later.review_id == _finalisation.review_id, _later.seq > _finalisation.seq),
)
REVIEWS = (
    select(
        *(_review[name] for name in ("id", "person_id", "mode", "blindness", "rubric_id", "opened_at")),
        *(_finalisation[name] for name in ("kind", "winner", "verdict", "prose", "last_change", "unblinded")),
        _finalisation.at,
        exists().where(tables.change.c.review_id == _review.id).label("begun"),
    )
    .select_from(tables.review.outerjoin(tables.finalisation, _newest))
    .where(_review.comparison_id == _comparison)
    .order_by(_review.opened_at, _review.id)
)
"""Each review with its newest finalisation, and whether anything was changed in it."""

_theirs = and_(_item.comparison_id == _comparison, _item.state == "waiting", _batch.id == _item.batch_id)
BEING_JUDGED = select(
    or_(
        # Whoever reads it for a trial says nothing of it.
        and_(
            exists().where(_lease.kind == "pair", _lease.id == _comparison),
            or_(
                exists().where(_theirs, _batch.trial.is_(None)),
                ~exists().where(_theirs, _batch.trial == true()),
            ),
        ),
        exists().where(_theirs, _batch.single == true(), _batch.state == "running"),
    )
)
"""Whether a judge reads it, or is about to by itself."""

ENDED_WITH = (
    select(_item.problem)
    .join_from(tables.batch_item, tables.batch, _batch.id == _item.batch_id)
    .where(
        _item.comparison_id == _comparison,
        _item.state.in_(["done", "failed", "cancelled"]),
        _batch.trial.is_(None),
    )
    .order_by(_item.touched_at.desc())
    .limit(1)
)
"""Why the last judge of a batch ended without success."""

_success = tables.attempt.alias().c
LAST_PROBLEM = (
    select(_attempt.message)
    .join_from(tables.attempt, tables.judgment, _attempt.judgment_id == _judgment.id)
    .where(
        _judgment.set_digest == bindparam("set", type_=String()),
        ~exists().where(_success.judgment_id == _judgment.id, _success.succeeded == true()),
    )
    .order_by(_attempt.at.desc(), _attempt.id)
    .limit(1)
)
"""Of the set of passes that `set` names: the message of the last try without an answer."""
