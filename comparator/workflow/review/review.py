"""A person's review: recording changes, undo, finalising, reopening, and the other answers."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from comparator.domain.counted import listed
from comparator.domain.errors import Conflict, NotFound, ReviewError
from comparator.domain.project import GuessChoice
from comparator.domain.scoring.review import (
    UNTOUCHED,
    Blindness,
    Change,
    ChangeKind,
    Part,
    check_value,
    inverse_of_last,
    judged_value,
)
from comparator.store.judging import rubrics
from comparator.store.reviewing import notes, queue, reviews
from comparator.store.reviewing.notes import NoteKind
from comparator.workflow.review.review_state import (
    ReviewState,
    blindness_of,
    changed_count,
    current_verdict,
    describe,
    lacking_before_opening,
    problems,
    review_state,
    reviewing,
)
from comparator.workflow.services import Services

MOST_CHANGES = 20_000
MOST_CHARACTERS = 50_000_000
"""Of all values and reasons of a review: whoever opens it reads them all."""
TOO_MUCH = "This review has had so many changes that no more can be stored. Finalise it as it is."
SUREST = 3
"""Of a guess who made which output."""


def record(
    services: Services,
    comparison_id: str,
    changes: Sequence[Change],
    *,
    began: datetime | None = None,
    unfit: dict[str, str] | None = None,
) -> ReviewState:
    """Store the person's changes in one transaction; how the review stands with them. Sending twice stores once.

    Each is stored as this person's, made at the transaction's time. A confirmation takes the judge's value, and a value
    set to the judge's is a confirmation. `began` is when the person opened the pair, where that is known; the review
    counts from then.

    Raises ReviewError for a value that does not fit or a finalised review; then nothing is stored. With `unfit` the
    others are stored all the same, and it is told there, by the change's id, why one was not.
    """
    with reviewing(services, comparison_id) as state:
        state.require_open()
        unit, fresh = state.unit, state.review is None
        review, state = _begin_review(state, began=began)
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
                meant = _fitting(change, state)
            except ReviewError as error:
                if unfit is None:
                    raise
                unfit[change.id] = str(error)
                continue
            marks = {
                "author": services.person,
                "at": unit.at,
                "blind": not state.opened,
                "unblinded": state.revealed,
            }
            added.append(meant.model_copy(update=marks))
            stored.add(change.id)
        if not added:
            if fresh and unfit:
                # What does not fit begins no review.
                raise ReviewError(next(iter(unfit.values())))
            return state
        reviews.append(unit, review.id, added, after=len(state.changes))
        queue.claim(unit, comparison_id, person_id=services.person)
        details = [{"id": change.id, "target": str(change.target)} for change in added]
        state.log("review_changed", changes=details)
    return replace(state, changes=(*state.changes, *added))


class Undone(NamedTuple):
    """A decision that was taken back."""

    address: str
    """Of its value, or of the first of those that one key confirmed."""
    words: str


def undo(services: Services, comparison_id: str, *, id: str | None = None) -> Undone | None:
    """Take the person's last decision back: a value, a reason, or all that one key confirmed; None where none is left.

    `id` names this undoing, so that asking twice takes back once. Raises ReviewError where the project is closed.
    """
    with reviewing(services, comparison_id) as state:
        state.require_open()
        if state.review is None:
            return None
        if known := next((change for change in state.changes if change.id == id), None):
            return Undone(str(known.target), describe(state, str(known.target)))
        unit = state.unit
        inverses = _inverses(state, author=services.person, id=id or unit.new_id())
        if not inverses:
            return None
        if state.final:
            raise ReviewError(reviews.FINALISED)
        marks = {"blind": not state.opened, "unblinded": state.revealed}
        marked = [inverse.model_copy(update=marks) for inverse in inverses]
        reviews.append(unit, state.review.id, marked, after=len(state.changes))
        state.log("review_change_undone")
    return _undone(state, inverses)


def _inverses(state: ReviewState, *, author: str, id: str) -> list[Change]:
    """What takes the last decision back: all that one key confirmed, or all that was typed as one reason. A reason that
    was typed and deleted again is none."""
    inverses: list[Change] = []
    while inverse := inverse_of_last((*state.changes, *inverses), id=id, author=author, at=state.unit.at):
        if inverses and not _go_together(state, inverse, inverses[-1]):
            break
        inverses.append(inverse)
        id = state.unit.new_id()
    return inverses


def _go_together(state: ReviewState, inverse: Change, later: Change) -> bool:
    """Whether one undo takes back both; `later` is of what was done after it."""
    last, after = _taken_back(state, inverse), _taken_back(state, later)
    if not _only_words(after, later):
        return last.kind is ChangeKind.CONFIRM_REST and (last.kind, last.at) == (after.kind, after.at)
    now = state.touched.get(str(later.target), UNTOUCHED)
    nothing_left = (now.reason, now.code) == (later.reason, later.code)
    return nothing_left or (last.target == later.target and _only_words(last, inverse))


def _undone(state: ReviewState, inverses: Sequence[Change]) -> Undone:
    last = _taken_back(state, inverses[-1])
    words = describe(state, str(last.target))
    confirmed = [i for i in inverses if _taken_back(state, i).kind is ChangeKind.CONFIRM_REST]
    if len(confirmed) > 1:
        words = f"confirm {len(confirmed)} values"
    elif _only_words(last, inverses[-1]):
        words = f"reason, {words}" if last.target.label else "reason"
    return Undone(str(last.target), words)


def _taken_back(state: ReviewState, inverse: Change) -> Change:
    return next(change for change in state.changes if change.id == inverse.undoes)


def _only_words(change: Change, inverse: Change) -> bool:
    """Whether the change that `inverse` takes back gave a reason to a value that was there."""
    return (change.kind, change.value) == (inverse.kind, inverse.value)


def finalise(services: Services, comparison_id: str, *, seen: int | None = None) -> reviews.Finalisation:
    """Settle the review with what holds now; what is not assessed is left out.

    Raises ReviewError with what stands in the way.

    A blind review that gave its own answers is finalised as it is, and the judge's values open with that.
    `seen` is the number of changes that the person has in view; Conflict is raised where another window stored more.
    """
    with reviewing(services, comparison_id) as state:
        if seen is not None and seen < len(state.changes) and not state.final:
            raise Conflict("A value was changed in another window just now. Look again, then finalise.")
        state.require_open()
        if not state.opened and not problems(state, current_verdict(state)):
            state = _commit(state)
        now = current_verdict(state)
        if hindrances := problems(state, now):
            raise ReviewError(" ".join(hindrances))
        assert now.verdict is not None
        review, state = _begin_review(state)
        final = reviews.finalise(
            state.unit,
            review.id,
            seen=len(state.changes),
            verdict=now.verdict,
            prose=now.prose,
            changed=changed_count(state),
            unblinded=state.revealed,
        )
        queue.release(state.unit, comparison_id, person_id=services.person)
        state.log("review_finalised", **({"left_out": left} if (left := now.verdict.left_out) else {}))
    return final


def reopen(services: Services, comparison_id: str) -> None:
    """Open the person's finalised review again; the version before stays."""
    with reviewing(services, comparison_id) as state:
        if state.review is None:
            raise NotFound("There is no review of yours to open again.")
        state.require_open()
        reviews.reopen(state.unit, state.review.id, unblinded=state.revealed)
        queue.claim(state.unit, comparison_id, person_id=services.person)
        state.log("review_reopened")


