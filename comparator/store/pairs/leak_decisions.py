"""What was decided about words that would tell who made an output; never asked for a judge or a reviewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from pydantic import AwareDatetime, Field

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_many, several
from comparator.store.core.unit import Unit


class NewLeakDecision(Frozen):
    """The decision on one pattern; `place` is where it was found, `counts` how often and where."""

    pattern: str
    place: str
    decision: str
    replacement: str = ""
    counts: dict[str, Any] = Field(default_factory=dict)


class LeakDecision(NewLeakDecision):
    """A stored decision, for a comparison, a batch or (neither) the project."""

    id: str
    project_id: str
    comparison_id: str | None
    batch_id: str | None
    person_id: str | None
    at: AwareDatetime


def add(
    unit: Unit,
    decisions: Sequence[NewLeakDecision],
    *,
    project_id: str,
    comparison_id: str | None = None,
    batch_id: str | None = None,
    person_id: str | None,
) -> None:
    """Store the decisions, for a comparison, a batch or the whole project."""
    insert_many(
        unit.connection,
        tables.leak_decision,
        [
            {
                "id": unit.new_id(),
                "project_id": project_id,
                "comparison_id": comparison_id,
                "batch_id": batch_id,
                "person_id": person_id,
                "at": unit.at,
                **decision.model_dump(mode="json"),
            }
            for decision in decisions
        ],
    )


def of_comparison(connection: sa.Connection, comparison_id: str) -> tuple[LeakDecision, ...]:
    """The decisions made for one comparison."""
    leak_decision = tables.leak_decision.c
    query = (
        sa.select(tables.leak_decision)
        .where(leak_decision.comparison_id == comparison_id)
        .order_by(leak_decision.at, leak_decision.id)
    )
    return several(connection, query, LeakDecision)
