"""What the history's filters can be set to: only values that occur, and candidates only after the reveal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.database import Connection, Database

MOST = 500
"""At most so many values of a kind are offered; the free text finds the rest."""


class Choice(Frozen):
    """A value to filter by, and what it is called."""

    value: str
    name: str


class Choices(Frozen):
    """The values that occur in a project (or in all of them)."""

    tasks: tuple[Choice, ...]
    tags: tuple[str, ...]
    judge_models: tuple[str, ...]
    reviewers: tuple[Choice, ...]
    rubrics: tuple[Choice, ...]
    candidates: tuple[Choice, ...]
    iterations: tuple[str, ...]


def choices(database: Database, project_id: str | None, *, task_id: str | None = None) -> Choices:
    """What can be chosen. `rubrics` are the shared ones of the project and those of the task, if one is named."""
    t = tables.task.c
    with database.read() as connection:
        of_tasks = sa.select(t.id, t.title, t.key, t.tags).order_by(t.title, t.key).limit(MOST)
        tasks = connection.execute(_within(of_tasks, t.project_id, project_id)).all()
        return Choices(
            tasks=_told_apart((row.id, row.title or row.key, row.key) for row in tasks),
            tags=tuple(sorted({tag for row in tasks for tag in row.tags}))[:MOST],
            judge_models=_judge_models(connection, project_id),
            reviewers=_reviewers(connection, project_id),
            rubrics=_rubrics(connection, project_id, task_id),
            candidates=_candidates(connection, project_id),
            iterations=_iterations(connection, project_id),
        )


def _told_apart(found: Iterable[tuple[str, str, str]]) -> tuple[Choice, ...]:
    """Values with their names, and with what tells them apart where two have the same name."""
    every = tuple(found)
    names = Counter(name for _, name, _ in every)
    return tuple(
        Choice(value=value, name=name if names[name] == 1 else f"{name} ({more})")
        for value, name, more in every
    )


def _within(query: sa.Select[Any], column: sa.ColumnElement[str], project_id: str | None) -> sa.Select[Any]:
    return query if project_id is None else query.where(column == project_id)


def _judge_models(connection: Connection, project_id: str | None) -> tuple[str, ...]:
    s = tables.standing.c
    query = sa.select(s.judge_model).where(s.judge_model.is_not(None)).distinct().order_by(s.judge_model)
    return tuple(connection.execute(_within(query, s.project_id, project_id)).scalars())


def _reviewers(connection: Connection, project_id: str | None) -> tuple[Choice, ...]:
    p, r, c = tables.person.c, tables.review.c, tables.comparison.c
    query = (
        sa.select(p.id, p.name)
        .select_from(
            tables.review.join(tables.person, p.id == r.person_id).join(
                tables.comparison, c.id == r.comparison_id
            )
        )
        .distinct()
        .order_by(p.name)
    )
    rows = connection.execute(_within(query, c.project_id, project_id))
    return _told_apart((row.id, row.name, row.id[:6]) for row in rows)


def _rubrics(connection: Connection, project_id: str | None, task_id: str | None) -> tuple[Choice, ...]:
    r, v = tables.rubric.c, tables.task_version.c
    if project_id is None and task_id is None:
        return ()
    shared = sa.and_(r.project_id == project_id, r.task_version_id.is_(None))
    of_task = r.task_version_id.in_(sa.select(v.id).where(v.task_id == task_id))
    query = (
        sa.select(r.id, r.number, r.author, r.task_version_id, v.number.label("version"))
        .select_from(tables.rubric.outerjoin(tables.task_version, v.id == r.task_version_id))
        .where(sa.or_(shared, of_task))
        .order_by(v.number.nulls_first(), r.number)
    )
    return tuple(
        Choice(
            value=row.id,
            name=f"project rubric {row.number} by {row.author}"
            if row.task_version_id is None
            else f"rubric {row.number} by {row.author}, task version {row.version}",
        )
        for row in connection.execute(query)
    )


def _revealed_candidates(project_id: str | None) -> sa.Select[Any]:
    c, r, p, known = tables.candidate.c, tables.run.c, tables.pair.c, tables.reveal_comparison.c
    query = sa.select(c.id, c.name, c.iteration, c.model).where(
        c.merged_into.is_(None),
        sa.or_(
            *(
                c.id.in_(
                    sa.select(r.candidate_id).select_from(
                        tables.reveal_comparison.join(
                            tables.pair, p.comparison_id == known.comparison_id
                        ).join(tables.run, r.id == column)
                    )
                )
                for column in (p.run_low, p.run_high)
            )
        ),
    )
    return _within(query, c.project_id, project_id)


def _candidates(connection: Connection, project_id: str | None) -> tuple[Choice, ...]:
    rows = connection.execute(_revealed_candidates(project_id)).all()
    named = _told_apart(
        (row.id, ", ".join(part for part in (row.name, row.iteration, row.model) if part), row.id[:6])
        for row in rows
    )
    return tuple(sorted(named, key=lambda choice: choice.name))[:MOST]


def _iterations(connection: Connection, project_id: str | None) -> tuple[str, ...]:
    rows = connection.execute(_revealed_candidates(project_id)).all()
    return tuple(sorted({row.iteration for row in rows if row.iteration}, key=_by_number))


def _by_number(iteration: str) -> tuple[int, str]:
    digits = "".join(sign for sign in iteration if sign.isdigit())
    return (int(digits) if digits else -1, iteration)
