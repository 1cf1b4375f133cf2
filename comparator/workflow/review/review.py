"""A person's review: recording changes, undo, finalising, reopening, and the other answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from comparator.domain.errors import Conflict, NotFound, ReviewError
from comparator.domain.rights import Act
from comparator.domain.scoring.review import Blindness, Change, ChangeKind, Part, check_value, inverse_of_last
from comparator.domain.scoring.rubric import Rubric
from comparator.store.core.unit import Unit
from comparator.store.pairs import page_views
from comparator.store.reviewing import answers, claims, finalisations, reviews
from comparator.store.reviewing.answers import AnswerKind
from comparator.store.reviewing.finalisations import Finalisation, NewFinalisation
from comparator.store.reviewing.reviews import Review, StoredChanges
from comparator.workflow.people.people import authorise
from comparator.workflow.review.claiming import renew_claim, require_open
from comparator.workflow.review.current_verdict import (
    changed_count,
    current_verdict,
    describe,
    judged_value,
    lacking_before_opening,
    problems,
)
from comparator.workflow.review.review_state import ReviewState, blindness_of, locked_state, review_state
from comparator.workflow.services import Services

MOST_CHANGES = 20_000
MOST_CHARACTERS = 50_000_000
"""Of all values and reasons of a review: whoever opens it reads them all."""
TOO_MUCH = "This review has had so many changes that no more can be stored. Finalise it as it is."


def record(
    services: Services,
    comparison_id: str,
    changes: Sequence[Change],
    *,
    person_id: str,
    began: datetime | None = None,
    seen: int | None = None,
    unfit: dict[str, str] | None = None,
) -> ReviewState:
    """Store the person's changes in one transaction; how the review stands with them. Sending twice stores once.

    Each is stored as this person's, made at the transaction's time. A confirmation takes the judge's value, and a value
    set to the judge's is a confirmation. `began` is when the person opened the pair, where that is known; the review
    counts from then. `seen` is how often the outputs that the person saw had been turned into pages; None where nobody
    told.

    Raises ReviewError for a value that does not fit or a finalised review; then nothing is stored. With `unfit` the
    others are stored all the same, and it is told there, by the change's id, why one was not.
    """
    with services.write() as unit:
        state = locked_state(unit.connection, comparison_id, person_id=person_id)
        if (rubric := state.rubric) is None:
            raise ReviewError("There is no rubric to score by yet. Have the comparison judged first.")
        fresh = state.review is None
        review, state = _begun(unit, state, person_id, began=began)
        shown = page_views.shown(unit.connection, comparison_id, seen=seen)
        stored = {change.id for change in state.changes}
        added: list[Change] = []
        length = sum(map(_length, state.changes))
        for change in changes:
            if change.id in stored:
                continue
            length += _length(change)
            try:
                if len(stored) >= MOST_CHANGES or length > MOST_CHARACTERS:
                    raise ReviewError(TOO_MUCH)
                meant = _fitting(change, state, rubric.rubric)
            except ReviewError as error:
                if unfit is None:
                    raise
                unfit[change.id] = str(error)
                continue
            marks = {
                "author": person_id,
                "at": unit.at,
                "blind": not state.opened,
                "unblinded": state.revealed,
                "seen": shown,
            }
            added.append(meant.model_copy(update=marks))
            stored.add(change.id)
        if not added:
            if fresh and unfit:
                # What does not fit begins no review.
                raise ReviewError(next(iter(unfit.values())))
            return state
        reviews.append(unit, review.id, added, after=len(state.changes))
        renew_claim(unit, comparison_id, person_id=person_id)
        targets = [{"id": change.id, "target": str(change.target)} for change in added]
        _log(unit, "review_changed", state, person_id, detail={"changes": targets})
    return replace(state, changes=(*state.changes, *added), saved_at=unit.at)


def _length(change: Change) -> int:
    """About how many characters a change takes."""
    return len(change.reason) + (len(str(change.value)) if isinstance(change.value, (str, tuple)) else 0)


def undo(services: Services, comparison_id: str, *, person_id: str, id: str | None = None) -> bool:
    """Take the person's last state change back by its inverse; False where nothing is left to undo.

    `id` names this undoing, so that asking twice takes back once. Raises ReviewError where the project is closed.
    """
    with services.write() as unit:
        # Two that read before either is stored would take the same change back.
        state = locked_state(unit.connection, comparison_id, person_id=person_id)
        if state.review is None:
            return False
        if any(change.id == id for change in state.changes):
            return True
        inverse = inverse_of_last(state.changes, id=id or unit.new_id(), author=person_id, at=unit.at)
        if inverse is None:
            return False
        reviews.add_change(unit, state.review.id, inverse, blind=not state.opened, unblinded=state.revealed)
        _log(unit, "review_change_undone", state, person_id)
    return True


def finalise(
    services: Services,
    comparison_id: str,
    *,
    person_id: str,
    seen: int | None = None,
) -> Finalisation:
    """Settle the review with what holds now; what is not assessed is left out.

    Raises ReviewError with what stands in the way.

    A blind review that gave its own answers is finalised as it is, and the judge's values open with that.
    `seen` is the number of changes that the person has in view; Conflict is raised where another window stored more.
    """
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        if seen is not None and seen < len(state.changes) and not state.final:
            raise Conflict("A value was changed in another window just now. Look again, then finalise.")
        require_open(unit.connection, state.project.id)
        if not state.opened and not problems(state, current_verdict(state)):
            _commit(unit, state, person_id)
            state = review_state(unit.connection, comparison_id, person_id=person_id)
        now = current_verdict(state)
        if hindrances := problems(state, now):
            raise ReviewError(" ".join(hindrances))
        assert now.verdict is not None
        assert state.rubric is not None
        review = open_for(unit, state, person_id)
        final = finalisations.add(
            unit,
            review.id,
            NewFinalisation(
                verdict=now.verdict,
                prose=now.prose,
                changed=changed_count(state),
                seen=len(state.changes),
                unblinded=state.revealed,
            ),
            person_id=person_id,
        )
        claims.release(unit, comparison_id, person_id=person_id)
        left_out = {"left_out": now.verdict.left_out} if now.verdict.left_out else None
        _log(unit, "review_finalised", state, person_id, detail=left_out)
    return final


def reopen(services: Services, comparison_id: str, *, person_id: str) -> None:
    """Open the person's finalised review again; the version before stays."""
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        if state.review is None:
            raise NotFound("There is no review of yours to open again.")
        require_open(unit.connection, state.project.id)
        finalisations.reopen(unit, state.review.id, person_id=person_id, unblinded=state.revealed)
        renew_claim(unit, comparison_id, person_id=person_id)
        _log(unit, "review_reopened", state, person_id)


