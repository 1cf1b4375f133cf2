"""How the outputs for one task scored from iteration to iteration, with the places where scores stop to compare."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.domain.scoring.verdict import VerdictSource
from comparator.reporting.results.breaks import Break, breaks
from comparator.reporting.results.candidates import natural
from comparator.reporting.tally.refresh import current
from comparator.reporting.tally.scope import Runs, whole
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.pairs import tasks
from comparator.store.pairs.runs import RunState
from comparator.store.people import projects
from comparator.store.tables.base import SCORE_PLACES


class Moment(Frozen):
    """The mean overall score (2.0 to 10.0) of one candidate's outputs in one iteration, over `n` verdicts."""

    iteration: str
    candidate: str
    version: int
    """The number of the task's version that was judged."""
    overall: Decimal
    n: int
    reviewed: int
    """How many of the verdicts are people's."""


class Timeline(Frozen):
    """All moments of a task, by iteration and candidate, and the breaks between its iterations.

    `blind` counts the task's comparisons that are left out because they are not revealed yet.
    """

    moments: tuple[Moment, ...]
    iterations: tuple[str, ...]
    breaks: tuple[Break, ...]
    blind: int


NO_ITERATION = "–"


def timeline(database: Database, task_id: str, *, runs: Runs = Runs.VALID) -> Timeline:
    """The task's revealed verdicts by iteration, without those of the offline check.

    Pairs count as they do in results: with a run that is not valid, and as warm-ups, only when asked for.
    """
    with current(database) as connection:
        project = projects.get(connection, tasks.get(connection, task_id).project_id)
        counted = _counted(project.settings.warm_up) if runs is Runs.VALID else ()
        rows = connection.execute(_moments(task_id, *counted)).all()
        blind = connection.execute(_blind(task_id)).scalar_one()
        moments = [
            Moment(
                iteration=row.iteration or NO_ITERATION,
                candidate=row.name,
                version=row.version,
                overall=(Decimal(int(row.total)) / row.n).scaleb(-SCORE_PLACES).quantize(Decimal("0.01")),
                n=row.n,
                reviewed=int(row.reviewed),
            )
            for row in rows
        ]
        moments.sort(key=lambda each: (natural(each.iteration), each.version, each.candidate))
        iterations = tuple(dict.fromkeys(each.iteration for each in moments))
        found = breaks(connection, (tuple(row) for row in connection.execute(_ground(task_id))), iterations)
    return Timeline(moments=tuple(moments), iterations=iterations, breaks=found, blind=blind)


def project_of(database: Database, task_id: str) -> str:
    """The id of the project that the task belongs to. Raises NotFound."""
    with database.read() as connection:
        return tasks.get(connection, task_id).project_id


def _counted(warm_up: Sequence[str]) -> tuple[sa.ColumnElement[bool], ...]:
    rollup, ab_key, run = tables.rollup.c, tables.ab_key.c, tables.run.c
    others = sa.select(run.id).where(
        run.id.in_([ab_key.run_a, ab_key.run_b]), run.state != RunState.VALID.value
    )
    return (~others.exists(), rollup.comparison_id.not_in(warm_up))


def _moments(task_id: str, *counted: sa.ColumnElement[bool]) -> sa.Select[Any]:
    rollup, ab_key, reveal_comparison = tables.rollup.c, tables.ab_key.c, tables.reveal_comparison.c
    sources = [each.value for each in VerdictSource if each is not VerdictSource.OFFLINE]

    def side(run_id: sa.ColumnElement[str], overall: sa.ColumnElement[Any]) -> sa.Select[Any]:
        run, candidate, version = tables.run.alias(), tables.candidate.alias(), tables.task_version.alias()
        return (
            sa.select(
                candidate.c.name,
                candidate.c.iteration,
                version.c.number.label("version"),
                whole(overall).label("overall"),
                sa.case((rollup.final_reviews > 0, 1), else_=0).label("reviewed"),
            )
            .select_from(
                tables.rollup.join(
                    tables.reveal_comparison, reveal_comparison.comparison_id == rollup.comparison_id
                )
                .join(tables.ab_key, ab_key.comparison_id == rollup.comparison_id)
                .join(run, run.c.id == run_id)
                .join(candidate, candidate.c.id == run.c.candidate_id)
                .join(version, version.c.id == run.c.task_version_id)
            )
            .where(
                version.c.task_id == task_id,
                overall.is_not(None),
                rollup.verdict_source.in_(sources),
                *counted,
            )
        )

    both = sa.union_all(side(ab_key.run_a, rollup.overall_a), side(ab_key.run_b, rollup.overall_b)).subquery()
    b = both.c
    return sa.select(
        b.name,
        b.iteration,
        b.version,
        sa.func.sum(b.overall).label("total"),
        sa.func.count().label("n"),
        sa.func.sum(b.reviewed).label("reviewed"),
    ).group_by(b.name, b.iteration, b.version)


def _ground(task_id: str) -> sa.Select[Any]:
    """What the task's revealed pairs rest on; each stands at the iterations of both its candidates."""
    outcome, comparison, task_version = tables.outcome.c, tables.comparison.c, tables.task_version.c
    ab_key, run, candidate = tables.ab_key.c, tables.run.c, tables.candidate.c
    return (
        sa.select(
            sa.func.coalesce(sa.func.nullif(candidate.iteration, ""), NO_ITERATION),
            outcome.task_id,
            outcome.version_id,
            outcome.rubric_id,
            outcome.judge,
            outcome.judge_digest,
            outcome.comparison_id,
        )
        .select_from(
            tables.task_version.join(tables.comparison, comparison.task_version_id == task_version.id)
            .join(tables.outcome, outcome.comparison_id == comparison.id)
            .join(tables.ab_key, ab_key.comparison_id == comparison.id)
            .join(tables.run, run.id.in_([ab_key.run_a, ab_key.run_b]))
            .join(tables.candidate, candidate.id == run.candidate_id)
        )
        .where(task_version.task_id == task_id, outcome.revealed == sa.true())
    )


def _blind(task_id: str) -> sa.Select[Any]:
    comparison, task_version, reveal_comparison = (
        tables.comparison.c,
        tables.task_version.c,
        tables.reveal_comparison.c,
    )
    return (
        sa.select(sa.func.count())
        .select_from(
            tables.comparison.join(
                tables.task_version, task_version.id == comparison.task_version_id
            ).outerjoin(tables.reveal_comparison, reveal_comparison.comparison_id == comparison.id)
        )
        .where(task_version.task_id == task_id, reveal_comparison.comparison_id.is_(None))
    )
