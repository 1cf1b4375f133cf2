"""A review made elsewhere: the comparison.json that a person corrected becomes their review here."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Dimension, Label
from comparator.domain.scoring.result import OVERALL, ComparisonResult
from comparator.domain.scoring.review import UNTOUCHED, Change, ChangeKind, Part, Target, Value
from comparator.domain.scoring.rubric import FORM, path_of
from comparator.store.pairs import tasks
from comparator.workflow.review import review
from comparator.workflow.review.current_verdict import current_verdict, judged_value
from comparator.workflow.review.review_state import ReviewState, review_state
from comparator.workflow.services import Services


def take_over(
    services: Services, comparison_id: str, result: ComparisonResult, *, person_id: str, reason: str
) -> int:
    """Store what the file says as the person's review; how many values that changed. The review stays open.

    Values that equal the judge's are confirmed, since the file states them; the same file again changes nothing.
    `reason` is stored with each value that differs from the judge's. Raises ReviewError where the file names another
    criterion or expectation than the comparison has.
    """
    given = dict(_values(services, comparison_id, result, person_id=person_id))
    added = _store(services, comparison_id, given, person_id=person_id, reason=reason)
    now = current_verdict(_state(services, comparison_id, person_id=person_id))
    if now.verdict is None or now.verdict.winner != result.winner:
        winner: dict[str, Value] = {str(Part.WINNER): result.winner.value}
        added += _store(services, comparison_id, winner, person_id=person_id, reason=reason)
    # Last, so that it is written for the winner that holds, and exported as it is.
    words: dict[str, Value] = {str(Part.REASONING): result.reasoning}
    return added + _store(services, comparison_id, words, person_id=person_id, reason=reason)


def _values(
    services: Services, comparison_id: str, result: ComparisonResult, *, person_id: str
) -> Iterator[tuple[str, Value]]:
    """The file's values by address, as a review names them."""
    comparison = _state(services, comparison_id, person_id=person_id).comparison
    with services.database.read() as connection:
        exported = tasks.get_version(connection, comparison.task_version_id).expectations
    # The file has them as they were handed in; the sheet, from which somebody may copy, as they were blinded.
    number = {text: n for texts in (comparison.expectations, exported) for n, text in enumerate(texts)}
    for label in Label:
        scores, quality = result.rubric[label], result.output_quality[label]
        for dimension in Dimension:
            for name, score in getattr(scores, dimension.value).items():
                path = path_of(dimension, name)
                # The offline check's rows, and numbers that only a file needed, are no criteria of the pair.
                if path not in (*FORM.paths, *OVERALL.paths):
                    yield f"{Part.SCORE}:{label.value}:{path}", score
        yield f"{Part.STRENGTHS}:{label.value}", quality.strengths
        yield f"{Part.WEAKNESSES}:{label.value}", quality.weaknesses
        for detail in result.expectation_results[label].details if result.expectation_results else ():
            if detail.text not in number:
                raise ReviewError(
                    f"The task has no expectation {detail.text[:80]!r}. Is the file another pair's?"
                )
            yield f"{Part.EXPECTATION}:{label.value}:{number[detail.text]}", detail.passed


def _store(
    services: Services, comparison_id: str, given: dict[str, Value], *, person_id: str, reason: str
) -> int:
    # `record` sets the time under which they are stored.
    state, now = _state(services, comparison_id, person_id=person_id), services.now()
    changes = tuple(
        Change(
            id=services.new_id(),
            target=Target.parse(address),
            kind=ChangeKind.SET,
            value=value,
            reason="" if value == judged_value(state.judgment, Target.parse(address)) else reason,
            author=person_id,
            at=now,
        )
        for address, value in given.items()
        if not _holds(state, address, value)
    )
    if changes:
        review.record(services, comparison_id, changes, person_id=person_id)
    return len(changes)


def _holds(state: ReviewState, address: str, value: Value) -> bool:
    entry = state.touched.get(address, UNTOUCHED)
    return entry.touch.is_opinion and entry.value == value


def _state(services: Services, comparison_id: str, *, person_id: str) -> ReviewState:
    with services.read() as unit:
        return review_state(unit, comparison_id, person_id=person_id)
