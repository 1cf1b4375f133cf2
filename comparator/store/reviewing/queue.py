"""Which comparison a person reviews next, how many wait, and who holds which: claimed or assigned."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import AwareDatetime
from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    case,
    collate,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    true,
    union,
    union_all,
)

from comparator.domain.project import SHARE_DIGITS, ReviewOrder, share_bound
from comparator.domain.scoring.repetitions import MOST_AUTO, UNSURE
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, lock, scalars, several
from comparator.store.facts import fact
from comparator.store.facts.fact import AT_REST, REVEALED, WITH_VOID, Status
from comparator.store.facts.verdicts import worked_on
from comparator.store.people import projects
from comparator.store.reviewing import reviews
from comparator.store.reviewing.notes import is_put_aside

EXPIRES_AFTER = timedelta(hours=2)
"""A claim ends so long after the last change."""
WORTH_PROLONGING = timedelta(minutes=1)


class ClaimKind(StrEnum):
    """How somebody came to a pair."""

    CLAIMED = "claimed"
    ASSIGNED = "assigned"


class Claim(Stored, table=tables.claim):
    """One person's hold on one pair; `expires_at` is None for an assignment."""

    id: str
    comparison_id: str
    person_id: str
    kind: ClaimKind
    by: str | None
    at: AwareDatetime
    expires_at: AwareDatetime | None


_claim, _comparison, _fact = tables.claim.c, tables.comparison.c, tables.fact.c


def is_active(at: datetime) -> ColumnElement[bool]:
    """Whether a row of the table is in force at this time."""
    return and_(_claim.released_at.is_(None), or_(_claim.expires_at.is_(None), _claim.expires_at > at))


def _of(comparison_id: str, person_id: str) -> ColumnElement[bool]:
    return and_(_claim.comparison_id == comparison_id, _claim.person_id == person_id)


def claim(unit: Unit, comparison_id: str, *, person_id: str) -> bool:
    """Hold the pair for the person for two hours from now; False where they hold it already, which is prolonged."""
    mine = and_(_of(comparison_id, person_id), is_active(unit.at))
    ends, until = scalars(unit, select(_claim.expires_at).where(mine)), unit.at + EXPIRES_AFTER
    if not ends:
        who = {"comparison_id": comparison_id, "person_id": person_id}
        unit.add(tables.claim, **who, kind=ClaimKind.CLAIMED, expires_at=until)
    elif all(end is not None and end + WORTH_PROLONGING < until for end in ends):
        unit.update(tables.claim, mine, expires_at=until)
    return not ends


def assign(unit: Unit, comparison_id: str, *, person_id: str, by: str | None) -> bool:
    """Give the pair to the person until it is done or taken back; False where it was assigned to them already."""
    mine = and_(_of(comparison_id, person_id), is_active(unit.at))
    if ClaimKind.ASSIGNED in scalars(unit, select(_claim.kind).where(mine)):
        return False
    unit.update(tables.claim, mine, released_at=unit.at)
    who = {"comparison_id": comparison_id, "person_id": person_id, "by": by}
    unit.add(tables.claim, **who, kind=ClaimKind.ASSIGNED)
    return True


def release(unit: Unit, comparison_id: str, *, person_id: str) -> None:
    """End whatever hold the person has on the pair."""
    held = (_of(comparison_id, person_id), _claim.released_at.is_(None))
    unit.update(tables.claim, *held, released_at=unit.at)


def release_all(unit: Unit, project_id: str) -> None:
    """End all holds in a project."""
    here = _claim.comparison_id.in_(select(_comparison.id).where(_comparison.project_id == project_id))
    unit.update(tables.claim, here, _claim.released_at.is_(None), released_at=unit.at)


def in_force(unit: Unit, project_id: str, *, person_id: str | None = None) -> tuple[Claim, ...]:
    """The holds in force in a project, oldest first; of one person or of all. Not of pairs that wait for nobody."""
    theirs = true() if person_id is None else _claim.person_id == person_id
    query = (
        Claim.select(is_active(unit.at), theirs)
        .join(tables.fact, _fact.comparison_id == _claim.comparison_id)
        .where(_fact.project_id == project_id, _fact.status.not_in(AT_REST))
    )
    return several(unit, query.order_by(_claim.at, _claim.id), Claim)


