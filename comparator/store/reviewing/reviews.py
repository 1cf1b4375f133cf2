"""Reviews, their changes, how they end (finalised, closed, reopened, ruled by a lead), and what they corrected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, and_, exists, false, func, literal, or_, select

from comparator.domain.errors import Conflict
from comparator.domain.labels import Frozen, Order, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.scoring.judgment import Pass, Prose, merge
from comparator.domain.scoring.review import Blindness, Change, Part, Preference, Target, Touch, fold
from comparator.domain.scoring.verdict import DecidedBy, Verdict
from comparator.store import tables
from comparator.store.core.sql import Connection, Stored, Unit, insert_many, lock, maybe, select_as, several
from comparator.store.facts import fact
from comparator.store.facts.verdicts import NEWEST, worked_on
from comparator.store.judging import rubrics
from comparator.store.judging.judgments import successful


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


FINALISED = "This review is finalised. Reopen it to change something."

_review, _change, _finalisation = tables.review.c, tables.change.c, tables.finalisation.c
_comparison, _version = tables.comparison.c, tables.task_version.c


def open_review(unit: Unit, wanted: Review) -> Review:
    """The person's review of a comparison, begun like this one if there is none.

    Rubric and judgment are those given here until the first change is stored; from then on they stay, unless there
    was none. `blindness` only ever gets less.
    """
    unit.add_new(tables.review, **dict(wanted))
    review = find(unit, wanted.comparison_id, person_id=wanted.person_id, locked=True)
    assert review is not None
    return pin(unit, review, wanted, begun=last_seq(unit, review.id) > 0)


def pin(unit: Unit, review: Review, wanted: Review, *, begun: bool) -> Review:
    """The same of a review whose row is locked; `begun`: it has changes."""
    rubric_id, judgment_set = review.rubric_id, review.judgment_set
    if not begun or rubric_id is None:
        rubric_id = wanted.rubric_id
    if not begun or (judgment_set is None and rubric_id == wanted.rubric_id):
        judgment_set = wanted.judgment_set
    least = Blindness.least((review.blindness, wanted.blindness))
    values = {"rubric_id": rubric_id, "judgment_set": judgment_set, "blindness": least}
    pinned = review.model_copy(update=values)
    if pinned != review:
        unit.update(tables.review, _review.id == review.id, **values)
    return pinned


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
        {**change.model_dump(mode="json"), "review_id": review_id, "seq": seq, "at": change.at}
        for seq, change in enumerate(changes, start=after + 1)
    ]
    query = select(worked_on(literal(review_id)))
    before = unit.execute(query).scalar_one()
    insert_many(unit, tables.change, rows)
    if unit.execute(query).scalar_one() != before:
        refresh_fact(unit, review_id)


def changes(connection: Connection, review_id: str) -> tuple[Change, ...]:
    """All changes of a review in the order in which they were stored."""
    query = select_as(tables.change, Change, _change.review_id == review_id)
    return several(connection, query.order_by(_change.seq), Change)


def is_final(connection: Connection, review_id: str) -> bool:
    """Whether the review is finalised and not reopened."""
    last = last_event(connection, review_id)
    return last is not None and last.kind == "final"


def last_event(connection: Connection, review_id: str) -> Finalisation | None:
    """The newest finalisation or reopening; None where there is none."""
    return next(reversed(events(connection, review_id)), None)


def last_seq(connection: Connection, review_id: str) -> int:
    """The place of the newest change of a review; 0 where there is none."""
    return (
        connection.execute(select(func.max(_change.seq)).where(_change.review_id == review_id)).scalar() or 0
    )


def refresh_fact(unit: Unit, review_id: str) -> None:
    """Derive the row of the comparison anew after something was done to a review."""
    comparison_id = unit.execute(select(_review.comparison_id).where(_review.id == review_id)).scalar_one()
    fact.refresh(unit, comparison_id)


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


def not_reopened() -> ColumnElement[bool]:
    """That a row of `finalisation` finalised its review, which was not reopened after that."""
    return and_(_finalisation.kind == "final", NEWEST)


def finalise(unit: Unit, review_id: str, *, seen: int, verdict: Verdict, **values: Any) -> Finalisation:
    """Finalise a review with what holds now; `seen` is the number of changes that the verdict rests on.

    Raises Conflict if another change came in between, or the review is finalised already.
    """
    last = _lock_last_event(unit, review_id)
    if last is not None and last.kind == "final":
        raise Conflict("This review is finalised already. Reload to see the result.")
    if last_seq(unit, review_id) != seen:
        raise Conflict("A value was changed in another window just now. Reload, look again, then finalise.")
    values |= {"verdict": verdict, "winner": verdict.winner, "decided_by": verdict.decided_by}
    number = (last.number if last else 0) + 1
    return _add(unit, review_id, kind="final", number=number, last_change=seen, **values)


def reopen(unit: Unit, review_id: str, *, unblinded: bool) -> None:
    """Open a review again that was finalised or closed out; the version before stays. Raises Conflict if it is open."""
    last = _lock_last_event(unit, review_id)
    if last is None or last.kind == "reopened":
        raise Conflict("This review is open already.")
    kept = {"number": last.number, "last_change": last.last_change}
    _add(unit, review_id, kind="reopened", unblinded=unblinded, **kept)


def close_out(unit: Unit, review: Review) -> None:
    """End a review that is open without a verdict of it: it counts no more, and what was said in it stays known."""
    last = _lock_last_event(unit, review.id)
    if last is not None and last.kind == "final":
        raise Conflict("This review was finalised just now. Look again.")
    number, seen = last.number if last else 0, last_seq(unit, review.id)
    _add(unit.by(unit.who or review.person_id), review.id, kind="closed", number=number, last_change=seen)


def _lock_last_event(unit: Unit, review_id: str) -> Finalisation | None:
    """The newest event of a review that nobody else alters before this transaction ends; None where there is none."""
    lock(unit, tables.review, review_id)
    return last_event(unit, review_id)


def _add(unit: Unit, review_id: str, **values: Any) -> Finalisation:
    event = Finalisation(id=unit.new_id(), review_id=review_id, person_id=unit.person, at=unit.at, **values)
    unit.add(tables.finalisation, **dict(event), seq=len(events(unit, review_id)) + 1)
    refresh_fact(unit, review_id)
    return event


def events(connection: Connection, review_id: str) -> tuple[Finalisation, ...]:
    """Every finalisation, reopening and closing of a review, oldest first."""
    return Finalisation.all(connection, _finalisation.review_id == review_id, by=[_finalisation.seq])


def closed_out(connection: Connection, project_id: str) -> tuple[Review, ...]:
    """The reviews of a project that were ended without a verdict, oldest first."""
    return _reviews_of(connection, project_id, _last_is("closed"))


def open_ones(connection: Connection, project_id: str) -> tuple[Review, ...]:
    """The reviews of a project in which a change stands and that are not finalised, oldest first."""
    begun = or_(worked_on(_review.id), _last_is("reopened"))
    return _reviews_of(connection, project_id, ~_last_is("final", "closed"), begun)


def _last_is(*kinds: str) -> ColumnElement[bool]:
    return exists().where(_finalisation.review_id == _review.id, _finalisation.kind.in_(kinds), NEWEST)


def _reviews_of(connection: Connection, project_id: str, *where: ColumnElement[bool]) -> tuple[Review, ...]:
    here = exists().where(_comparison.id == _review.comparison_id, _comparison.project_id == project_id)
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


def adjudicate(unit: Unit, comparison_id: str, *, verdict: Verdict, **ruling: Any) -> None:
    """Store a ruling; from now on its verdict holds."""
    lock(unit, tables.fact, comparison_id)
    unit.add(
        tables.adjudication,
        comparison_id=comparison_id,
        number=len(rulings_of(unit, comparison_id)) + 1,
        person_id=unit.person,
        winner=verdict.winner,
        decided_by=verdict.decided_by,
        verdict=verdict,
        **ruling,
    )
    fact.refresh(unit, comparison_id)


def rulings_of(connection: Connection, comparison_id: str) -> tuple[Adjudication, ...]:
    """All rulings on a pair, oldest first; the last one holds."""
    these = _adjudication.comparison_id == comparison_id
    return Adjudication.all(connection, these, by=[_adjudication.number])


class Correction(Frozen):
    """One value of the judge's that a reviewer changed."""

    task_id: str
    task: str
    said: str
    """Both values, with the reviewer's reason and the judge's."""