def answer(services: Services, comparison_id: str, kind: NoteKind, *, reason: str = "") -> None:
    """Keep an answer other than scores: skipped, flagged for discussion, cannot judge, outside my expertise."""
    with reviewing(services, comparison_id) as state:
        state.require_open()
        if kind is not NoteKind.FLAG:
            # Somebody else may have the pair now.
            queue.release(state.unit, comparison_id, person_id=services.person)
        state.note(kind, text=reason.strip())
        state.log("answered", answer=kind)


def withdraw_answer(services: Services, comparison_id: str, answer_id: str) -> None:
    """Take one of the person's own answers back; both stay known. Raises NotFound for anybody else's."""
    with reviewing(services, comparison_id) as state:
        given = next((note for note in state.answers if note.id == answer_id), None)
        if given is None:
            raise NotFound("There is no such answer of yours. It may have been taken back already.")
        notes.withdraw(state.unit, given)
        state.log("answer_withdrawn")


def open_judge(services: Services, comparison_id: str) -> None:
    """In a blind review, keep that the own answers are given, and let the judge's values be shown from now on.

    Raises ReviewError while answers are missing. Where they are open already, nothing happens.
    """
    with reviewing(services, comparison_id) as state:
        if not state.opened:
            state.require_open()
            _commit(state)


def mark_knows(services: Services, comparison_id: str) -> None:
    """Keep that this reviewer knows which candidate is which; their review is no blind one from then on."""
    with reviewing(services, comparison_id) as state:
        review, _ = _begin_review(state)
        if review.blindness is not Blindness.KNOWN:
            reviews.mark_knows(state.unit, review.id)
            state.log("reviewer_knows")


def guess_choices(state: ReviewState) -> tuple[GuessChoice, ...] | None:
    """The choices of the question who made which, to be answered before finalising; None where it is not asked.

    Without choices, it asks only whether something told them.
    """
    settings = state.project.settings
    if state.blindness is not Blindness.BLIND or state.revealed or state.guessed:
        return None
    if not is_chosen(state.comparison.id, share=settings.ask_guess_share):
        return None
    # In an order that belongs to the pair, not to the candidates' numbers.
    id = state.comparison.id
    return tuple(
        sorted(
            settings.guess_choices, key=lambda choice: hashlib.sha256(f"{id}:{choice.text}".encode()).digest()
        )
    )


