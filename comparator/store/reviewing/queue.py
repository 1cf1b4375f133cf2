"""Which comparison a person reviews next, by the order that the project sets, and how many wait for them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from comparator.domain.project import SHARE_DIGITS, QueueOrder, share_bound
from comparator.domain.scoring.repetitions import MOST_AUTO, UNSURE
from comparator.store import tables
from comparator.store.core.sql import lock
from comparator.store.core.unit import Unit
from comparator.store.facts import fact
from comparator.store.facts.fact import REVEALED, UNREAD_BY_JUDGE, WITH_VOID, Status
from comparator.store.pairs import reveals
from comparator.store.people import projects
from comparator.store.people.projects import Project
from comparator.store.reviewing import claims, finalisations
from comparator.store.reviewing.notes import put_aside

WAITING = (Status.TO_REVIEW, Status.DRAFT)
"""What waits for a reviewer; of the pairs with an unusable output, which are put to nobody unasked, see `_ready`."""
_SHOWN = [status.value for status in (*WAITING, Status.FINALISED)]
_fact, _claim = tables.fact.c, tables.claim.c
_margin = sa.func.abs(_fact.judge_overall_a - _fact.judge_overall_b)
# The audit sample comes first wherever the order is not the import's, so that it is always reviewed as a whole.
_sampled = sa.case(
    (
        sa.exists().where(
            tables.comparison.c.id == _fact.comparison_id, tables.comparison.c.audited == sa.true()
        ),
        0,
    ),
    else_=1,
)
# A judge that reads as often as it is unsure comes to a third reading only where the first two rounds left it so: their
# orders disagree, or their scores stay close.
_read_thrice = sa.exists().where(
    tables.judgment.c.comparison_id == _fact.comparison_id,
    tables.judgment.c.repetition == MOST_AUTO - 1,
    tables.judgment.c.trial.is_(None),
)
_unsure = sa.func.coalesce(_fact.stated_confidence, 100) <= UNSURE
# Only what was read has a confidence.
_undecided = sa.and_(_fact.stated_confidence.is_not(None), _fact.judge_winner.is_(None))


class NotFor(StrEnum):
    """Why a pair that waits for a review does not wait for somebody."""

    SKIPPED = "skipped"
    """They skipped it, or cannot judge it."""
    REVIEWED = "reviewed"
    TAKEN = "taken"
    """Others are at it, as many as are needed."""


def next_to_review(
    unit: Unit,
    *,
    person_id: str,
    project_id: str | None = None,
    order: QueueOrder = QueueOrder.AS_IMPORTED,
    after: str | None = None,
    all_runs: bool = False,
) -> str | None:
    """The id of the comparison that this person reviews next; None when all are done.

    Own drafts come first, then warm-up pairs, then what is assigned to the person or claimed by them. Of the others,
    blind pairs come before revealed ones: first those of which a reading contradicts itself, then by the order.

    Left out are `after` (the one just left), closed projects, and what the person has finalised, skipped or cannot
    judge. So is what others hold, or have done as often as is needed. Without `all_runs`, pairs with an unusable output
    are left out as well.
    """
    panels = _panels(unit.connection, project_id)
    open_to_me = [
        ~_finished(person_id),
        ~put_aside(_fact.comparison_id, person_id),
        *_open_here(panels),
        *_valid(all_runs),
    ]
    if after is not None:
        open_to_me.append(_fact.comparison_id != after)
    keys = [key.label(f"key_{number}") for number, key in enumerate(_order(order, person_id))]

    def first(project: sa.ColumnElement[str], *conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
        query = sa.select(_fact.comparison_id, *keys).where(*conditions, *open_to_me)
        if project_id is not None:
            query = query.where(project == project_id)
        return query.order_by(*keys).limit(1)

    # From the few reviews that the person began, not from the queue: wrapped in a call, status and project are no
    # reason for the database to begin with an index of all comparisons.
    begun, change = tables.review.alias("begun"), tables.change.c
    status = sa.func.coalesce(_fact.status, "")
    waiting = _ready(status, all_runs)
    drafts = begun.join(tables.fact, _fact.comparison_id == begun.c.comparison_id)
    project = sa.func.coalesce(_fact.project_id, "")
    worked_on = sa.exists().where(change.review_id == begun.c.id)
    of_drafts = first(project, begun.c.person_id == person_id, worked_on, waiting).select_from(drafts)
    draft = unit.connection.execute(of_drafts).scalar()
    if draft is not None:
        return str(draft)
    warm_ups = [id for panel in panels for id in panel.settings.warm_up]
    if warm_ups:
        among = (status.in_(_SHOWN), ~REVEALED)
        left = set(
            unit.connection.execute(
                sa.select(_fact.comparison_id).where(_fact.comparison_id.in_(warm_ups), *among, *open_to_me)
            ).scalars()
        )
        following = next((id for id in warm_ups if id in left), None)
        if following is not None:
            return following
    mine = tables.claim.join(tables.fact, _fact.comparison_id == _claim.comparison_id)
    of_claims = first(project, _claim.person_id == person_id, claims.is_active(unit.at), waiting).select_from(
        mine
    )
    reserved = unit.connection.execute(of_claims).scalar()
    if reserved is not None:
        return str(reserved)
    # One look into the index for each status: over both at once, the database would sort the whole queue.
    for_all = _for_all(unit.connection, panels)
    wanted = sa.or_(_has_room(panels, person_id, unit.at), for_all)
    disputed = _fact.self_consistent == sa.false()
    # A review after the reveal does not count as blind: such pairs come when no blind one is left.
    mixed = reveals.some_of(unit.connection, project_id)
    for reveal in (~REVEALED, REVEALED) if mixed else (sa.true(),):
        contradicted = unit.connection.execute(first(project, disputed, waiting, wanted, reveal)).scalar()
        if contradicted is not None:
            return str(contradicted)
        looks = [first(_fact.project_id, _fact.status == each.value, wanted, reveal) for each in WAITING]
        if all_runs:
            looks.append(first(_fact.project_id, _VOID_READY, wanted, reveal))
        if any(panel.settings.share_to_all for panel in panels):
            done = _fact.status == Status.FINALISED
            looks.append(first(_fact.project_id, done, for_all, ~REVEALED, reveal))
        heads = sa.union_all(*(sa.select(look.subquery()) for look in looks)).subquery()
        best = sa.select(heads.c.comparison_id).order_by(*(heads.c[key.name] for key in keys)).limit(1)
        following = unit.connection.execute(best).scalar()
        if following is not None:
            return str(following)
    return None


def is_free(unit: Unit, comparison_id: str, *, person_id: str) -> bool:
    """Whether the pair may be given to this person now; its row is locked until the transaction ends.

    It may not where they have finalised or answered it, in another tab since it was found.
    """
    lock(unit.connection, tables.fact, comparison_id)
    project_id = unit.connection.execute(
        sa.select(_fact.project_id).where(_fact.comparison_id == comparison_id)
    ).scalar_one()
    panels = _panels(unit.connection, project_id)
    reserved = sa.exists().where(
        _claim.comparison_id == _fact.comparison_id,
        _claim.person_id == person_id,
        claims.is_active(unit.at),
    )
    review = tables.review.c
    begun = sa.exists().where(review.comparison_id == _fact.comparison_id, review.person_id == person_id)
    allowed = sa.or_(
        _has_room(panels, person_id, unit.at), _for_all(unit.connection, panels), reserved, begun
    )
    still = (
        allowed,
        ~_finished(person_id),
        ~put_aside(_fact.comparison_id, person_id),
        *_open_here(panels),
    )
    query = sa.select(_fact.comparison_id).where(_fact.comparison_id == comparison_id, *still)
    return unit.connection.execute(query).first() is not None


def waiting_for(unit: Unit, *, person_id: str, project_id: str | None = None, all_runs: bool = False) -> int:
    """How many comparisons wait for this person's review, drafts among them; not what others hold.

    Pairs with an unusable output count with `all_runs` only.
    """
    # From the person's few reviews and answers, not from a look at each comparison that waits.
    review, note = tables.review.c, tables.note.c
    mine = sa.union(
        sa.select(review.comparison_id).where(review.person_id == person_id),
        sa.select(note.comparison_id).where(note.person_id == person_id),
    )
    panels = _panels(unit.connection, project_id)
    # Wrapped in a call, status and project are no reason to begin with an index of all comparisons.
    status = _ready(sa.func.coalesce(_fact.status, ""), all_runs)
    project = () if project_id is None else (sa.func.coalesce(_fact.project_id, "") == project_id,)
    here = sa.and_(status, *_open_here(panels), *project)
    through = sa.or_(_finished(person_id), put_aside(_fact.comparison_id, person_id))
    number = sa.select(sa.func.count()).select_from(tables.fact)
    open_ones = [panel.id for panel in panels if panel.closed_at is None]
    counted = fact.counted(unit.connection, project_id=project_id, among=open_ones)
    left = sum(each.number for each in counted if each.status in WAITING)
    if all_runs:
        void = number.where(_VOID_READY, *_open_here(panels), *_in(project_id))
        left += int(unit.connection.execute(void).scalar_one())
    left -= int(
        unit.connection.execute(number.where(_fact.comparison_id.in_(mine), here, through)).scalar_one()
    )
    for_all = _for_all(unit.connection, panels)
    others = sa.select(_claim.comparison_id).where(_claim.person_id != person_id, claims.is_active(unit.at))
    begun = sa.exists().where(review.comparison_id == _fact.comparison_id, review.person_id == person_id)
    own = sa.exists().where(
        _claim.comparison_id == _fact.comparison_id,
        _claim.person_id == person_id,
        claims.is_active(unit.at),
    )
    taken = ~sa.or_(_has_room(panels, person_id, unit.at), for_all, begun, own)
    elsewhere = number.where(_fact.comparison_id.in_(others), here, ~through, taken)
    left -= int(unit.connection.execute(elsewhere).scalar_one())
    if any(panel.settings.share_to_all or panel.settings.warm_up for panel in panels):
        done = (
            _fact.status == Status.FINALISED,
            ~REVEALED,
            *_open_here(panels),
            *_in(project_id),
            *_valid(all_runs),
        )
        left += int(unit.connection.execute(number.where(*done, for_all, ~through)).scalar_one())
    return left


def answered_by(unit: Unit, *, person_id: str, project_id: str | None = None, all_runs: bool = False) -> int:
    """How many comparisons wait for others only, because this person skipped them or cannot judge them."""
    # From the person's few answers, not from a look at each comparison that waits.
    mine = sa.select(tables.note.c.comparison_id).where(tables.note.c.person_id == person_id)
    query = sa.select(sa.func.count()).where(
        _fact.comparison_id.in_(mine),
        _ready(sa.func.coalesce(_fact.status, ""), all_runs),
        *_open_here(_panels(unit.connection, project_id)),
        *_in(project_id),
        put_aside(_fact.comparison_id, person_id),
        ~_finished(person_id),
    )
    return int(unit.connection.execute(query.select_from(tables.fact)).scalar_one())


def not_for(unit: Unit, comparison_ids: Sequence[str], *, person_id: str) -> dict[str, NotFor]:
    """Why comparisons that wait for a review do not wait for this person's; those that do are left out."""
    panels = _panels(unit.connection, None)
    review = tables.review.c
    through = _finished(person_id).label("through")
    begun = sa.exists().where(review.comparison_id == _fact.comparison_id, review.person_id == person_id)
    free = sa.or_(_has_room(panels, person_id, unit.at), _for_all(unit.connection, panels), begun)
    of_pairs = sa.select(
        _fact.comparison_id,
        through,
        put_aside(_fact.comparison_id, person_id).label("answered"),
        free.label("free"),
    )
    found = {}
    for row in unit.connection.execute(of_pairs.where(_fact.comparison_id.in_(comparison_ids))):
        if row.through:
            found[row.comparison_id] = NotFor.REVIEWED
        elif row.answered:
            found[row.comparison_id] = NotFor.SKIPPED
        elif not row.free:
            found[row.comparison_id] = NotFor.TAKEN
    return found


