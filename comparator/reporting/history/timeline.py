"""How the outputs for one task scored from iteration to iteration, with the places where scores stop to compare."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.results.breaks import Break, breaks, ground_of
from comparator.reporting.results.candidates import natural
from comparator.reporting.scope import Runs
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.pairs import tasks
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
    project_id = project_of(database, task_id)
    with facts_of(database, project_id) as facts:
        pairs = facts.pairs[facts.pairs.task_id == task_id]
        shown = pairs[pairs.revealed]
        candidate = tables.candidate.c
        query = sa.select(candidate.id, candidate.name, candidate.iteration, candidate.project_id)
        made = {
            row.id: row for row in facts.connection.execute(query.where(candidate.project_id == project_id))
        }
        versions = {
            row.id: row.number
            for row in facts.connection.execute(
                sa.select(tables.task_version.c.id, tables.task_version.c.number).where(
                    tables.task_version.c.task_id == task_id
                )
            )
        }
        sides = pd.concat(
            [shown.assign(made=shown[side], overall=shown[f"overall_{side}"]) for side in ("one", "two")]
        )
        sides = sides.assign(
            name=[made[id].name for id in sides.made],
            iteration=[made[id].iteration or NO_ITERATION for id in sides.made],
            version=sides.version_id.map(versions),
        )
        counted = sides[sides.overall.notna() & sides.winner.notna()]
        if runs is Runs.VALID:
            counted = counted[counted.valid]
        moments = [
            Moment(
                iteration=iteration,
                candidate=name,
                version=int(version),
                overall=(Decimal(int(own.overall.sum())) / len(own))
                .scaleb(-SCORE_PLACES)
                .quantize(Decimal("0.01")),
                n=len(own),
                reviewed=int((own.final_reviews > 0).sum()),
            )
            for (iteration, name, version), own in counted.groupby(["iteration", "name", "version"])
        ]
        moments.sort(key=lambda each: (natural(each.iteration), each.version, each.candidate))
        iterations = tuple(dict.fromkeys(each.iteration for each in moments))
        found = breaks(facts.connection, ground_of(sides, sides.iteration), iterations)
    blind = int((~pairs.revealed).sum())
    return Timeline(moments=tuple(moments), iterations=iterations, breaks=found, blind=blind)


def project_of(database: Database, task_id: str) -> str:
    """The id of the project that the task belongs to. Raises NotFound."""
    with database.read() as connection:
        return tasks.get(connection, task_id).project_id
