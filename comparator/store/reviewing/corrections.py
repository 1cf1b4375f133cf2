"""What people said of judged pairs, read together for guidance: finished reviews, and rubrics that they rewrote."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.review import Change
from comparator.domain.scoring.rubric import Rubric
from comparator.store import tables
from comparator.store.core.sql import among
from comparator.store.judging import rubrics
from comparator.store.judging.passes import successful_of
from comparator.store.people import projects
from comparator.store.reviewing.reviews import change_of

_c, _r, _f, _t, _v, _s, _k, _u = (
    tables.comparison.c,
    tables.review.c,
    tables.finalisation.c,
    tables.task.c,
    tables.task_version.c,
    tables.rollup.c,
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
    later = tables.finalisation.alias("later")
    newest = ~sa.exists().where(later.c.review_id == _f.review_id, later.c.seq > _f.seq)
    query = (
        sa.select(
            _r.id, _r.comparison_id, _r.rubric_id, _r.judgment_set, _f.last_change,
            _t.id.label("task_id"), _c.title, _c.expectations,
        )
        .select_from(
            tables.review.join(tables.finalisation, _f.review_id == _r.id)
            .join(tables.comparison, _c.id == _r.comparison_id)
            .join(tables.rollup, _s.comparison_id == _c.id)
            .join(tables.task_version, _v.id == _c.task_version_id)
            .join(tables.task, _t.id == _v.task_id)
        )
        .where(
            _c.project_id == project_id,
            _f.kind == "final",
            newest,
            _r.rubric_id.is_not(None),
            _r.knows == sa.false(),
            _f.unblinded == sa.false(),
            sa.func.coalesce(_c.may_be_told, sa.false()) == sa.false(),
            sa.func.coalesce(_s.state_a, "valid") == "valid",
            sa.func.coalesce(_s.state_b, "valid") == "valid",
            _s.superseded.is_(None),
        )
        .order_by(_f.at, _r.id)
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
    title = sa.select(sa.func.min(_c.title)).where(_c.task_version_id == _v.id).scalar_subquery()
    query = (
        sa.select(
            _u.id,
            _u.task_version_id,
            _u.author_kind,
            _t.id.label("task_id"),
            sa.func.coalesce(title, "").label("title"),
        )
        .join_from(tables.rubric, tables.task_version, _v.id == _u.task_version_id)
        .join(tables.task, _t.id == _v.task_id)
        .where(_u.project_id == project_id)
        .order_by(_u.task_version_id, _u.number)
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
        .where(_k.review_id.in_(among(connection, list(covered))))
        .order_by(_k.review_id, _k.seq)
    )
    found: dict[str, list[Change]] = defaultdict(list)
    for row in connection.execute(query):
        if row.seq <= covered[row.review_id] and not row.unblinded:
            found[row.review_id].append(change_of(row))
    return found
