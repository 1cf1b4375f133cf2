"""What waits for one reviewer: how far they are, and the minutes that are left by their own pace."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from statistics import median

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import Unit, there_is
from comparator.store.facts.fact import WITH_VOID
from comparator.store.facts.review_facts import worked
from comparator.store.reviewing import queue, reviews
from comparator.store.reviewing.queue import NotFor

ENOUGH = 5
"""Reviews of one's own before a pace is told."""
PLAUSIBLE = 5 / 60
"""Minutes of a review: who is quicker at the median only looks around."""
RECENT = 40


class QueueProgress(Frozen):
    """How far one reviewer is with a project, or with all of them."""

    done: int
    """Pairs that the reviewer has finalised."""
    left: int
    """Pairs that wait for the reviewer."""
    skipped: int
    """Pairs that the reviewer skipped or cannot judge, and that wait for others."""
    pace: float | None
    """Median minutes of work, long pauses cut, of their latest reviews; None while they are too few, or too quick."""

    @property
    def total(self) -> int:
        """Pairs done, skipped and left together."""
        return self.done + self.skipped + self.left

    @property
    def minutes_left(self) -> int | None:
        """Minutes for what is left, at least 1; None while the pace is not known."""
        return None if self.pace is None else max(1, round(self.pace * self.left))


class NextStep(StrEnum):
    """What leads on to the results of a project, as a button says it."""

    REVIEW = "Start reviewing"
    REVEAL = "Reveal"
    RESULTS = "Open dashboards"


def next_step(database: Database, project_id: str) -> NextStep:
    """Once a set is revealed, its results; before that the pairs that wait for a review, else the reveal."""
    with database.read() as connection:
        if there_is(connection, tables.reveal.c.project_id == project_id):
            return NextStep.RESULTS
        waits = (_fact.project_id == project_id, _fact.status.in_(queue.WAITING))
        return NextStep.REVIEW if there_is(connection, *waits) else NextStep.REVEAL


_fact, _review, _change, _finalisation = (
    tables.fact.c,
    tables.review.c,
    tables.change.c,
    tables.finalisation.c,
)


def progress(
    database: Database,
    *,
    person_id: str,
    at: datetime,
    project_id: str | None = None,
    opened: str | None = None,
) -> QueueProgress:
    """How far the person is with the project (None: with all), and with the pair that is `opened`; `at` is now."""
    with database.read() as connection:
        unit = Unit(connection, at=at)
        return QueueProgress(
            done=_done(connection, person_id, project_id),
            left=queue.waiting_for(unit, person_id=person_id, project_id=project_id, opened=opened),
            skipped=queue.answered_by(unit, person_id=person_id, project_id=project_id),
            pace=_pace(connection, person_id, project_id),
        )


def not_for(
    database: Database, comparison_ids: Sequence[str], *, person_id: str, at: datetime
) -> dict[str, NotFor]:
    """Why pairs of the queue do not wait for this person; those that do are left out."""
    with database.read() as connection:
        return queue.not_for(Unit(connection, at=at), comparison_ids, person_id=person_id)


def _mine(person_id: str, project_id: str | None, *further: sa.ColumnElement[bool]) -> sa.Select[tuple[str]]:
    """The person's reviews, joined with where their comparisons stand."""
    query = sa.select(_review.id).join_from(
        tables.review, tables.fact, _fact.comparison_id == _review.comparison_id
    )
    query = query.where(_review.person_id == person_id, *further)
    return query if project_id is None else query.where(_fact.project_id == project_id)


def _done(connection: Connection, person_id: str, project_id: str | None) -> int:
    query = sa.select(sa.func.count()).select_from(tables.finalisation)
    query = query.where(
        _finalisation.review_id.in_(_mine(person_id, project_id, ~WITH_VOID)),
        reviews.not_reopened(),
    )
    return int(connection.execute(query).scalar_one())


def _pace(connection: Connection, person_id: str, project_id: str | None) -> float | None:
    latest = (
        sa.select(_finalisation.review_id)
        .where(
            _finalisation.review_id.in_(_mine(person_id, project_id)),
            _finalisation.kind == "final",
            _finalisation.number == 1,
        )
        .order_by(_finalisation.at.desc())
        .limit(RECENT)
    )
    took = minutes_of(connection, latest).values()
    return pace if len(took) >= ENOUGH and (pace := median(took)) >= PLAUSIBLE else None


def minutes_of(connection: Connection, reviews: sa.Select[tuple[str]]) -> Mapping[str, float]:
    """Minutes from opening each of these reviews to finalising it first, by the review's id, the latest first.

    What counts as an act is opening, each change and finalising. Reviews that were never final are left out.
    """
    first = sa.and_(
        _finalisation.review_id.in_(reviews), _finalisation.kind == "final", _finalisation.number == 1
    )
    query = sa.select(_review.id, _review.opened_at, _finalisation.at).join(
        tables.finalisation, _finalisation.review_id == _review.id
    )
    rows = connection.execute(query.where(first).order_by(_finalisation.at.desc(), _review.id)).all()
    covered = sa.and_(_finalisation.review_id == _change.review_id, _change.seq <= _finalisation.last_change)
    select = sa.select(_change.review_id, _change.at).join(tables.finalisation, covered)
    changed: dict[str, list[datetime]] = defaultdict(list)
    for change in connection.execute(select.where(first).order_by(_change.review_id, _change.seq)):
        changed[change.review_id].append(change.at)
    return {row.id: worked((row.opened_at, *changed[row.id], row.at)) / 60 for row in rows}