def reviewed(connection: sa.Connection, project_id: str) -> tuple[str, ...]:
    """The ids of the comparisons of a project that have a final review."""
    query = sa.select(_fact.comparison_id).where(_fact.project_id == project_id, _fact.final_reviews > 0)
    return tuple(connection.execute(query.order_by(_fact.comparison_id)).scalars())


def assignable(unit: Unit, project_id: str, *, person_id: str, limit: int) -> tuple[str, ...]:
    """The ids of pairs that may be assigned to this person, in the order of import, at most `limit`."""
    panels = _panels(unit.connection, project_id)
    own = sa.exists().where(
        _claim.comparison_id == _fact.comparison_id,
        _claim.person_id == person_id,
        claims.is_active(unit.at),
    )
    query = (
        sa.select(_fact.comparison_id)
        .where(
            _fact.project_id == project_id,
            _fact.status.in_([status.value for status in (Status.TO_JUDGE, Status.JUDGING, *WAITING)]),
            _has_room(panels, person_id, unit.at),
            ~_finished(person_id),
            ~put_aside(_fact.comparison_id, person_id),
            ~own,
            *_open_here(panels),
        )
        .order_by(*_order(QueueOrder.AS_IMPORTED, person_id))
        .limit(limit)
    )
    return tuple(unit.connection.execute(query).scalars())