WAITING = (Status.TO_REVIEW, Status.DRAFT)
"""What waits for a reviewer; pairs with an unusable output are put to nobody."""
_margin = func.abs(_fact.judge_overall_a - _fact.judge_overall_b)
# The audit sample comes first wherever the order is not the import's, so that it is always reviewed as a whole.
_sampled = case(
    (exists().where(tables.comparison.c.id == _fact.comparison_id, tables.comparison.c.audited == true()), 0),
    else_=1,
)
# A judge that reads as often as it is unsure comes to a third reading only where the first two rounds left it so: their
# orders disagree, or their scores stay close.
_read_thrice = exists().where(
    tables.judgment.c.comparison_id == _fact.comparison_id,
    tables.judgment.c.repetition == MOST_AUTO - 1,
    tables.judgment.c.trial.is_(None),
)
_unsure = func.coalesce(_fact.stated_confidence, 100) <= UNSURE
# Only what was read has a confidence.
_undecided = and_(_fact.stated_confidence.is_not(None), _fact.judge_winner.is_(None))


class NotFor(StrEnum):
    """Why a pair that waits for a review does not wait for somebody."""

    SKIPPED = "skipped"
    """They skipped it, or cannot judge it."""
    REVIEWED = "reviewed"
    TAKEN = "taken"
    """Others are at it, as many as are needed."""


class WhyNext(StrEnum):
    """Why a pair comes next, as it is said before its title."""

    DRAFT = "your draft"
    ASSIGNED = "assigned to you"
    DISPUTED = "ahead of the others"
    OLDEST = "the oldest"
    RANDOM = "at random"
    UNCERTAIN = "the most uncertain"


_BY_ORDER = {
    ReviewOrder.AS_IMPORTED: WhyNext.OLDEST,
    ReviewOrder.RANDOM: WhyNext.RANDOM,
    ReviewOrder.INFORMATIVE: WhyNext.UNCERTAIN,
}


class Following(NamedTuple):
    """What a person reviews next."""

    comparison_id: str
    why: WhyNext


_NUMBER = select(func.count()).select_from(tables.fact)


class _Queue:
    """What the pairs of a project, or of all, are to one person at one moment, as conditions on their facts."""

    def __init__(self, unit: Unit, person_id: str, project_id: str | None = None) -> None:
        self.unit, self.person_id, self.project_id = unit, person_id, project_id
        every = projects.all_projects(unit)
        self.panels = [project for project in every if project_id in (None, project.id)]
        closed = [panel.id for panel in self.panels if panel.closed_at is not None]
        self.open = _fact.project_id.not_in(closed) if closed else true()
        self.here = true() if project_id is None else _fact.project_id == project_id
        # Wrapped in a call, status and project are no reason for the database to begin with an index of all pairs.
        self.status = func.coalesce(_fact.status, "")
        self.ready = self.status.in_(WAITING)
        review, finalisation = tables.review.c, tables.finalisation.c
        own_review = (review.comparison_id == _fact.comparison_id, review.person_id == person_id)
        self.begun = exists().where(*own_review)
        self.finished = exists().where(
            *own_review, finalisation.review_id == review.id, reviews.not_reopened()
        )
        self.answered = is_put_aside(_fact.comparison_id, person_id)
        self.through = or_(self.finished, self.answered)
        of_pair, active = _claim.comparison_id == _fact.comparison_id, is_active(unit.at)
        self.held = exists().where(of_pair, _claim.person_id == person_id, active)
        self.of_others = and_(_claim.person_id != person_id, active)
        others = select(func.count(_claim.person_id.distinct())).where(of_pair, self.of_others)
        more = {panel.id: n for panel in self.panels if (n := panel.settings.reviews_needed) > 1}
        needed: Any = case(more, value=_fact.project_id, else_=1) if more else literal(1)
        # Beyond the reviews that are final and those that others are at.
        self.has_room = _fact.final_reviews + others.correlate(tables.fact).scalar_subquery() < needed
        bytewise = "BINARY" if unit.dialect.name == "sqlite" else "C"
        ending = func.substr(_fact.comparison_id, func.length(_fact.comparison_id) - SHARE_DIGITS + 1)
        self.shared = [
            and_(
                _fact.project_id == panel.id,
                collate(ending, bytewise) < share_bound(panel.settings.share_to_all),
            )
            for panel in self.panels
            if panel.settings.share_to_all
        ]
        # What every reviewer is given, however many reviews it has.
        self.for_all = or_(false(), *self.shared)

    def number(self, *conditions: ColumnElement[bool]) -> int:
        """How many pairs of open projects there are under these conditions."""
        query = _NUMBER.where(*conditions, self.open, self.here)
        return int(self.unit.execute(query).scalar_one())

    def number_among(self, few: Any, *conditions: ColumnElement[bool]) -> int:
        """The same of these few ids: the database begins with them, not with the project's index of all pairs."""
        project = func.coalesce(_fact.project_id, "")
        here = true() if self.project_id is None else project == self.project_id
        query = _NUMBER.where(_fact.comparison_id.in_(few), *conditions, self.open, here)
        return int(self.unit.execute(query).scalar_one())

    def where(self, *conditions: ColumnElement[bool]) -> Select[Any]:
        """The query for the ids of those that the person has neither finished nor put aside."""
        return select(_fact.comparison_id).where(*conditions, ~self.finished, ~self.answered, self.open)


