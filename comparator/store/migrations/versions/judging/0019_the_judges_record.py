"""The judge's record by version, and what benchmarks and probes measured."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from comparator.store.tables.base import Utc

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the index, and have every comparison counted anew."""
    op.create_table(
        "benchmark",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("project_id", sa.String(64), nullable=True),
        sa.Column("batch_id", sa.String(64), nullable=True),
        sa.Column("source", sa.String(40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("set_digest", sa.String(64), nullable=False),
        sa.Column("judge_kind", sa.String(40), nullable=False),
        sa.Column("judge_model", sa.String(200), nullable=False),
        sa.Column("judge_digest", sa.String(64), nullable=False),
        sa.Column("mode", sa.String(40), nullable=False),
        sa.Column("sample", sa.BigInteger(), nullable=True),
        sa.Column("figures", sa.Text(), nullable=True),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column("created_by", sa.String(64), nullable=True),
        sa.Column("finished_at", Utc(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_benchmark"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_benchmark_project_id"),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name="fk_benchmark_batch_id"),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name="fk_benchmark_created_by"),
    )
    op.create_index("ix_benchmark_project_id", "benchmark", ["project_id"])
    version = ["judge_digest", "judge_kind", "judge_model", "created_at"]
    op.create_index("ix_judgment_judge_digest", "judgment", version)
    op.execute("INSERT INTO stale (comparison_id) SELECT comparison_id FROM rollup")
