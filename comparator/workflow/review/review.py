"""A person's review: recording changes, undo, finalising, reopening, and the other answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from comparator.domain.errors import Conflict, NotFound, ReviewError
from comparator.domain.result import compose
from comparator.domain.review import Change, ChangeKind, Part, check_value, inverse_of_last
from comparator.domain.rights import Act
from comparator.domain.rubric import Rubric
from comparator.store.core.database import Connection
from comparator.store.reviewing import answers, claims, reviews
from comparator.store.reviewing.answers import AnswerKind
from comparator.store.reviewing.reviews import Finalisation, Review, Said
from comparator.workflow.people.people import act
from comparator.workflow.review.claiming import keep_hold, require_open
from comparator.workflow.review.review_state import (
    Standing,
    changed_count,
    describe,
    held,
    judged_value,
    lacking_before_opening,
    problems,
    stand,
    stand_held,
)
from comparator.workflow.services import Services

MOST_CHANGES = 20_000
MOST_CHARACTERS = 50_000_000
"""Of all values and reasons of a review: whoever opens it reads them all."""
TOO_MUCH = "This review has had so many changes that no more are stored. Finalise it as it is."


def record(
    services: Services,
    comparison_id: str,
    changes: Sequence[Change],
    *,
    person_id: str,
    began: datetime | None = None,
    unfit: dict[str, str] | None = None,
) -> Standing:
    """Store the person's changes in one transaction; how the review stands with them. Sending twice stores once.

    A confirmation takes the judge's value, and a value set to the judge's is a confirmation. `began` is when the
    person opened the pair, where that is known; the review counts from then.
    Raises ReviewError for a value that does not fit or a finalised review; then nothing is stored. With `unfit` the
    others are stored all the same, and it is told there, by the change's id, why one was not.
    """
    with services.database.write() as connection:
        standing = stand_held(connection, comparison_id, person_id=person_id)
        if (rubric := standing.rubric) is None:
            raise ReviewError("There is no rubric to score by yet. Have the comparison judged first.")
        fresh = standing.review is None
        review, standing = _begun(services, connection, standing, person_id, began=began)
        stored = {change.id for change in standing.changes}
        added: list[Change] = []
        length = sum(map(_length, standing.changes))
        for change in changes:
            if change.id in stored:
                continue
            length += _length(change)
            try:
                if len(stored) >= MOST_CHANGES or length > MOST_CHARACTERS:
                    raise ReviewError(TOO_MUCH)
                settled = _fitting(change, standing, rubric.rubric)
            except ReviewError as error:
                if unfit is None:
                    raise
                unfit[change.id] = str(error)
                continue
            marks = {"author": person_id, "blind": not standing.opened, "unblinded": standing.revealed}
            added.append(settled.model_copy(update=marks))
            stored.add(change.id)
        if not added:
            if fresh and unfit:
                # What does not fit begins no review.
                raise ReviewError(next(iter(unfit.values())))
            return standing
        at = services.now()
        reviews.append(connection, review.id, added, after=len(standing.changes), at=at)
        keep_hold(services, connection, comparison_id, person_id=person_id)
        told = [{"id": change.id, "target": str(change.target)} for change in added]
        _log(services, connection, "review_changed", standing, person_id, detail={"changes": told})
    return replace(standing, changes=(*standing.changes, *added), saved_at=at)


def _length(change: Change) -> int:
    """About how many characters a change takes."""
    return len(change.reason) + (len(str(change.value)) if isinstance(change.value, (str, tuple)) else 0)


def undo(services: Services, comparison_id: str, *, person_id: str, id: str | None = None) -> bool:
    """Take the person's last standing change back by its inverse; False where nothing is left to undo.

    `id` names this undoing, so that asking twice takes back once. Raises ReviewError where the project is closed.
    """
    with services.database.write() as connection:
        # Two that read before either is stored would take the same change back.
        standing = stand_held(connection, comparison_id, person_id=person_id)
        if standing.review is None:
            return False
        if any(change.id == id for change in standing.changes):
            return True
        inverse = inverse_of_last(
            standing.changes, id=id or services.new_id(), author=person_id, at=services.now()
        )
        if inverse is None:
            return False
        reviews.add_change(
            connection,
            standing.review.id,
            inverse,
            blind=not standing.opened,
            unblinded=standing.revealed,
            at=services.now(),
        )
        _log(services, connection, "review_change_undone", standing, person_id)
    return True


def finalise(
    services: Services, comparison_id: str, *, person_id: str, seen: int | None = None
) -> Finalisation:
    """Settle the review with what holds now. Raises ReviewError with what stands in the way.

    A blind review that gave all its own answers is finalised as it is, and the judge's values open with that.
    `seen` is the number of changes that the person has in view; Conflict is raised where another window stored more.
    """
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
        if seen is not None and seen < len(standing.changes) and not standing.final:
            raise Conflict("A value was changed in another window just now. Look again, then finalise.")
        require_open(connection, standing.project.id)
        if not standing.opened:
            standing = _opened_at_last(services, connection, standing, person_id)
        now = held(standing)
        hindrances = problems(standing, now)
        if hindrances:
            raise ReviewError(" ".join(hindrances))
        assert now.verdict is not None
        assert standing.rubric is not None
        review = open_for(services, connection, standing, person_id)
        result = compose(
            standing.rubric.rubric, now.verdict, now.prose, expectations=standing.comparison.expectations
        )
        final = reviews.add_finalisation(
            connection,
            review.id,
            person_id=person_id,
            verdict=now.verdict,
            prose=now.prose,
            result=result.to_json(),
            changed=changed_count(standing),
            seen=len(standing.changes),
            unblinded=standing.revealed,
            new_id=services.new_id,
            at=services.now(),
        )
        claims.release(connection, comparison_id, person_id=person_id, at=services.now())
        _log(services, connection, "review_finalised", standing, person_id)
    return final


def reopen(services: Services, comparison_id: str, *, person_id: str) -> None:
    """Open the person's finalised review again; the version before stays."""
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
        if standing.review is None:
            raise NotFound("There is no review of yours to open again.")
        require_open(connection, standing.project.id)
        reviews.reopen(
            connection,
            standing.review.id,
            person_id=person_id,
            unblinded=standing.revealed,
            new_id=services.new_id,
            at=services.now(),
        )
        keep_hold(services, connection, comparison_id, person_id=person_id)
        _log(services, connection, "review_reopened", standing, person_id)


