"""How reviews end: finalised with all that held then, closed without a verdict, reopened, or ruled by a lead."""

from __future__ import annotations

from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Connection, and_, exists, or_

from comparator.domain.errors import Conflict
from comparator.domain.labels import Frozen, Winner
from comparator.domain.scoring.judgment import Prose
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.verdict import DecidedBy, Verdict
from comparator.store import tables
from comparator.store.core.sql import Stored, lock
from comparator.store.core.unit import Unit
from comparator.store.facts import fact
from comparator.store.reviewing import reviews
from comparator.store.reviewing.reviews import Review

_review, _change, _finalisation = tables.review.c, tables.change.c, tables.finalisation.c
_later = tables.finalisation.alias("later").c


class Finalisation(Stored, table=tables.finalisation):
    """A review was finalised (with everything in force then), or reopened."""

    id: str
    review_id: str
    kind: str
    number: int
    """Which finalisation this is, from 1; a reopening has the number of the one that it opens."""
    last_change: int
    person_id: str
    at: AwareDatetime
    winner: Winner | None = None
    decided_by: DecidedBy | None = None
    verdict: Verdict | None = None
    prose: Prose | None = None
    changed: int = 0
    unblinded: bool = False


class NewFinalisation(Frozen):
    """What a review is finalised with."""

    verdict: Verdict
    prose: Prose
    changed: int
    seen: int
    """The number of changes that the verdict rests on."""
    unblinded: bool


def is_newest() -> ColumnElement[bool]:
    """That a row of `finalisation` is the newest of its review."""
    return ~exists().where(_later.review_id == _finalisation.review_id, _later.seq > _finalisation.seq)


def not_reopened() -> ColumnElement[bool]:
    """That a row of `finalisation` finalised its review, which was not reopened after that."""
    return and_(_finalisation.kind == "final", is_newest())


def add(unit: Unit, review_id: str, final: NewFinalisation) -> Finalisation:
    """Finalise a review with what holds now.

    Raises Conflict if another change came in between, or the review is finalised already.
    """
    last = _locked(unit, review_id)
    if last is not None and last.kind == "final":
        raise Conflict("This review is finalised already. Reload to see the result.")
    if reviews.last_seq(unit.connection, review_id) != final.seen:
        raise Conflict("A value was changed in another window just now. Reload, look again, then finalise.")
    return _add(
        unit,
        review_id,
        last,
        kind="final",
        number=(last.number if last else 0) + 1,
        person_id=unit.person,
        last_change=final.seen,
        winner=final.verdict.winner,
        decided_by=final.verdict.decided_by,
        verdict=final.verdict,
        prose=final.prose,
        changed=final.changed,
        unblinded=final.unblinded,
    )


def reopen(unit: Unit, review_id: str, *, unblinded: bool) -> Finalisation:
    """Open a review again that was finalised or closed out; the version before stays. Raises Conflict if it is open."""
    last = _locked(unit, review_id)
    if last is None or last.kind not in ("final", "closed"):
        raise Conflict("This review is open already.")
    kept = {"number": last.number, "last_change": last.last_change}
    return _add(unit, review_id, last, kind="reopened", person_id=unit.person, unblinded=unblinded, **kept)


def close_out(unit: Unit, review_id: str) -> None:
    """End a review that is open without a verdict of it: it counts no more, and what was said in it stays known."""
    last = _locked(unit, review_id)
    if last is not None and last.kind == "final":
        raise Conflict("This review was finalised just now. Look again.")
    _add(
        unit,
        review_id,
        last,
        kind="closed",
        number=last.number if last else 0,
        person_id=unit.who or reviews.get(unit.connection, review_id).person_id,
        last_change=reviews.last_seq(unit.connection, review_id),
    )


def _locked(unit: Unit, review_id: str) -> Any:
    """The newest event of a review that nobody else alters before this transaction ends; None where there is none."""
    lock(unit.connection, tables.review, review_id)
    return reviews.last_event(unit.connection, review_id)


def _add(unit: Unit, review_id: str, last: Any, **values: Any) -> Finalisation:
    event = Finalisation(id=unit.new_id(), review_id=review_id, at=unit.at, **values)
    unit.add(tables.finalisation, **dict(event), seq=(last.seq if last else 0) + 1)
    reviews.refresh_fact(unit, review_id)
    return event


def versions(connection: Connection, review_id: str) -> tuple[Finalisation, ...]:
    """Every finalisation of a review, oldest first; reopenings are left out."""
    return tuple(each for each in events(connection, review_id) if each.kind == "final")


def events(connection: Connection, review_id: str) -> tuple[Finalisation, ...]:
    """Every finalisation and reopening of a review, oldest first."""
    return Finalisation.all(connection, _finalisation.review_id == review_id, by=[_finalisation.seq])


def closed_out(connection: Connection, project_id: str) -> tuple[Review, ...]:
    """The reviews of a project that were ended without a verdict, oldest first."""
    return _reviews(connection, project_id, _last_is("closed"))


def open_ones(connection: Connection, project_id: str) -> tuple[Review, ...]:
    """The reviews of a project in which something was changed and that are not finalised, oldest first."""
    begun = exists().where(_change.review_id == _review.id)
    return _reviews(connection, project_id, ~_last_is("final", "closed"), or_(begun, _last_is("reopened")))


def _last_is(*kinds: str) -> ColumnElement[bool]:
    return exists().where(_finalisation.review_id == _review.id, _finalisation.kind.in_(kinds), is_newest())


def _reviews(connection: Connection, project_id: str, *where: ColumnElement[bool]) -> tuple[Review, ...]:
    comparison = tables.comparison.c
    here = exists().where(comparison.id == _review.comparison_id, comparison.project_id == project_id)
    return Review.all(connection, here, *where, by=[_review.opened_at, _review.id])


class Adjudication(Stored, table=tables.adjudication):
    """One ruling, with its reason and everything that it settled."""

    id: str
    number: int
    person_id: str
    winner: Winner
    decided_by: DecidedBy
    verdict: Verdict
    prose: Prose
    reason: str
    blindness: Blindness
    """Of whoever made it; nobody is blind after the reveal."""
    at: AwareDatetime


_adjudication = tables.adjudication.c


def adjudicate(
    unit: Unit, comparison_id: str, *, verdict: Verdict, prose: Prose, reason: str, blindness: Blindness
) -> None:
    """Store a ruling; from now on its verdict holds."""
    lock(unit.connection, tables.fact, comparison_id)
    unit.add(
        tables.adjudication,
        comparison_id=comparison_id,
        number=len(of_comparison(unit.connection, comparison_id)) + 1,
        person_id=unit.person,
        winner=verdict.winner,
        decided_by=verdict.decided_by,
        verdict=verdict,
        prose=prose,
        reason=reason,
        blindness=blindness,
    )
    fact.refresh(unit, comparison_id)


def of_comparison(connection: Connection, comparison_id: str) -> tuple[Adjudication, ...]:
    """All rulings on a pair, oldest first; the last one holds."""
    these = _adjudication.comparison_id == comparison_id
    return Adjudication.all(connection, these, by=[_adjudication.number])