def next_to_review(
    unit: Unit,
    *,
    person_id: str,
    project_id: str | None = None,
    batch_id: str | None = None,
    order: ReviewOrder = ReviewOrder.AS_IMPORTED,
    after: str | None = None,
) -> Following | None:
    """The comparison of a project or a batch that this person reviews next, and why; None when all are done.

    Own drafts come first, then what is assigned to the person. Of the others come first those of which a reading
    contradicts itself, unless the person has yet to score before seeing it, then all by the order.

    Left out are `after` (the one just left), closed projects, and what the person has finalised, skipped or cannot
    judge. So is what others hold, or have done as often as is needed, and pairs that are revealed or have an unusable
    output.
    """
    queue = _Queue(unit, person_id, project_id)
    keys = [key.label(f"key_{number}") for number, key in enumerate(_order(order, person_id))]
    item = tables.batch_item.c
    of_batch = _fact.comparison_id.in_(select(item.comparison_id).where(item.batch_id == batch_id))
    among = (true() if after is None else _fact.comparison_id != after, of_batch if batch_id else true())
    open_to_me = queue.where(~WITH_VOID, *among)

    def first(project: ColumnElement[str], *conditions: ColumnElement[bool]) -> Select[Any]:
        here = true() if project_id is None else project == project_id
        return open_to_me.add_columns(*keys).where(here, *conditions).order_by(*keys).limit(1)

    def first_id(query: Select[Any]) -> str | None:
        return next(iter(scalars(unit, query)), None)

    # From the few reviews and claims of the person, not from the queue.
    project = func.coalesce(_fact.project_id, "")
    begun = tables.review.alias("begun")
    drafts = begun.join(tables.fact, _fact.comparison_id == begun.c.comparison_id)
    of_me = first(project, begun.c.person_id == person_id, worked_on(begun.c.id), queue.ready)
    if draft := first_id(of_me.select_from(drafts)):
        return Following(draft, WhyNext.DRAFT)
    mine = tables.claim.join(tables.fact, _fact.comparison_id == _claim.comparison_id)
    assigned = (_claim.person_id == person_id, _claim.kind == ClaimKind.ASSIGNED, is_active(unit.at))
    if reserved := first_id(first(project, *assigned, queue.ready).select_from(mine)):
        return Following(reserved, WhyNext.ASSIGNED)
    wanted = or_(queue.has_room, queue.for_all)
    # Before one's own answer, that would tell of readings that are still hidden.
    seen_first = [panel.id for panel in queue.panels if not panel.settings.mode.blind]
    disputed = (_fact.self_consistent == false(), project.in_(seen_first))
    if seen_first and (contradicted := first_id(first(project, *disputed, queue.ready, wanted))):
        return Following(contradicted, WhyNext.DISPUTED)
    # One look into the index for each status: over both at once, the database would sort the whole queue.
    looks = [first(_fact.project_id, _fact.status == status.value, wanted) for status in WAITING]
    if queue.shared:
        done = _fact.status == Status.FINALISED
        looks.append(first(_fact.project_id, done, queue.for_all, ~REVEALED))
    heads = union_all(*(select(look.subquery()) for look in looks)).subquery()
    by_order = first_id(select(heads.c.comparison_id).order_by(*(heads.c[key.name] for key in keys)).limit(1))
    return Following(by_order, _BY_ORDER[order]) if by_order else None


def is_free(unit: Unit, comparison_id: str, *, person_id: str) -> bool:
    """Whether the pair may be given to this person now; its row is locked until the transaction ends.

    It may not where they have finalised or answered it, in another tab since it was found.
    """
    lock(unit, tables.fact, comparison_id)
    this = _fact.comparison_id == comparison_id
    project_id = unit.execute(select(_fact.project_id).where(this)).scalar_one()
    queue = _Queue(unit, person_id, project_id)
    allowed = or_(queue.has_room, queue.for_all, queue.held, queue.begun)
    return unit.execute(queue.where(this, allowed)).first() is not None