def guess_is_due(services: Services, comparison_id: str) -> bool:
    """Whether this reviewer has that question to answer before finalising. Raises NotFound, RightsError."""
    with services.read() as unit:
        return guess_choices(review_state(unit, comparison_id)) is not None


def is_chosen(comparison_id: str, *, share: float) -> bool:
    """Whether this pair is among the `share` (0 to 1) that are asked about; the same for everybody and for ever.

    It follows from the random id alone, so that it tells nothing of the key.
    """
    digest = hashlib.sha256(f"guess:{comparison_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64 < share


def guess(services: Services, comparison_id: str, *, candidate_a: int | None, sure: int | None) -> None:
    """Keep what the person takes A's candidate for (its neutral number), and how sure they are, 1 to 3.

    Both are None for "no idea"; without choices only `sure` says that something told. A second guess changes nothing.
    Raises ReviewError for a guess that was not asked for.
    """
    with reviewing(services, comparison_id) as state:
        if state.guessed:
            return
        choices = guess_choices(state)
        if choices is None:
            raise ReviewError("This review does not ask who made which output. Continue with the review.")
        if candidate_a is not None and candidate_a not in {choice.number for choice in choices}:
            raise ReviewError("This candidate is not one of the choices. Choose again.")
        if sure is not None and not 1 <= sure <= SUREST:
            raise ReviewError(f"How sure you are must be a number from 1 to {SUREST}. Choose again.")
        # By this id, of two at the same moment one is kept.
        once = hashlib.sha256(f"guess:{comparison_id}:{services.person}".encode()).hexdigest()
        state.note(NoteKind.GUESS, id=once, candidate_a=candidate_a, sure=sure)
        state.log("candidates_guessed")


def _commit(state: ReviewState) -> ReviewState:
    """Let the judge's values be shown from now on; the review then rests on the judgment that it is shown."""
    if lacking := lacking_before_opening(state):
        names = listed([describe(state, address) for address in lacking], most=4)
        raise ReviewError(f"Before the judge's values open, answer: {names}. “Cannot judge” is an answer.")
    id = state.comparison.id
    state.note(NoteKind.COMMITTED)
    state.log("judge_opened")
    return _begin_review(review_state(state.unit, id))[1]


def _fitting(change: Change, state: ReviewState) -> Change:
    """The change as it is to be stored. Raises ReviewError where it does not fit."""
    if state.final:
        raise ReviewError(reviews.FINALISED)
    address = str(change.target)
    if change.kind is ChangeKind.CONFIRM_REST and address in state.touched:
        raise ReviewError(f"{describe(state, address)} was answered in another window meanwhile; that stays.")
    judged = judged_value(state.judgment, change.target)
    if change.kind in (ChangeKind.CONFIRM, ChangeKind.CONFIRM_REST):
        if judged is None:
            raise ReviewError(f"The judge gave no value for {describe(state, address)} to confirm.")
        change = change.copy_with(value=judged)
    elif (
        change.kind is ChangeKind.SET and judged is not None and change.value == judged and not change.reason
    ):
        change = change.copy_with(kind=ChangeKind.CONFIRM)
    if change.target.part is Part.PREFERENCE and not state.mode.prefers:
        raise ReviewError("This review does not ask which output is better on the whole. Set the winner.")
    check_value(change, rubric=state.rubric.rubric, expectations=len(state.comparison.expectations))
    return change


def _begin_review(state: ReviewState, *, began: datetime | None = None) -> tuple[reviews.Review, ReviewState]:
    """The person's review, which this transaction holds, begun if there is none; and how things stand with it.

    `began` is when they opened the pair.
    """
    unit = state.unit
    wanted = reviews.Review(
        id=unit.new_id(),
        comparison_id=state.comparison.id,
        person_id=unit.person,
        mode=state.mode,
        rubric_id=state.rubric.id or _keep_usual(state),
        judgment_set=state.chosen.digest if state.chosen and (state.judgment or state.form) else None,
        blindness=blindness_of(state.comparison, unit.person),
        opened_at=min(began, unit.at) if began else unit.at,
    )
    if state.review is not None:
        review = reviews.pin(unit, state.review, wanted, begun=bool(state.changes))
        return review, replace(state, review=review)
    review = reviews.open_review(unit, wanted)
    # Another window may have begun it at the same moment.
    return review, replace(state, review=review, changes=reviews.changes(unit, review.id))


def _keep_usual(state: ReviewState) -> str:
    """The id of the usual criteria, kept for the task; a judge that reads the pair later writes its own."""
    kept = rubrics.add(
        state.unit,
        state.rubric.rubric,
        project_id=state.project.id,
        task_version_id=state.comparison.task_version_id,
        author_kind=state.rubric.author_kind,
        author=state.rubric.author,
    )
    return kept.id


def _length(change: Change) -> int:
    """About how many characters a change takes."""
    return len(change.reason) + (len(str(change.value)) if isinstance(change.value, (str, tuple)) else 0)
