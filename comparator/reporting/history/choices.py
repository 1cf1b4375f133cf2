"""What the history's filters can be set to: only values that occur, and candidates only after the reveal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.reporting.results.candidates import natural
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import naturally
from comparator.store.facts import fact
from comparator.store.pairs.reveals import in_revealed_pairs

Projects = frozenset[str] | None
"""Ids of projects; None for all of them."""
MOST = 500
MOST_NAMES = 20
"""At most so many values of a kind are offered; the free text finds the rest."""


Names = dict[str, str]
"""Values to filter by, with what each is called."""


class Choices(NamedTuple):
    """The values that occur in some projects."""

    by: dict[str, Names]
    """By the field of `HistoryFilter`."""
    winners: tuple[str, ...]
    """The names of revealed candidates, whatever their iteration."""
    blind: bool
    """Whether something is not revealed yet, so that its outputs are A and B."""


def choices(database: Database, among: Projects) -> Choices:
    """What can be chosen among these projects."""
    task, output_check = tables.task.c, tables.output_check.c
    of_tasks = (
        sa.select(task.id, task.title, task.key, task.tags)
        .order_by(*naturally(task.title), task.key)
        .limit(MOST)
    )
    of_checks = (
        sa.select(output_check.id, output_check.name).order_by(sa.func.lower(output_check.name)).limit(MOST)
    )
    with database.read() as connection:
        tasks = connection.execute(_within(of_tasks, task.project_id, among)).all()
        checks = connection.execute(_within(of_checks, output_check.project_id, among)).all()
        models = {each.judge_model for each in fact.counted(connection, among=among) if each.number}
        revealed = _revealed_candidates(connection, among)
        return Choices(
            {
                "task_id": _by_name((row.id, row.title or row.key, row.key) for row in tasks),
                "tag": _themselves({tag for row in tasks for tag in row.tags}),
                "judge_model": _themselves(filter(None, models)),
                "reviewer_id": _reviewers(connection, among),
                "candidate_id": _by_name(
                    (row.id, ", ".join(filter(None, (row.name, row.iteration, row.model))), row.id[:6])
                    for row in revealed
                ),
                "iterations": _themselves({row.iteration for row in revealed if row.iteration}),
                "check_id": _distinct((row.id, row.name, row.id[:6]) for row in checks),
            },
            winners=tuple(_themselves({row.name for row in revealed}))[:MOST_NAMES],
            blind=not revealed or _blind(connection, among),
        )


def _blind(connection: Connection, among: Projects) -> bool:
    """Whether a pair is not revealed."""
    comparison = tables.comparison.c
    query = (
        sa.select(comparison.id)
        .join(tables.run_pair, tables.run_pair.c.comparison_id == comparison.id)
        .where(comparison.reveal_id.is_(None))
        .limit(1)
    )
    return connection.execute(_within(query, comparison.project_id, among)).first() is not None


def _distinct(found: Iterable[tuple[str, str, str]]) -> Names:
    """Values with their names, and with what tells them apart where two have the same name."""
    every = tuple(found)
    names = Counter(name for _, name, _ in every)
    return {value: name if names[name] == 1 else f"{name} ({more})" for value, name, more in every}


def _by_name(found: Iterable[tuple[str, str, str]]) -> Names:
    ordered = sorted(_distinct(found).items(), key=lambda each: natural(each[1].lower()))
    return dict(ordered[:MOST])


def _themselves(values: Iterable[str]) -> Names:
    """Values that are their own names, in order."""
    return {value: value for value in sorted(values, key=natural)[:MOST]}


def _within(query: sa.Select[Any], column: sa.ColumnElement[str], among: Projects) -> sa.Select[Any]:
    return query if among is None else query.where(column.in_(sorted(among)))


def _reviewers(connection: Connection, among: Projects) -> Names:
    person, review, comparison = tables.person.c, tables.review.c, tables.comparison.c
    # Of each person one review is enough: asked for as a value, as PostgreSQL joins all of them for an EXISTS.
    reviews = sa.select(review.id).join_from(
        tables.review, tables.comparison, comparison.id == review.comparison_id
    )
    reviews = _within(reviews.where(review.person_id == person.id), comparison.project_id, among)
    rows = connection.execute(
        sa.select(person.id, person.name)
        .where(reviews.correlate(tables.person).limit(1).scalar_subquery().is_not(None))
        .order_by(person.name)
    )
    return _distinct((row.id, row.name, row.id[:6]) for row in rows)


def _revealed_candidates(connection: Connection, among: Projects) -> Sequence[sa.Row[Any]]:
    candidate = tables.candidate.c
    revealed = sa.exists().where(tables.reveal.c.project_id == candidate.project_id)
    query = sa.select(candidate.id, candidate.name, candidate.iteration, candidate.model).where(
        candidate.merged_into.is_(None), revealed, in_revealed_pairs()
    )
    rows: Sequence[sa.Row[Any]] = connection.execute(_within(query, candidate.project_id, among)).all()
    return rows
