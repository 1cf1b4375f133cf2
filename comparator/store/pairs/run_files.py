"""How outputs came about: transcripts of runs and the skills that they were given, for after the reveal."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

import sqlalchemy as sa

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import PerOutput
from comparator.outputs.snapshot.take import Snapshot
from comparator.store import tables
from comparator.store.core.sql import among
from comparator.store.core.unit import Unit
from comparator.store.pairs import outputs, reveals


class FileRole(StrEnum):
    """What a file is to a run."""

    TRANSCRIPT = "transcript"
    SKILL = "skill"


_run, _snapshot = tables.run.c, tables.snapshot.c


def keep(unit: Unit, run_id: str, role: FileRole, snapshot: Snapshot, *, project_id: str) -> None:
    """Keep it for the run; what the run has already stays."""
    column = _run[role.value]
    unit.connection.execute(
        tables.run.update()
        .where(_run.id == run_id, column.is_(None))
        .values({column: outputs.save_snapshot(unit, snapshot, project_id=project_id)})
    )


def of_run(connection: sa.Connection, run_id: str) -> dict[FileRole, str]:
    """The ids of the snapshots, purged ones left out."""
    return _of_runs(connection, [run_id])[run_id]


def of_pairs(
    connection: sa.Connection, comparison_ids: Collection[str]
) -> dict[str, PerOutput[dict[FileRole, str]]]:
    """The same of both outputs of these pairs. Raises BlindnessError where one of them is not revealed."""
    if reveals.known(connection, comparison_ids) != set(comparison_ids):
        raise BlindnessError("A transcript reveals who made an output. Reveal the comparison first.")
    ab_key = tables.ab_key.c
    query = sa.select(tables.ab_key).where(ab_key.comparison_id.in_(among(connection, comparison_ids)))
    pairs = connection.execute(query).all()
    files = _of_runs(connection, [run_id for row in pairs for run_id in (row.run_a, row.run_b)])
    return {row.comparison_id: PerOutput(A=files[row.run_a], B=files[row.run_b]) for row in pairs}


def _of_runs(connection: sa.Connection, run_ids: Collection[str]) -> dict[str, dict[FileRole, str]]:
    found: dict[str, dict[FileRole, str]] = {id: {} for id in run_ids}
    for role in FileRole:
        query = (
            sa.select(_run.id, _snapshot.id.label("snapshot"))
            .join(tables.snapshot, _snapshot.id == _run[role.value])
            .where(_run.id.in_(among(connection, run_ids)), _snapshot.purged_at.is_(None))
        )
        for row in connection.execute(query):
            found[row.id][role] = row.snapshot
    return found


def transcripts_of_output(connection: sa.Connection, snapshot_id: str) -> tuple[str, ...]:
    """The snapshots of transcripts that belong to no output but this one (its snapshot's id)."""
    other = tables.run.alias()
    elsewhere = (
        sa.exists()
        .where(
            other.c.transcript == _run.transcript,
            other.c.snapshot_id != snapshot_id,
            _snapshot.id == other.c.snapshot_id,
            _snapshot.purged_at.is_(None),
        )
        .correlate(tables.run)
    )
    output_too = sa.exists().where(other.c.snapshot_id == _run.transcript, other.c.snapshot_id != snapshot_id)
    query = (
        sa.select(_run.transcript)
        .where(_run.snapshot_id == snapshot_id, _run.transcript.is_not(None), ~elsewhere, ~output_too)
        .distinct()
    )
    return tuple(connection.execute(query).scalars())