def answer(
    services: Services, comparison_id: str, kind: AnswerKind, *, person_id: str, reason: str = ""
) -> None:
    """Keep an answer other than scores: skipped, flagged for discussion, cannot judge, outside my expertise."""
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        require_open(unit.connection, state.project.id)
        if kind is not AnswerKind.FLAG:
            # Somebody else may have the pair now.
            claims.release(unit, comparison_id, person_id=person_id)
        answers.add(unit, comparison_id, person_id=person_id, kind=kind, reason=reason.strip())
        _log(unit, "answered", state, person_id, detail={"answer": kind.value})


def withdraw_answer(services: Services, comparison_id: str, answer_id: str, *, person_id: str) -> None:
    """Take one of the person's own answers back; both stay known. Raises NotFound for anybody else's."""
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        given = answers.of_comparison(unit.connection, comparison_id, person_id=person_id)
        # Having opened the judge's values cannot be undone.
        if not any(each.id == answer_id and each.kind is not AnswerKind.COMMITTED for each in given):
            raise NotFound("There is no such answer of yours. It may have been taken back already.")
        answers.withdraw(unit, answer_id)
        _log(unit, "answer_withdrawn", state, person_id)


def open_judge(services: Services, comparison_id: str, *, person_id: str) -> None:
    """In a blind review, keep that the own answers are given, and let the judge's values be shown from now on.

    Raises ReviewError while answers are missing. Where they are open already, nothing happens.
    """
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        if not state.opened:
            require_open(unit.connection, state.project.id)
            _commit(unit, state, person_id)


def mark_knows(services: Services, comparison_id: str, *, person_id: str) -> None:
    """Keep that this reviewer knows which candidate is which; their review is no blind one from then on."""
    with services.write() as unit:
        state = review_state(unit.connection, comparison_id, person_id=person_id)
        review = open_for(unit, state, person_id)
        if review.blindness is not Blindness.KNOWN:
            reviews.mark_knows(unit.connection, review.id)
            _log(unit, "reviewer_knows", state, person_id)


