"""What revealed candidates are called: by their name, with what tells those of one name apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from comparator.store import tables

SHORT = 7
"""Characters of a skill's hash that are shown."""


def distinct_names(rows: Sequence[sa.Row[Any]]) -> dict[str, str]:
    """Names with as much of workspace, iteration, model and skill as tells those of the same name apart."""
    parts: dict[str, tuple[str, ...]] = {row.id: (row.name,) for row in rows}
    for more in ("workspace", "iteration", "model", "skill_hash"):
        shared = Counter(parts.values())
        for row in rows:
            own = getattr(row, more)
            if own and shared[parts[row.id]] > 1:
                parts[row.id] = (*parts[row.id], own[:SHORT] if more == "skill_hash" else own)
    return {id: f"{name} ({', '.join(rest)})" if rest else name for id, (name, *rest) in parts.items()}


def in_revealed_pairs() -> sa.ColumnElement[bool]:
    """The condition on a candidate that a pair with an output of its own is revealed."""
    candidate, run, run_pair, comparison = (
        tables.candidate.c,
        tables.run.c,
        tables.run_pair.c,
        tables.comparison.c,
    )
    # Of each candidate one revealed pair is enough.
    seen = (
        sa.select(comparison.id)
        .select_from(
            tables.run.join(tables.run_pair, column == run.id).join(
                tables.comparison, comparison.id == run_pair.comparison_id
            )
        )
        .where(run.candidate_id == candidate.id, comparison.reveal_id.is_not(None))
        .correlate(tables.candidate)
        .exists()
        for column in (run_pair.run_low, run_pair.run_high)
    )
    return sa.or_(*seen)


def names_within(connection: sa.Connection, *project_ids: str) -> dict[str, str]:
    """The names of the projects' candidates that were revealed, by id; a merged one has that of what it became.

    A name is distinct within its project.
    """
    candidate = tables.candidate.c
    counts_as = sa.func.coalesce(candidate.merged_into, candidate.id)
    query = sa.select(candidate.id, counts_as.label("as_id")).where(
        candidate.project_id.in_(project_ids), in_revealed_pairs()
    )
    found = {row.id: row.as_id for row in connection.execute(query)}
    own: sa.Select[Any] = sa.select(
        candidate.id,
        candidate.project_id,
        candidate.name,
        candidate.workspace,
        candidate.iteration,
        candidate.model,
        candidate.skill_hash,
    ).where(candidate.id.in_(set(found.values())))
    by_project: dict[str, list[sa.Row[Any]]] = {}
    for row in connection.execute(own):
        by_project.setdefault(row.project_id, []).append(row)
    called = {id: name for rows in by_project.values() for id, name in distinct_names(rows).items()}
    return {id: called[as_id] for id, as_id in found.items()}
