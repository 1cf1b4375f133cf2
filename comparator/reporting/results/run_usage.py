"""What the candidates' own runs took: tokens and seconds."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.results.candidates import names
from comparator.reporting.tally.refresh import current, task_versions
from comparator.reporting.tally.scope import ResultFilter, Runs, merged, require_revealed
from comparator.store import tables
from comparator.store.core.database import Database


class RunUsage(Frozen):
    """What a candidate's own runs took on average, over the runs that say so."""

    id: str
    name: str
    runs: int
    tokens: float | None
    with_tokens: int
    seconds: float | None
    with_seconds: int


def run_usage(database: Database, asked: ResultFilter) -> tuple[RunUsage, ...]:
    """The tokens and seconds of the two candidates' own runs, a row for each iteration; of a part, of runs for its
    tasks.

    Raises BlindnessError before the reveal.
    """
    run, candidate = tables.run.c, tables.candidate.alias("candidate")
    tokens = sa.func.coalesce(run.total_tokens, run.input_tokens + run.output_tokens)
    id = merged(candidate)
    every = tuple(dict.fromkeys(each for met in asked.meetings for each in met))
    query = (
        sa.select(
            id.label("id"),
            sa.func.count().label("runs"),
            sa.func.avg(tokens).label("tokens"),
            sa.func.count(tokens).label("with_tokens"),
            sa.func.avg(run.seconds).label("seconds"),
            sa.func.count(run.seconds).label("with_seconds"),
        )
        .join_from(tables.run, candidate, candidate.c.id == run.candidate_id)
        .where(
            *([run.state == "valid"] if asked.runs is Runs.VALID else ()),
            sa.or_(candidate.c.id.in_(every), candidate.c.merged_into.in_(every)),
            *(
                [run.task_version_id.in_(task_versions(asked.project_id, within=asked.within))]
                if asked.within
                else ()
            ),
        )
        .group_by(id)
    )
    with current(database) as connection:
        require_revealed(connection, asked)
        rows = {row.id: row for row in connection.execute(query)}
        called = names(connection, asked.project_id, rows, revealed=rows)
    return tuple(
        RunUsage(
            id=id,
            name=called[id].name,
            runs=rows[id].runs,
            tokens=None if rows[id].tokens is None else float(rows[id].tokens),
            with_tokens=rows[id].with_tokens,
            seconds=None if rows[id].seconds is None else float(rows[id].seconds),
            with_seconds=rows[id].with_seconds,
        )
        for id in every
        if id in rows
    )


def pooled_usage(found: Sequence[RunUsage], name: str) -> RunUsage:
    """All of these as one candidate of this name; each weighs by its runs that say so."""
    with_tokens = sum(each.with_tokens for each in found)
    with_seconds = sum(each.with_seconds for each in found)
    tokens = sum((each.tokens or 0.0) * each.with_tokens for each in found)
    seconds = sum((each.seconds or 0.0) * each.with_seconds for each in found)
    return RunUsage(
        id=found[0].id,
        name=name,
        runs=sum(each.runs for each in found),
        tokens=tokens / with_tokens if with_tokens else None,
        with_tokens=with_tokens,
        seconds=seconds / with_seconds if with_seconds else None,
        with_seconds=with_seconds,
    )