def _commit(unit: Unit, state: ReviewState, person_id: str) -> None:
    lacking = lacking_before_opening(state)
    if state.rubric is None:
        raise ReviewError("There is no rubric to score by yet. Have the comparison judged first.")
    if lacking:
        names = ", ".join(describe(state, address) for address in lacking[:4])
        more = f" and {len(lacking) - 4} more" if len(lacking) > 4 else ""
        raise ReviewError(
            f"Before the judge's values open, answer: {names}{more}. “Cannot judge” is an answer."
        )
    answers.add(unit, state.comparison.id, person_id=person_id, kind=AnswerKind.COMMITTED)
    _log(unit, "judge_opened", state, person_id)
    # From here on the review rests on the judgment that it is shown.
    open_for(unit, review_state(unit.connection, state.comparison.id, person_id=person_id), person_id)


def _fitting(change: Change, state: ReviewState, rubric: Rubric) -> Change:
    """The change as it is to be stored. Raises ReviewError where it does not fit."""
    if state.final:
        raise ReviewError(reviews.FINALISED)
    if change.kind is ChangeKind.CONFIRM_REST and str(change.target) in state.touched:
        raise ReviewError(
            f"{describe(state, str(change.target))} was answered in another window meanwhile; that stays."
        )
    meant = _as_meant(change, state)
    if meant.target.part is Part.PREFERENCE and not state.mode.prefers:
        raise ReviewError("This review does not ask which output is better on the whole. Set the winner.")
    check_value(meant, rubric=rubric, expectations=len(state.comparison.expectations))
    return meant


def _as_meant(change: Change, state: ReviewState) -> Change:
    judged = judged_value(state.judgment, change.target)
    confirms = change.kind in (ChangeKind.CONFIRM, ChangeKind.CONFIRM_REST)
    if confirms:
        if judged is None:
            raise ReviewError(
                f"The judge gave no value for {describe(state, str(change.target))} to confirm."
            )
        return change.model_copy(update={"value": judged})
    if change.kind is ChangeKind.SET and judged is not None and change.value == judged and not change.reason:
        return change.model_copy(update={"kind": ChangeKind.CONFIRM})
    return change


def _begun(
    unit: Unit, state: ReviewState, person_id: str, *, began: datetime | None
) -> tuple[Review, ReviewState]:
    """The person's review, which this transaction holds, begun if there is none; and how things stand with it."""
    if state.review is None:
        review = open_for(unit, state, person_id, began=began)
        # Another window may have begun it at the same moment.
        stored = reviews.stored_changes(unit.connection, review.id)
    else:
        review = reviews.pin(
            unit.connection,
            state.review,
            begun=bool(state.changes),
            rubric_id=_rubric_id(state),
            judgment_set=_judgment_set(state),
            blindness=blindness_of(state.comparison, person_id),
        )
        stored = StoredChanges(state.changes, state.saved_at)
    return review, replace(state, review=review, changes=stored.changes, saved_at=stored.stored_at)


def _rubric_id(state: ReviewState) -> str | None:
    return state.rubric.id if state.rubric else None


def _judgment_set(state: ReviewState) -> str | None:
    return state.chosen.digest if state.chosen and (state.judgment or state.form) else None


def open_for(
    unit: Unit,
    state: ReviewState,
    person_id: str,
    *,
    began: datetime | None = None,
) -> Review:
    """The person's review of the comparison, begun if there is none; `began` is when they opened the pair."""
    return reviews.open_review(
        replace(unit, at=min(began, unit.at)) if began else unit,
        state.comparison.id,
        person_id=person_id,
        mode=state.mode,
        rubric_id=_rubric_id(state),
        judgment_set=_judgment_set(state),
        blindness=blindness_of(state.comparison, person_id),
    )


def _log(
    unit: Unit, kind: str, state: ReviewState, person_id: str, *, detail: Mapping[str, Any] | None = None
) -> None:
    authorise(
        unit,
        Act.REVIEW,
        kind,
        person_id=person_id,
        project_id=state.project.id,
        subject_id=state.comparison.id,
        detail=detail,
    )