def waiting_for(
    unit: Unit, *, person_id: str, project_id: str | None = None, opened: str | None = None
) -> int:
    """How many comparisons wait for this person's review, drafts among them; not what others hold.

    `opened` is one that is reviewed already, so it counts, though no judge has read it yet.
    """
    queue = _Queue(unit, person_id, project_id)
    open_ones = [panel.id for panel in queue.panels if panel.closed_at is None]
    counted = fact.counted(unit, open_ones)
    left = sum(row.number for row in counted if row.status in WAITING)
    # Taken off by the person's few reviews and answers and others' few claims, not by a look at each that waits.
    mine = union(
        *(select(t.c.comparison_id).where(t.c.person_id == person_id) for t in (tables.review, tables.note))
    )
    left -= queue.number_among(mine, queue.ready, queue.through)
    if opened is not None:
        unread = queue.status.in_((Status.TO_JUDGE, Status.JUDGING, Status.FAILED))
        left += queue.number_among([opened], unread, ~queue.through)
    others = select(_claim.comparison_id).where(queue.of_others)
    clause = ~or_(queue.has_room, queue.for_all, queue.begun, queue.held)
    left -= queue.number_among(others, queue.ready, ~queue.through, clause)
    if queue.shared:
        done = (_fact.status == Status.FINALISED, ~REVEALED, ~WITH_VOID)
        left += queue.number(*done, queue.for_all, ~queue.through)
    return left


def answered_by(unit: Unit, *, person_id: str, project_id: str | None) -> int:
    """How many comparisons wait for others only, because this person skipped them or cannot judge them."""
    queue = _Queue(unit, person_id, project_id)
    # From the person's few answers, not from a look at each comparison that waits.
    mine = select(tables.note.c.comparison_id).where(tables.note.c.person_id == person_id)
    return queue.number_among(mine, queue.ready, queue.answered, ~queue.finished)


def not_for(unit: Unit, comparison_ids: Sequence[str], *, person_id: str) -> dict[str, NotFor]:
    """Why comparisons that wait for a review do not wait for this person's; those that do are left out."""
    queue = _Queue(unit, person_id)
    free = or_(queue.has_room, queue.for_all, queue.begun)
    why = case(
        (queue.finished, NotFor.REVIEWED.value),
        (queue.answered, NotFor.SKIPPED.value),
        (~free, NotFor.TAKEN.value),
    )
    rows = unit.execute(select(_fact.comparison_id, why).where(_fact.comparison_id.in_(comparison_ids)))
    return {id: NotFor(reason) for id, reason in rows if reason is not None}


def reviewed_ids(connection: Connection, project_id: str) -> tuple[str, ...]:
    """The ids of the comparisons of a project that have a final review."""
    query = select(_fact.comparison_id).where(_fact.project_id == project_id, _fact.final_reviews > 0)
    return scalars(connection, query.order_by(_fact.comparison_id))


def assignable(unit: Unit, project_id: str, *, person_id: str, limit: int) -> tuple[str, ...]:
    """The ids of pairs that may be assigned to this person, in the order of import, at most `limit`."""
    queue = _Queue(unit, person_id, project_id)
    open_ones = _fact.status.in_([status.value for status in (Status.TO_JUDGE, Status.JUDGING, *WAITING)])
    query = queue.where(queue.here, open_ones, queue.has_room, ~queue.held)
    in_order = query.order_by(*_order(ReviewOrder.AS_IMPORTED, person_id)).limit(limit)
    return scalars(unit, in_order)


def _order(order: ReviewOrder, person_id: str) -> tuple[ColumnElement[Any], ...]:
    match order:
        case ReviewOrder.AS_IMPORTED:
            return (_fact.created_at, _fact.comparison_id)
        case ReviewOrder.RANDOM:
            # Ids are random in each of their characters: read from another one on, they give another order that stays.
            start = 1 + hashlib.sha256(person_id.encode()).digest()[0] % 12
            return (_sampled, func.substr(_fact.comparison_id, start), _fact.comparison_id)
        case ReviewOrder.INFORMATIVE:
            return (
                _sampled,
                # Several judges of which one disagrees, named no winner or failed: first where they came to no verdict.
                case((_fact.judges_agree == false(), 0), else_=1),
                case((_undecided, 0), else_=1),
                # Then one whose orders disagree.
                case((_fact.position_consistent == false(), 0), else_=1),
                case((or_(_read_thrice, _unsure), 0), else_=1),
                # What no judge has said comes last; left alone, each database puts it at another end.
                case((_margin.is_(None), 1), else_=0),
                _margin,
                case((func.coalesce(_fact.quotes_total, 0) == 0, 1), else_=0),
                _fact.quotes_found * 100 / func.nullif(_fact.quotes_total, 0),
                _fact.comparison_id,
            )
