"""A review made elsewhere: the comparison.json that a person corrected becomes their review here."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.domain.errors import ReviewError
from comparator.domain.labels import Dimension, Label
from comparator.domain.scoring.result import OVERALL, ComparisonResult
from comparator.domain.scoring.review import UNTOUCHED, Change, ChangeKind, Part, Target, Value
from comparator.domain.scoring.rubric import FORM, path_of
from comparator.store.pairs import tasks
from comparator.store.pairs.comparisons import Comparison
from comparator.workflow.review.current_verdict import current_verdict, judged_value
from comparator.workflow.review.review import record
from comparator.workflow.review.review_state import review_state
from comparator.workflow.services import Services


def take_over(services: Services, comparison_id: str, result: ComparisonResult, *, reason: str) -> int:
    """Store what the file says as the person's review; how many values that changed. The review stays open.

    Values that equal the judge's are confirmed, since the file states them; the same file again changes nothing.
    `reason` is stored with each value that differs from the judge's. Raises ReviewError where the file names another
    criterion or expectation than the comparison has.
    """
    with services.read() as unit:
        state = review_state(unit, comparison_id)
        handed_in = tasks.get_version(unit.connection, state.comparison.task_version_id).expectations
    added = 0

    def store(given: dict[str, Value]) -> None:
        nonlocal state, added
        changes: list[Change] = []
        for address, value in given.items():
            target, entry = Target.parse(address), state.touched.get(address, UNTOUCHED)
            if entry.touch.is_opinion and entry.value == value:
                continue
            changes.append(
                Change(
                    id=services.new_id(),
                    target=target,
                    kind=ChangeKind.SET,
                    value=value,
                    reason="" if value == judged_value(state.judgment, target) else reason,
                    author=services.person,
                    # `record` sets the time under which it is stored.
                    at=services.now(),
                )
            )
        if changes:
            state = record(services, comparison_id, changes)
            added += len(changes)

    store(dict(_values(state.comparison, handed_in, result)))
    verdict = current_verdict(state).verdict
    if verdict is None or verdict.winner != result.winner:
        store({str(Part.WINNER): result.winner.value})
    # Last, so that it is written for the winner that holds, and exported as it is.
    store({str(Part.REASONING): result.reasoning})
    return added


def _values(
    comparison: Comparison, handed_in: tuple[str, ...], result: ComparisonResult
) -> Iterator[tuple[str, Value]]:
    """The file's values by address, as a review names them; `handed_in` are the expectations in their first words."""
    # A file that was exported after the reveal has these; an earlier one, and the sheet, have the blinded ones.
    number = {text: n for texts in (comparison.expectations, handed_in) for n, text in enumerate(texts)}
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