_VOID_READY = sa.and_(_fact.status == Status.VOID, sa.or_(~UNREAD_BY_JUDGE, _fact.open_reviews > 0))
"""A pair with an unusable output that a judge has read or somebody has begun to review."""


def _ready(status: sa.ColumnElement[str], all_runs: bool) -> sa.ColumnElement[bool]:
    waiting = status.in_(WAITING)
    return sa.or_(waiting, _VOID_READY) if all_runs else waiting


def _valid(all_runs: bool) -> tuple[sa.ColumnElement[bool], ...]:
    return () if all_runs else (~WITH_VOID,)


def _panels(connection: sa.Connection, project_id: str | None) -> tuple[Project, ...]:
    every = projects.all_projects(connection)
    return tuple(each for each in every if project_id in (None, each.id))


def _in(project_id: str | None) -> tuple[sa.ColumnElement[bool], ...]:
    return () if project_id is None else (_fact.project_id == project_id,)


def _open_here(panels: Sequence[Project]) -> tuple[sa.ColumnElement[bool], ...]:
    closed = [panel.id for panel in panels if panel.closed_at is not None]
    return (_fact.project_id.not_in(closed),) if closed else ()


def _has_room(panels: Sequence[Project], person_id: str, at: datetime) -> sa.ColumnElement[bool]:
    """Whether reviews are still needed beyond those that are final and those that others are at."""
    more = {panel.id: n for panel in panels if (n := panel.settings.reviews_needed) > 1}
    needed: sa.ColumnElement[int] = sa.case(more, value=_fact.project_id, else_=1) if more else sa.literal(1)
    others = (
        sa.select(sa.func.count(_claim.person_id.distinct()))
        .where(
            _claim.comparison_id == _fact.comparison_id, _claim.person_id != person_id, claims.is_active(at)
        )
        .correlate(tables.fact)
        .scalar_subquery()
    )
    return _fact.final_reviews + others < needed


