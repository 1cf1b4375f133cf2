"""Analyses that somebody else wrote, kept beside ours."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.core.sql import insert_one, several
from comparator.store.core.unit import Unit


class KeptAnalysis(Frozen):
    """One of them; `comparison_id` None is of a set."""

    id: str
    project_id: str
    comparison_id: str | None
    name: str
    value: dict[str, Any]
    at: AwareDatetime
    person_id: str | None


def add(
    unit: Unit,
    value: dict[str, Any],
    *,
    project_id: str,
    comparison_id: str | None,
    name: str,
    person_id: str | None,
) -> str:
    """Keep an analysis; its id."""
    analysis_id = unit.new_id()
    insert_one(
        unit.connection,
        tables.analysis,
        id=analysis_id,
        project_id=project_id,
        comparison_id=comparison_id,
        name=name[:400],
        value=value,
        at=unit.at,
        person_id=person_id,
    )
    return analysis_id


def of_project(connection: sa.Connection, project_id: str) -> tuple[KeptAnalysis, ...]:
    """All of a project, the newest first."""
    analysis = tables.analysis.c
    query = sa.select(tables.analysis).where(analysis.project_id == project_id)
    return several(connection, query.order_by(analysis.at.desc(), analysis.id), KeptAnalysis)
