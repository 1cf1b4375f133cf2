"""Reviews and their changes, which are only ever added."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import AwareDatetime
from sqlalchemy import Connection, func, select

from comparator.domain.project import ReviewMode
from comparator.domain.scoring.review import Blindness, Change
from comparator.store import tables
from comparator.store.core.sql import Stored, insert_many, maybe, update
from comparator.store.core.unit import Unit
from comparator.store.facts import fact


class Review(Stored, table=tables.review):
    """One person's work on a comparison, pinned to the rubric and the set of passes that it answers to."""

    id: str
    comparison_id: str
    person_id: str
    mode: ReviewMode
    rubric_id: str | None
    judgment_set: str | None
    blindness: Blindness
    opened_at: AwareDatetime


class StoredChanges(NamedTuple):
    """The changes of a review as they were stored, and when the last one was; None where there is none."""

    changes: tuple[Change, ...] = ()
    stored_at: datetime | None = None


FINALISED = "This review is finalised. Reopen it to change something."

_review, _change, _finalisation = tables.review.c, tables.change.c, tables.finalisation.c


def open_review(
    unit: Unit,
    comparison_id: str,
    *,
    person_id: str,
    mode: ReviewMode,
    rubric_id: str | None,
    judgment_set: str | None,
    blindness: Blindness,
) -> Review:
    """The person's review of a comparison, begun if there is none.

    Rubric and judgment are those given here until the first change is stored; from then on they stay, unless there
    was none. `blindness` only ever gets less.
    """
    unit.add_new(
        tables.review,
        comparison_id=comparison_id,
        person_id=person_id,
        mode=mode,
        rubric_id=rubric_id,
        judgment_set=judgment_set,
        blindness=blindness,
    )
    review = find(unit.connection, comparison_id, person_id=person_id, locked=True)
    assert review is not None
    begun = last_seq(unit.connection, review.id) > 0
    return pin(
        unit.connection,
        review,
        begun=begun,
        rubric_id=rubric_id,
        judgment_set=judgment_set,
        blindness=blindness,
    )


def pin(
    connection: Connection,
    review: Review,
    *,
    begun: bool,
    rubric_id: str | None,
    judgment_set: str | None,
    blindness: Blindness,
) -> Review:
    """A review whose row is locked; rubric, judgment and blindness as `open_review` says; `begun`: it has changes."""
    values: dict[str, Any] = {}
    if rubric_id != review.rubric_id and (not begun or review.rubric_id is None):
        values["rubric_id"] = rubric_id
    if judgment_set != review.judgment_set and (
        not begun or (review.judgment_set is None and values.get("rubric_id", review.rubric_id) == rubric_id)
    ):
        values["judgment_set"] = judgment_set
    if (least := Blindness.least((review.blindness, blindness))) is not review.blindness:
        values["blindness"] = least
    if not values:
        return review
    update(connection, tables.review, _review.id == review.id, **values)
    return get(connection, review.id)


def mark_knows(unit: Unit, review_id: str) -> None:
    """Keep that the reviewer knows which candidate is which; that is not taken back."""
    unit.update(tables.review, _review.id == review_id, blindness=Blindness.KNOWN)
    refresh_fact(unit, review_id)


get = Review.get


def find(
    connection: Connection, comparison_id: str, *, person_id: str, locked: bool = False
) -> Review | None:
    """The person's review of a comparison, if it was begun; once `locked`, nobody else changes it until the end."""
    query = Review.select(_review.comparison_id == comparison_id, _review.person_id == person_id)
    return maybe(connection, query.with_for_update() if locked else query, Review)


def of_comparison(connection: Connection, comparison_id: str) -> tuple[Review, ...]:
    """All reviews of a comparison, oldest first."""
    these = _review.comparison_id == comparison_id
    return Review.all(connection, these, by=[_review.opened_at, _review.id])


def append(unit: Unit, review_id: str, changes: Sequence[Change], *, after: int) -> None:
    """Store new changes, `blind` and `unblinded` as they say, after the `after` that a locked, open review has."""
    rows = [
        {
            **change.model_dump(mode="json"),
            "review_id": review_id,
            "seq": seq,
            "at": change.at,
            "stored_at": unit.at,
        }
        for seq, change in enumerate(changes, start=after + 1)
    ]
    insert_many(unit.connection, tables.change, rows)
    if after == 0:
        refresh_fact(unit, review_id)


def changes(connection: Connection, review_id: str) -> tuple[Change, ...]:
    """All changes of a review in the order in which they were stored."""
    return stored_changes(connection, review_id).changes


def stored_changes(connection: Connection, review_id: str) -> StoredChanges:
    """The same, with when the last of them was stored."""
    query = select(tables.change).where(_change.review_id == review_id).order_by(_change.seq)
    rows = connection.execute(query).all()
    return StoredChanges(tuple(change_of(row) for row in rows), rows[-1].stored_at if rows else None)


def is_final(connection: Connection, review_id: str) -> bool:
    """Whether the review is finalised and not reopened."""
    last = last_event(connection, review_id)
    return last is not None and last.kind == "final"


def last_event(connection: Connection, review_id: str) -> Any:
    """The newest finalisation or reopening, as a row; None where there is none."""
    query = select(
        _finalisation.seq, _finalisation.kind, _finalisation.number, _finalisation.last_change
    ).where(_finalisation.review_id == review_id)
    return connection.execute(query.order_by(_finalisation.seq.desc()).limit(1)).first()


def last_seq(connection: Connection, review_id: str) -> int:
    """The place of the newest change of a review; 0 where there is none."""
    return (
        connection.execute(select(func.max(_change.seq)).where(_change.review_id == review_id)).scalar() or 0
    )


def refresh_fact(unit: Unit, review_id: str) -> None:
    """Derive the row of the comparison anew after something was done to a review."""
    comparison_id = unit.execute(select(_review.comparison_id).where(_review.id == review_id)).scalar_one()
    fact.refresh(unit, comparison_id)


def change_of(row: Any) -> Change:
    """The change that a row of the table `change` holds."""
    return Change.model_validate({name: getattr(row, name) for name in Change.model_fields})
