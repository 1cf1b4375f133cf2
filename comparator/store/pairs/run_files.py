"""How outputs came about: transcripts of runs and the skills that they were given, for after the reveal."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

import sqlalchemy as sa

from comparator.domain.errors import BlindnessError
from comparator.domain.labels import Label, PerOutput
from comparator.outputs.snapshot.take import Snapshot
from comparator.store import tables
from comparator.store.core.sql import among, insert_new
from comparator.store.core.unit import Unit
from comparator.store.pairs import outputs


class FileRole(StrEnum):
    """What a file is to a run."""

    TRANSCRIPT = "transcript"
    SKILL = "skill"


_run_file = tables.run_file.c


def keep(unit: Unit, run_id: str, role: FileRole, snapshot: Snapshot, *, project_id: str) -> None:
    """Keep it for the run; what the run has already stays."""
    snapshot_id = outputs.save_snapshot(unit, snapshot, project_id=project_id)
    insert_new(
        unit.connection,
        tables.run_file,
        {"run_id": run_id, "role": role.value, "snapshot_id": snapshot_id},
    )


def of_run(connection: sa.Connection, run_id: str) -> dict[FileRole, str]:
    """The ids of the snapshots, purged ones left out."""
    snapshot = tables.snapshot.c
    query = (
        sa.select(_run_file.role, _run_file.snapshot_id)
        .join(tables.snapshot, snapshot.id == _run_file.snapshot_id)
        .where(_run_file.run_id == run_id, snapshot.purged_at.is_(None))
    )
    return {FileRole(row.role): str(row.snapshot_id) for row in connection.execute(query)}


def of_pairs(
    connection: sa.Connection, comparison_ids: Collection[str]
) -> dict[str, PerOutput[dict[FileRole, str]]]:
    """The same of both outputs of these pairs. Raises BlindnessError where one of them is not revealed."""
    ab_key, reveal_comparison, snapshot = tables.ab_key.c, tables.reveal_comparison.c, tables.snapshot.c
    revealed = sa.select(reveal_comparison.comparison_id).where(
        reveal_comparison.comparison_id.in_(among(connection, comparison_ids))
    )
    if set(connection.execute(revealed).scalars()) != set(comparison_ids):
        raise BlindnessError("A transcript reveals who made an output. Reveal the comparison first.")
    found = {id: PerOutput[dict[FileRole, str]](A={}, B={}) for id in comparison_ids}
    query = (
        sa.select(
            ab_key.comparison_id,
            (_run_file.run_id == ab_key.run_a).label("of_a"),
            _run_file.role,
            _run_file.snapshot_id,
        )
        .join_from(tables.ab_key, tables.run_file, _run_file.run_id.in_((ab_key.run_a, ab_key.run_b)))
        .join(tables.snapshot, snapshot.id == _run_file.snapshot_id)
        .where(ab_key.comparison_id.in_(among(connection, comparison_ids)), snapshot.purged_at.is_(None))
    )
    for row in connection.execute(query):
        found[row.comparison_id][Label.A if row.of_a else Label.B][FileRole(row.role)] = str(row.snapshot_id)
    return found


def transcripts_of_output(connection: sa.Connection, snapshot_id: str) -> tuple[str, ...]:
    """The snapshots of transcripts that belong to no output but this one (its snapshot's id)."""
    run, snapshot = tables.run.c, tables.snapshot.c
    transcript = _run_file.role == FileRole.TRANSCRIPT.value
    other = tables.run_file.alias()
    elsewhere = (
        sa.select(sa.literal(1))
        .join_from(other, tables.run, run.id == other.c.run_id)
        .join(tables.snapshot, snapshot.id == run.snapshot_id)
        .where(
            other.c.snapshot_id == _run_file.snapshot_id,
            run.snapshot_id != snapshot_id,
            snapshot.purged_at.is_(None),
        )
        .correlate(tables.run_file)
        .exists()
    )
    output_too = (
        sa.select(sa.literal(1))
        .where(run.snapshot_id == _run_file.snapshot_id, run.snapshot_id != snapshot_id)
        .correlate(tables.run_file)
        .exists()
    )
    mine = sa.select(run.id).where(run.snapshot_id == snapshot_id)
    query = (
        sa.select(_run_file.snapshot_id)
        .where(transcript, _run_file.run_id.in_(mine), ~elsewhere, ~output_too)
        .distinct()
    )
    return tuple(connection.execute(query).scalars())