def _for_all(connection: sa.Connection, panels: Sequence[Project]) -> sa.ColumnElement[bool]:
    """Whether every reviewer is given the pair, however many reviews it has."""
    bytewise = "BINARY" if connection.dialect.name == "sqlite" else "C"
    ending = sa.func.substr(_fact.comparison_id, sa.func.length(_fact.comparison_id) - SHARE_DIGITS + 1)
    warm_ups = [id for panel in panels for id in panel.settings.warm_up]
    shared = (
        sa.and_(
            _fact.project_id == panel.id,
            sa.collate(ending, bytewise) < share_bound(panel.settings.share_to_all),
        )
        for panel in panels
        if panel.settings.share_to_all
    )
    return sa.or_(sa.false(), *((_fact.comparison_id.in_(warm_ups),) if warm_ups else ()), *shared)


def _finished(person_id: str) -> sa.ColumnElement[bool]:
    review, finalisation = tables.review.c, tables.finalisation.c
    return sa.exists().where(
        review.comparison_id == _fact.comparison_id,
        review.person_id == person_id,
        finalisation.review_id == review.id,
        finalisations.not_reopened(),
    )


def _order(order: QueueOrder, person_id: str) -> tuple[sa.ColumnElement[Any], ...]:
    match order:
        case QueueOrder.AS_IMPORTED:
            return (_fact.created_at, _fact.comparison_id)
        case QueueOrder.RANDOM:
            # Ids are random in each of their characters: read from another one on, they give another order that stays.
            start = 1 + hashlib.sha256(person_id.encode()).digest()[0] % 12
            return (_sampled, sa.func.substr(_fact.comparison_id, start), _fact.comparison_id)
        case QueueOrder.INFORMATIVE:
            return (
                _sampled,
                # Several judges of which one disagrees, named no winner or failed: first where they came to no verdict.
                sa.case((_fact.judges_agree == sa.false(), 0), else_=1),
                sa.case((_undecided, 0), else_=1),
                # Then one whose orders disagree.
                sa.case((_fact.position_consistent == sa.false(), 0), else_=1),
                sa.case((sa.or_(_read_thrice, _fact.uneven_attention == sa.true(), _unsure), 0), else_=1),
                # What no judge has said comes last; left alone, each database puts it at another end.
                sa.case((_margin.is_(None), 1), else_=0),
                _margin,
                sa.case((sa.func.coalesce(_fact.quotes_total, 0) == 0, 1), else_=0),
                _fact.quotes_found * 100 / sa.func.nullif(_fact.quotes_total, 0),
                _fact.comparison_id,
            )
