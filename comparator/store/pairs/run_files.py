"""How outputs came about: transcripts of runs and the skills that they were given, for after the reveal."""

from __future__ import annotations

from enum import StrEnum

import sqlalchemy as sa

from comparator.outputs.snapshot.take import Snapshot
from comparator.store import tables
from comparator.store.core.unit import Unit
from comparator.store.pairs import outputs


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
    found: dict[FileRole, str] = {}
    for role in FileRole:
        query = (
            sa.select(_snapshot.id)
            .join(tables.run, _snapshot.id == _run[role.value])
            .where(_run.id == run_id, _snapshot.purged_at.is_(None))
        )
        if (snapshot_id := connection.execute(query).scalar()) is not None:
            found[role] = snapshot_id
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
