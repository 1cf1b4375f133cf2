"""What reviewers changed of what the judge said: guidance is drafted from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import false, func, select

from comparator.domain.labels import Frozen, Order, Winner
from comparator.domain.scoring.judgment import Pass, merge
from comparator.domain.scoring.review import Blindness, Part, Preference, Target, Touch, fold
from comparator.store import tables
from comparator.store.core.sql import Connection
from comparator.store.judging import rubrics
from comparator.store.judging.judgments import successful
from comparator.store.reviewing import reviews


class Correction(Frozen):
    """One value of the judge's that a reviewer changed."""

    task_id: str
    task: str
    said: str
    """Both values, with the reviewer's reason and the judge's."""


_review, _final, _comparison, _version = (
    tables.review.c,
    tables.finalisation.c,
    tables.comparison.c,
    tables.task_version.c,
)


def of_project(connection: Connection, project_id: str) -> tuple[Correction, ...]:
    """The corrections in final reviews of people who could not know the candidates, the oldest review first."""
    query = (
        select(
            *(_review.id, _review.rubric_id, _review.judgment_set, _final.last_change),
            *(_version.task_id, _comparison.title, _comparison.expectations),
        )
        .join_from(tables.review, tables.finalisation, _final.review_id == _review.id)
        .join(tables.comparison, _comparison.id == _review.comparison_id)
        .join(tables.task_version, _version.id == _comparison.task_version_id)
        .where(
            _comparison.project_id == project_id,
            reviews.not_reopened(),
            _review.rubric_id.is_not(None),
            _review.judgment_set.is_not(None),
            _review.blindness == Blindness.BLIND,
            _final.unblinded == false(),
            func.coalesce(_comparison.may_reveal, false()) == false(),
        )
    )
    return tuple(
        Correction(task_id=row.task_id, task=row.title, said=said)
        for row in connection.execute(query.order_by(_final.at, _review.id)).all()
        for said in _said(connection, row, successful(connection, row.judgment_set))
    )


def _said(connection: Connection, row: Any, read: Sequence[Pass]) -> Iterator[str]:
    # The offline check said nothing that could be corrected.
    if {each.order for each in read} != set(Order) or read[0].answer.form:
        return
    judge = merge(rubrics.get(connection, row.rubric_id).rubric, tuple(read))
    for address, entry in fold(reviews.changes(connection, row.id)[: row.last_change]).items():
        target = Target.parse(address)
        label, key = target.label, target.key or ""
        why, person = "", entry.value
        judged: object
        if target.part in (Part.WINNER, Part.PREFERENCE) and isinstance(person, str):
            about = "the winner"
            judged = judge.verdict.winner if judge.verdict else None
            person = Winner(person) if target.part is Part.WINNER else Preference(person).winner
        elif label is not None and target.part is Part.SCORE:
            about, judged = f"{key} of output {label.value}", judge.assessments[label].scores.get(key)
            if criterion := read[0].answer.criteria.get(key):
                why = f" The judge's rationale: {criterion[label].rationale}"
        elif label is not None and target.part is Part.EXPECTATION and int(key) < len(row.expectations):
            about = f"“{row.expectations[int(key)]}” of output {label.value}"
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