def corrections_of(connection: Connection, project_id: str) -> tuple[Correction, ...]:
    """The corrections in final reviews of people who could not know the candidates, the oldest review first."""
    query = (
        select(
            *(_review.id, _review.rubric_id, _review.judgment_set, _finalisation.last_change),
            *(_version.task_id, _comparison.title, _comparison.expectations),
        )
        .join_from(tables.review, tables.finalisation, _finalisation.review_id == _review.id)
        .join(tables.comparison, _comparison.id == _review.comparison_id)
        .join(tables.task_version, _version.id == _comparison.task_version_id)
        .where(
            _comparison.project_id == project_id,
            not_reopened(),
            _review.rubric_id.is_not(None),
            _review.judgment_set.is_not(None),
            _review.blindness == Blindness.BLIND,
            _finalisation.unblinded == false(),
            func.coalesce(_comparison.may_reveal, false()) == false(),
        )
    )
    return tuple(
        Correction(task_id=row.task_id, task=row.title, said=statement)
        for row in connection.execute(query.order_by(_finalisation.at, _review.id)).all()
        for statement in _statements(connection, row, successful(connection, row.judgment_set))
    )


def _statements(connection: Connection, row: Any, read: Sequence[Pass]) -> Iterator[str]:
    # The offline check said nothing that could be corrected.
    if {reading.order for reading in read} != set(Order) or read[0].answer.form:
        return
    judge = merge(rubrics.get(connection, row.rubric_id).rubric, tuple(read))
    for address, entry in fold(changes(connection, row.id)[: row.last_change]).items():
        target = Target.parse(address)
        label, key = target.label, target.key or ""
        why, person = "", entry.value
        judged: object
        if target.part in (Part.WINNER, Part.PREFERENCE) and isinstance(person, str):
            about = "the winner"
            judged = judge.verdict.winner if judge.verdict else None
            person = Winner(person) if target.part is Part.WINNER else Preference(person).winner
        elif label is not None and target.part is Part.SCORE:
            about, judged = f"{key} of output {label}", judge.assessments[label].scores.get(key)
            if criterion := read[0].answer.criteria.get(key):
                why = f" The judge's rationale: {criterion[label].rationale}"
        elif label is not None and target.part is Part.EXPECTATION and int(key) < len(row.expectations):
            about = f"“{row.expectations[int(key)]}” of output {label}"
            judged = judge.assessments[label].expectations[int(key)]
        else:
            continue
        if entry.touch is Touch.CHANGED and judged is not None and person != judged:
            reason = f", as “{given}”" if (given := entry.reason.strip() or entry.code) else ""
            yield f"{about}: the judge said {_in_words(judged)}, a person {_in_words(person)}{reason}.{why}"


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "met" if value else "not met"
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)
