"""What people said of judged pairs, read together for guidance: finished reviews, and rubrics that they rewrote."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.review import Blindness, Change
from comparator.domain.scoring.rubric import Rubric
from comparator.store import tables
from comparator.store.core.sql import among
from comparator.store.judging import rubrics
from comparator.store.judging.passes import successful_of
from comparator.store.people import projects
from comparator.store.reviewing import finalisations
from comparator.store.reviewing.reviews import change_of

_comparison, _review, _finalisation, _task, _task_version, _fact, _change, _rubric = (
    tables.comparison.c,
    tables.review.c,
    tables.finalisation.c,
    tables.task.c,
    tables.task_version.c,
    tables.fact.c,
    tables.change.c,
    tables.rubric.c,
)


class ReviewedPair(Frozen):
    """A final review by somebody who could not know which candidate was which, and what they had from the judge."""

    review_id: str
    comparison_id: str
    task_id: str
    task: str
    expectations: tuple[str, ...]
    rubric: Rubric
    changes: tuple[Change, ...]
    passes: tuple[Pass, ...]
    """Empty where the reviewer had no judgment beside the review."""


class Rewritten(Frozen):
    """A rubric that a person rewrote: as it was before, and as they left it."""

    task_id: str
    task: str
    before: Rubric
    after: Rubric


def reviewed(connection: sa.Connection, project_id: str) -> tuple[ReviewedPair, ...]:
    """All such reviews of a project, the oldest first.

    Left out are those of pairs that may be told, of runs that do not count, and of warm-up pairs.
    """
    query = (
        sa.select(
            _review.id, _review.comparison_id, _review.rubric_id, _review.judgment_set, _finalisation.last_change,
            _task.id.label("task_id"), _comparison.title, _comparison.expectations,
        )
        .select_from(
            tables.review.join(tables.finalisation, _finalisation.review_id == _review.id)
            .join(tables.comparison, _comparison.id == _review.comparison_id)
            .join(tables.fact, _fact.comparison_id == _comparison.id)
            .join(tables.task_version, _task_version.id == _comparison.task_version_id)
            .join(tables.task, _task.id == _task_version.task_id)
        )
        .where(
            _comparison.project_id == project_id,
            finalisations.not_reopened(),
            _review.rubric_id.is_not(None),
            _review.blindness == Blindness.BLIND,
            _finalisation.unblinded == sa.false(),
            sa.func.coalesce(_comparison.may_reveal, sa.false()) == sa.false(),
            sa.func.coalesce(_fact.state_a, "valid") == "valid",
            sa.func.coalesce(_fact.state_b, "valid") == "valid",
            _fact.superseded.is_(None),
        )
        .order_by(_finalisation.at, _review.id)
    )  # fmt: skip
    warm_up = set(projects.get(connection, project_id).settings.warm_up)
    rows = [row for row in connection.execute(query) if row.comparison_id not in warm_up]
    changes = _changes(connection, {row.id: row.last_change for row in rows})
    passes = successful_of(connection, sorted({row.judgment_set for row in rows if row.judgment_set}))
    known = {id: rubrics.get(connection, id).rubric for id in {row.rubric_id for row in rows}}
    return tuple(
        ReviewedPair(
            review_id=row.id,
            comparison_id=row.comparison_id,
            task_id=row.task_id,
            task=row.title,
            expectations=tuple(row.expectations),
            rubric=known[row.rubric_id],
            changes=tuple(changes[row.id]),
            passes=tuple(passes[row.judgment_set]) if row.judgment_set else (),
        )
        for row in rows
    )


def rewritten(connection: sa.Connection, project_id: str) -> tuple[Rewritten, ...]:
    """The rubrics of task versions that a person rewrote after a judge, or somebody else, had written one."""
    # As reviewers see it: the task's own title may name somebody.
    title = (
        sa.select(sa.func.min(_comparison.title))
        .where(_comparison.task_version_id == _task_version.id)
        .scalar_subquery()
    )
    query = (
        sa.select(
            _rubric.id,
            _rubric.task_version_id,
            _rubric.author_kind,
            _task.id.label("task_id"),
            sa.func.coalesce(title, "").label("title"),
        )
        .join_from(tables.rubric, tables.task_version, _task_version.id == _rubric.task_version_id)
        .join(tables.task, _task.id == _task_version.task_id)
        .where(_rubric.project_id == project_id)
        .order_by(_rubric.task_version_id, _rubric.number)
    )
    return tuple(
        Rewritten(
            task_id=after.task_id,
            task=after.title,
            before=rubrics.get(connection, before.id).rubric,
            after=rubrics.get(connection, after.id).rubric,
        )
        for before, after in pairwise(connection.execute(query).all())
        if before.task_version_id == after.task_version_id and after.author_kind == "person"
    )


def _changes(connection: sa.Connection, covered: dict[str, int]) -> dict[str, list[Change]]:
    query = (
        sa.select(tables.change)
        .where(_change.review_id.in_(among(connection, list(covered))))
        .order_by(_change.review_id, _change.seq)
    )
    found: dict[str, list[Change]] = defaultdict(list)
    for row in connection.execute(query):
        if row.seq <= covered[row.review_id] and not row.unblinded:
            found[row.review_id].append(change_of(row))
    return found
