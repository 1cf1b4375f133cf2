"""A person's review: recording changes, undo, finalising, reopening, and the other answers."""

from __future__ import annotations

from collections.abc import Sequence

from comparator.domain.errors import Conflict, NotFound, ReviewError
from comparator.domain.result import compose
from comparator.domain.review import Change, ChangeKind, check_value, inverse_of_last
from comparator.store import answers, events, reviews
from comparator.store.answers import AnswerKind
from comparator.store.database import Connection
from comparator.store.reviews import Finalisation, Review
from comparator.workflow.services import Services
from comparator.workflow.standing import (
    Standing,
    changed_count,
    describe,
    held,
    judged_value,
    problems,
    stand,
)


def record(
    services: Services, comparison_id: str, changes: Sequence[Change], *, person_id: str
) -> tuple[str, ...]:
    """Store the person's changes in one transaction; the ids that are stored now. Sending twice stores once.

    A confirmation takes the judge's value, and a value set to the judge's is a confirmation.
    Raises ReviewError for a value that does not fit or a finalised review; then nothing is stored.
    """
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
        if standing.rubric is None:
            raise ReviewError("There is no rubric to score by yet. Have the comparison judged first.")
        review = open_for(services, connection, standing, person_id)
        stored = {change.id for change in standing.changes}
        for change in changes:
            if change.id in stored:
                continue
            if change.kind is ChangeKind.CONFIRM_REST and str(change.target) in standing.state:
                raise ReviewError(
                    f"{describe(standing, str(change.target))} was answered in another window meanwhile; that stays."
                )
            settled = _settled(change, standing)
            check_value(
                settled, rubric=standing.rubric.rubric, expectations=len(standing.comparison.expectations)
            )
            reviews.add_change(
                connection,
                review.id,
                settled.model_copy(update={"author": person_id}),
                unblinded=standing.revealed,
                at=services.now(),
            )
    return tuple(change.id for change in changes)


def undo(services: Services, comparison_id: str, *, person_id: str, id: str | None = None) -> bool:
    """Take the person's last standing change back by its inverse; False where nothing is left to undo.

    `id` names this undoing, so that asking twice takes back once.
    """
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
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
            connection, standing.review.id, inverse, unblinded=standing.revealed, at=services.now()
        )
    return True


def finalise(
    services: Services, comparison_id: str, *, person_id: str, seen: int | None = None
) -> Finalisation:
    """Settle the review with what holds now. Raises ReviewError with what stands in the way.

    `seen` is the number of changes that the person has in view; Conflict is raised where another window stored more.
    """
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
        if seen is not None and seen < len(standing.changes) and not standing.final:
            raise Conflict("A value was changed in another window just now. Look again, then finalise.")
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
        _log(services, connection, "review_finalised", standing, person_id)
    return final


def reopen(services: Services, comparison_id: str, *, person_id: str) -> None:
    """Open the person's finalised review again; the version before stays."""
    with services.database.write() as connection:
        standing = stand(connection, comparison_id, person_id=person_id)
        if standing.review is None:
            raise NotFound("There is no review of yours to open again.")
        reviews.reopen(
            connection,
            standing.review.id,
            person_id=person_id,
            unblinded=standing.revealed,
            new_id=services.new_id,
            at=services.now(),
        )
        _log(services, connection, "review_reopened", standing, person_id)


def answer(
    services: Services, comparison_id: str, kind: AnswerKind, *, person_id: str, reason: str = ""
) -> None:
    """Keep an answer other than scores: skipped, flagged for discussion, cannot judge, outside my expertise."""
    with services.database.write() as connection:
        answers.add(
            connection,
            comparison_id,
            person_id=person_id,
            kind=kind,
            reason=reason.strip(),
            new_id=services.new_id,
            at=services.now(),
        )


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


def open_for(services: Services, connection: Connection, standing: Standing, person_id: str) -> Review:
    """The person's review of the comparison, begun if there is none."""
    comparison = standing.comparison
    return reviews.open_review(
        connection,
        comparison.id,
        person_id=person_id,
        mode=standing.project.settings.mode,
        rubric_id=standing.rubric.id if standing.rubric else None,
        judgment_set=standing.chosen.digest if standing.chosen and standing.judgment else None,
        knows=comparison.created_by == person_id,
        new_id=services.new_id,
        at=services.now(),
    )


def _log(services: Services, connection: Connection, kind: str, standing: Standing, person_id: str) -> None:
    events.log(
        connection,
        kind,
        person_id=person_id,
        project_id=standing.project.id,
        subject_id=standing.comparison.id,
        new_id=services.new_id,
        at=services.now(),
    )
