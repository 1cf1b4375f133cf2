"""Transcripts of runs, and the skills that they were given."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, empty: another import of the same workspace fills it."""
    op.create_table(
        "run_file",
        _reference("run_id", "run"),
        sa.Column("role", sa.String(40), nullable=False),
        _reference("snapshot_id", "snapshot"),
        sa.PrimaryKeyConstraint("run_id", "role", name="pk_run_file"),
    )
    op.create_index("ix_run_file_snapshot_id", "run_file", ["snapshot_id"])


def _reference(name: str, target: str) -> sa.Column[object]:
    key = sa.ForeignKey(f"{target}.id", name=f"fk_run_file_{name}")
    return sa.Column(name, sa.String(64), key, nullable=False)
