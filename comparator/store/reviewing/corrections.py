"""What reviewers changed of what the judge said: guidance is drafted from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, false, func, select

from comparator.domain.labels import Frozen, Order, Winner
from comparator.domain.scoring.judgment import MergedJudgment, Pass, merge
from comparator.domain.scoring.review import Blindness, Change, Part, Preference, Target, Touch, fold
from comparator.store import tables
from comparator.store.core.sql import among
from comparator.store.judging import rubrics
from comparator.store.judging.passes import successful_of
from comparator.store.reviewing import finalisations
from comparator.store.reviewing.reviews import change_of


class Correction(Frozen):
    """One value of the judge's that a reviewer changed."""

    task_id: str
    task: str
    said: str
    """Both values, with the reviewer's reason and the judge's."""


def of_project(connection: Connection, project_id: str) -> tuple[Correction, ...]:
    """The corrections in final reviews of people who could not know the candidates, the oldest review first."""
    review, finalisation, comparison, task_version, change = (
        tables.review.c,
        tables.finalisation.c,
        tables.comparison.c,
        tables.task_version.c,
        tables.change.c,
    )
    query = (
        select(
            *(review.id, review.rubric_id, review.judgment_set, finalisation.last_change),
            *(task_version.task_id, comparison.title, comparison.expectations),
        )
        .join_from(tables.review, tables.finalisation, finalisation.review_id == review.id)
        .join(tables.comparison, comparison.id == review.comparison_id)
        .join(tables.task_version, task_version.id == comparison.task_version_id)
        .where(
            comparison.project_id == project_id,
            finalisations.not_reopened(),
            review.rubric_id.is_not(None),
            review.judgment_set.is_not(None),
            review.blindness == Blindness.BLIND,
            finalisation.unblinded == false(),
            func.coalesce(comparison.may_reveal, false()) == false(),
        )
        .order_by(finalisation.at, review.id)
    )
    rows = {row.id: row for row in connection.execute(query)}
    changes: dict[str, list[Change]] = defaultdict(list)
    of_reviews = select(tables.change).where(change.review_id.in_(among(connection, list(rows))))
    for each in connection.execute(of_reviews.order_by(change.review_id, change.seq)):
        if each.seq <= rows[each.review_id].last_change:
            changes[each.review_id].append(change_of(each))
    passes = successful_of(connection, {row.judgment_set for row in rows.values()})
    known = {id: rubrics.get(connection, id).rubric for id in {row.rubric_id for row in rows.values()}}
    found: list[Correction] = []
    for id, row in rows.items():
        read = tuple(passes[row.judgment_set])
        # The offline check said nothing that could be corrected.
        if {each.order for each in read} == set(Order) and not read[0].answer.form:
            judge = merge(known[row.rubric_id], read)
            found += (
                Correction(task_id=row.task_id, task=row.title, said=said)
                for said in _said(row, judge, read, changes[id])
            )
    return tuple(found)


def _said(row: Any, judge: MergedJudgment, read: Sequence[Pass], changes: Sequence[Change]) -> Iterator[str]:
    for address, entry in fold(changes).items():
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