def answer(
    services: Services, comparison_id: str, kind: AnswerKind, *, person_id: str, reason: str = ""
) -> None:
    """Keep an answer other than scores: skipped, flagged for discussion, cannot judge, outside my expertise."""
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
        require_open(connection, standing.project.id)
        if kind is not AnswerKind.FLAG:
            # Somebody else may have the pair now.
            claims.release(connection, comparison_id, person_id=person_id, at=services.now())
        answers.add(
            connection,
            comparison_id,
            person_id=person_id,
            kind=kind,
            reason=reason.strip(),
            new_id=services.new_id,
            at=services.now(),
        )
        _log(services, connection, "answered", standing, person_id, detail={"answer": kind.value})


def withdraw_answer(services: Services, comparison_id: str, answer_id: str, *, person_id: str) -> None:
    """Take one of the person's own answers back; both stay known. Raises NotFound for anybody else's."""
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
        given = answers.of_comparison(connection, comparison_id, person_id=person_id)
        # Having opened the judge's values cannot be undone.
        if not any(each.id == answer_id and each.kind is not AnswerKind.COMMITTED for each in given):
            raise NotFound("There is no such answer of yours. It may have been taken back already.")
        answers.withdraw(connection, answer_id, new_id=services.new_id, at=services.now())
        _log(services, connection, "answer_withdrawn", standing, person_id)


def open_judge(services: Services, comparison_id: str, *, person_id: str) -> None:
    """In a blind review, keep that the own answers are given, and let the judge's values be shown from now on.

    Raises ReviewError while answers are missing. Where they are open already, nothing happens.
    """
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
        if not standing.opened:
            require_open(connection, standing.project.id)
            _commit(services, connection, standing, person_id)


def mark_knows(services: Services, comparison_id: str, *, person_id: str) -> None:
    """Keep that this reviewer knows which candidate is which; their review is no blind one from then on."""
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
        review = open_for(services, connection, standing, person_id)
        if not review.knows:
            reviews.mark_knows(connection, review.id)
            _log(services, connection, "reviewer_knows", standing, person_id)


def _opened_at_last(
    services: Services, connection: Connection, standing: Standing, person_id: str
) -> Standing:
    # Whoever scores every criterion blind argues in their own words: nobody signs a reasoning that they never saw.
    if not standing.mode.prefers:
        hindrances = problems(standing, held(standing))
        if hindrances:
            raise ReviewError(" ".join(hindrances))
    _commit(services, connection, standing, person_id)
    return stand(connection, standing.comparison.id, person_id=person_id)


