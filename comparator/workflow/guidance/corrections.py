"""What people put right in a project, and whom they named before they saw the judge's values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from comparator.domain.guidance import Correction, HeldOutPair
from comparator.domain.labels import Dimension, Order, Winner, most_named
from comparator.domain.scoring.judgment import MergedJudgment, merge
from comparator.domain.scoring.review import Part, Preference, ReviewEntry, Target, Touch, effective, fold
from comparator.domain.scoring.rubric import Criterion
from comparator.domain.scoring.verdict import settle
from comparator.store.reviewing.corrections import ReviewedPair, Rewritten

Unnumbered = dict[str, Any]
"""A correction without its number."""


class TaskCorrections(NamedTuple):
    """The corrections of each task, and the pairs that people judged blind."""

    by_task: dict[str, list[Unnumbered]]
    blind: tuple[HeldOutPair, ...]


def found_in(reviews: Sequence[ReviewedPair], rubrics: Sequence[Rewritten]) -> TaskCorrections:
    """What these reviews and rewritten rubrics say.

    The winner of a pair that several people judged blind is the one that most of them named. Pairs on which they are
    split evenly are left out.
    """
    by_task: dict[str, list[Unnumbered]] = {}
    voices: dict[tuple[str, str], list[Winner]] = defaultdict(list)
    for review in reviews:
        by_task.setdefault(review.task_id, []).extend(_of_review(review))
        winner = blind_winner(review)
        if winner is not None:
            voices[review.comparison_id, review.task_id].append(winner)
    for rewritten in rubrics:
        by_task.setdefault(rewritten.task_id, []).extend(_of_rubric(rewritten))
    blind = tuple(
        HeldOutPair(comparison_id=comparison_id, task_id=task_id, winner=most)
        for (comparison_id, task_id), votes in voices.items()
        if (most := most_named(votes)) is not None
    )
    return TaskCorrections(by_task=by_task, blind=blind)


def blind_winner(review: ReviewedPair) -> Winner | None:
    """Whom the reviewer named before the judge's values opened; None where that gives no verdict.

    The judge's values fill no gaps here, as they do in `store/facts/review_facts.py`: this winner is what the judge
    with guidance and the judge without it are measured by, and it must not rest on what either of them said.
    """
    state = fold(change for change in review.changes if change.blind)
    winner = state.get(str(Target(part=Part.WINNER)))
    if winner is not None and isinstance(winner.value, str):
        return Winner(winner.value)
    preferred = state.get(str(Target(part=Part.PREFERENCE)))
    if preferred is not None and isinstance(preferred.value, str):
        return Preference(preferred.value).winner
    given, _ = effective(review.rubric, len(review.expectations), judge=None, state=state)
    verdict = settle(review.rubric, given)
    return verdict.winner if verdict else None


def _of_review(review: ReviewedPair) -> Iterator[Unnumbered]:
    if {given.order for given in review.passes} != set(Order) or review.passes[0].answer.form:
        # The offline check said nothing that could be corrected.
        return
    judge = merge(review.rubric, review.passes)
    state = fold(review.changes)
    for address, entry in state.items():
        if entry.touch is Touch.CHANGED and (
            changed := _changed(review, judge, Target.parse(address), entry)
        ):
            yield {
                "task": review.task,
                "comparison_id": review.comparison_id,
                "reason": entry.reason.strip() or entry.code,
                **changed,
            }


def _changed(
    review: ReviewedPair, judge: MergedJudgment, target: Target, entry: ReviewEntry
) -> Unnumbered | None:
    """What the reviewer changed; None where it is the judge's own value or no opinion on it."""
    label, key = target.label, target.key or ""
    if target.part is Part.WINNER or target.part is Part.PREFERENCE:
        judged = judge.verdict.winner.value if judge.verdict else "nothing"
        person = str(entry.value)
        if target.part is Part.PREFERENCE:
            person = Preference(person).winner.value
        return (
            None
            if judged == person
            else {"kind": "winner", "about": "the winner", "judge": judged, "person": person}
        )
    if label is None:
        return None
    if target.part is Part.SCORE:
        score = judge.assessments[label].scores.get(key)
        if score is None or entry.value == score:
            return None
        first = review.passes[0].answer.criteria.get(key)
        return {
            "kind": "score",
            "about": key,
            "label": label,
            "judge": _plain(score),
            "person": _plain(entry.value),
            "why_judge": first[label].rationale if first else "",
        }
    if target.part is Part.EXPECTATION and int(key) < len(review.expectations):
        met = judge.assessments[label].expectations[int(key)]
        if met is None or entry.value == met:
            return None
        return {
            "kind": "expectation",
            "about": f"“{review.expectations[int(key)]}”",
            "label": label,
            "judge": "met" if met else "not met",
            "person": "met" if entry.value else "not met",
            "why_judge": review.passes[0].answer.expectations[int(key)][label].evidence,
        }
    return None


def _plain(value: object) -> str:
    """A score without needless places.

    >>> _plain(Decimal("4.0")), _plain(Decimal("3.500000"))
    ('4', '3.5')
    """
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)


def _of_rubric(rewritten: Rewritten) -> Iterator[Unnumbered]:
    for dimension in Dimension:
        before = {line.key: line for line in rewritten.before.of(dimension)}
        after = {line.key: line for line in rewritten.after.of(dimension)}
        for key in dict.fromkeys((*before, *after)):
            was, now = _line(before.get(key)), _line(after.get(key))
            if was != now:
                yield {
                    "kind": "rubric",
                    "task": rewritten.task,
                    "about": f"{dimension.value}.{key} in the rubric",
                    "judge": was,
                    "person": now,
                }


def _line(criterion: Criterion | None) -> str:
    if criterion is None:
        return "nothing"
    anchors = criterion.anchors
    return f"“{criterion.name}: {criterion.description} 1 {anchors.poor} 3 {anchors.acceptable} 5 {anchors.excellent}”"


def numbered(corrections: Sequence[Unnumbered]) -> tuple[Correction, ...]:
    """The corrections with their numbers, from 1."""
    return tuple(Correction(number=number, **each) for number, each in enumerate(corrections, 1))
