"""What the candidates' own runs took: tokens and seconds."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.facts import facts_of
from comparator.reporting.frames import Frame, frame_of, merged
from comparator.reporting.results.candidates import names
from comparator.reporting.scope import ResultFilter, Runs
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
        sa.select(id.label("id"), run.task_version_id, tokens.label("tokens"), run.seconds)
        .join_from(tables.run, candidate, candidate.c.id == run.candidate_id)
        .where(
            *([run.state == "valid"] if asked.runs is Runs.VALID else ()),
            sa.or_(candidate.c.id.in_(every), candidate.c.merged_into.in_(every)),
        )
    )
    with facts_of(database, asked.project_id) as facts:
        facts.revealed(asked)
        runs = frame_of(facts.connection, query)
        if asked.within:
            pairs = facts.within(facts.pairs[facts.pairs.revealed], asked.within)
            runs = runs[runs.task_version_id.isin(pairs.version_id)]
        called = names(facts.connection, asked.project_id, set(runs.id), revealed=set(runs.id))
    by_id = dict(list(runs.groupby("id")))
    return tuple(
        RunUsage(
            id=id,
            name=called[id].name,
            runs=len(own),
            tokens=_mean(own.tokens),
            with_tokens=int(own.tokens.count()),
            seconds=_mean(own.seconds),
            with_seconds=int(own.seconds.count()),
        )
        for id in every
        if (own := by_id.get(id)) is not None
    )


def _mean(values: Frame) -> float | None:
    known = values.dropna()
    return fsum(known) / len(known) if len(known) else None


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