def _commit(services: Services, connection: Connection, standing: Standing, person_id: str) -> None:
    lacking = lacking_before_opening(standing)
    if standing.rubric is None:
        raise ReviewError("There is no rubric to score by yet. Have the comparison judged first.")
    if lacking:
        names = ", ".join(describe(standing, address) for address in lacking[:4])
        more = f" and {len(lacking) - 4} more" if len(lacking) > 4 else ""
        raise ReviewError(
            f"Before the judge's values open, answer: {names}{more}. “Cannot judge” is an answer."
        )
    answers.add(
        connection,
        standing.comparison.id,
        person_id=person_id,
        kind=AnswerKind.COMMITTED,
        new_id=services.new_id,
        at=services.now(),
    )
    _log(services, connection, "judge_opened", standing, person_id)
    # From here on the review rests on the judgment that it is shown.
    open_for(
        services,
        connection,
        stand(connection, standing.comparison.id, person_id=person_id),
        person_id,
    )


def _fitting(change: Change, standing: Standing, rubric: Rubric) -> Change:
    """The change as it is to be stored. Raises ReviewError where it does not fit."""
    if standing.final:
        raise ReviewError(reviews.FINALISED)
    if change.kind is ChangeKind.CONFIRM_REST and str(change.target) in standing.state:
        raise ReviewError(
            f"{describe(standing, str(change.target))} was answered in another window meanwhile; that stays."
        )
    settled = _settled(change, standing)
    if settled.target.part is Part.PREFERENCE and not standing.mode.prefers:
        raise ReviewError("This review does not ask which output is better on the whole. Set the winner.")
    check_value(settled, rubric=rubric, expectations=len(standing.comparison.expectations))
    return settled


def _settled(change: Change, standing: Standing) -> Change:
    judged = judged_value(standing.judgment, change.target)
    confirms = change.kind in (ChangeKind.CONFIRM, ChangeKind.CONFIRM_REST)
    if confirms:
        if judged is None:
            raise ReviewError(
                f"The judge gave no value for {describe(standing, str(change.target))} to confirm."
            )
        return change.model_copy(update={"value": judged})
    if change.kind is ChangeKind.SET and judged is not None and change.value == judged and not change.reason:
        return change.model_copy(update={"kind": ChangeKind.CONFIRM})
    return change


def _begun(
    services: Services, connection: Connection, standing: Standing, person_id: str, *, began: datetime | None
) -> tuple[Review, Standing]:
    """The person's review, which this transaction holds, begun if there is none; and how things stand with it."""
    if standing.review is None:
        review = open_for(services, connection, standing, person_id, began=began)
        # Another window may have begun it at the same moment.
        said = reviews.said(connection, review.id)
    else:
        review = reviews.pin(
            connection,
            standing.review,
            begun=bool(standing.changes),
            rubric_id=_rubric_id(standing),
            judgment_set=_judgment_set(standing),
            knows=_knows(standing, person_id),
        )
        said = Said(standing.changes, standing.saved_at)
    return review, replace(standing, review=review, changes=said.changes, saved_at=said.stored_at)


def _rubric_id(standing: Standing) -> str | None:
    return standing.rubric.id if standing.rubric else None


def _judgment_set(standing: Standing) -> str | None:
    return standing.chosen.digest if standing.chosen and standing.judgment else None


def _knows(standing: Standing, person_id: str) -> bool:
    return standing.comparison.created_by == person_id


def open_for(
    services: Services,
    connection: Connection,
    standing: Standing,
    person_id: str,
    *,
    began: datetime | None = None,
) -> Review:
    """The person's review of the comparison, begun if there is none; `began` is when they opened the pair."""
    comparison, now = standing.comparison, services.now()
    return reviews.open_review(
        connection,
        comparison.id,
        person_id=person_id,
        mode=standing.mode,
        rubric_id=_rubric_id(standing),
        judgment_set=_judgment_set(standing),
        knows=_knows(standing, person_id),
        new_id=services.new_id,
        at=min(began, now) if began else now,
    )


def _log(
    services: Services,
    connection: Connection,
    kind: str,
    standing: Standing,
    person_id: str,
    *,
    detail: Mapping[str, Any] | None = None,
) -> None:
    act(
        services,
        connection,
        Act.REVIEW,
        kind,
        person_id=person_id,
        project_id=standing.project.id,
        subject_id=standing.comparison.id,
        detail=detail,
    )
