"""Candidates, runs, the key and reveals, as revision 0001 made them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def create() -> None:
    """Create these tables."""
    op.create_table(
        "candidate",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("iteration", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("skill_hash", sa.Text(), nullable=True),
        sa.Column("configuration", sa.Text(), nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("neutral_number", sa.BigInteger(), nullable=False),
        sa.Column("merged_into", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["merged_into"], ["candidate.id"], name="fk_candidate_merged_into"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_candidate_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_candidate"),
        sa.UniqueConstraint("project_id", "identity", name="uq_candidate_project_id_identity"),
        sa.UniqueConstraint("project_id", "neutral_number", name="uq_candidate_project_id_neutral_number"),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("task_version_id", sa.String(length=64), nullable=False),
        sa.Column("candidate_id", sa.String(length=64), nullable=False),
        sa.Column("repetition", sa.BigInteger(), nullable=False),
        sa.Column("snapshot_id", sa.String(length=64), nullable=False),
        sa.Column("origin", sa.Text(), nullable=True),
        sa.Column("input_tokens", sa.BigInteger(), nullable=True),
        sa.Column("output_tokens", sa.BigInteger(), nullable=True),
        sa.Column("total_tokens", sa.BigInteger(), nullable=True),
        sa.Column("seconds", sa.Float(precision=53), nullable=True),
        sa.Column("grading", sa.Text(), nullable=True),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("state_reason", sa.Text(), nullable=False),
        sa.Column("superseded_by", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["candidate_id"], ["candidate.id"], name="fk_run_candidate_id"),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshot.id"], name="fk_run_snapshot_id"),
        sa.ForeignKeyConstraint(["superseded_by"], ["run.id"], name="fk_run_superseded_by"),
        sa.ForeignKeyConstraint(["task_version_id"], ["task_version.id"], name="fk_run_task_version_id"),
        sa.PrimaryKeyConstraint("id", name="pk_run"),
        sa.UniqueConstraint(
            "task_version_id",
            "candidate_id",
            "repetition",
            "snapshot_id",
            name="uq_run_task_version_id_candidate_id_repetition_snapshot_id",
        ),
    )
    op.create_index("ix_run_candidate_id", "run", ["candidate_id"], unique=False)
    op.create_index("ix_run_snapshot_id", "run", ["snapshot_id"], unique=False)
    op.create_table(
        "ab_key",
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("run_a", sa.String(length=64), nullable=False),
        sa.Column("run_b", sa.String(length=64), nullable=False),
        sa.Column("drawn", sa.Boolean(), nullable=False),
        sa.Column("set_up_by", sa.String(length=64), nullable=True),
        sa.Column("out_path", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("run_a <> run_b", name=op.f("ck_ab_key_two_runs")),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name=op.f("fk_ab_key_comparison_id")),
        sa.ForeignKeyConstraint(["run_a"], ["run.id"], name=op.f("fk_ab_key_run_a")),
        sa.ForeignKeyConstraint(["run_b"], ["run.id"], name=op.f("fk_ab_key_run_b")),
        sa.ForeignKeyConstraint(["set_up_by"], ["person.id"], name=op.f("fk_ab_key_set_up_by")),
        sa.PrimaryKeyConstraint("comparison_id", name=op.f("pk_ab_key")),
    )
    op.create_index("ix_ab_key_run_a", "ab_key", ["run_a"], unique=False)
    op.create_index("ix_ab_key_run_b", "ab_key", ["run_b"], unique=False)
    op.create_table(
        "pair",
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("task_version_id", sa.String(length=64), nullable=False),
        sa.Column("run_low", sa.String(length=64), nullable=False),
        sa.Column("run_high", sa.String(length=64), nullable=False),
        sa.CheckConstraint("run_low < run_high", name=op.f("ck_pair_ordered")),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name=op.f("fk_pair_comparison_id")),
        sa.ForeignKeyConstraint(["run_high"], ["run.id"], name=op.f("fk_pair_run_high")),
        sa.ForeignKeyConstraint(["run_low"], ["run.id"], name=op.f("fk_pair_run_low")),
        sa.ForeignKeyConstraint(
            ["task_version_id"], ["task_version.id"], name=op.f("fk_pair_task_version_id")
        ),
        sa.PrimaryKeyConstraint("comparison_id", name=op.f("pk_pair")),
        sa.UniqueConstraint(
            "task_version_id", "run_low", "run_high", name=op.f("uq_pair_task_version_id_run_low_run_high")
        ),
    )
    op.create_index("ix_pair_run_high", "pair", ["run_high"], unique=False)
    op.create_index("ix_pair_run_low", "pair", ["run_low"], unique=False)
    op.create_table(
        "leak_decision",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=True),
        sa.Column("batch_id", sa.String(length=64), nullable=True),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("decision", sa.String(length=40), nullable=False),
        sa.Column("replacement", sa.Text(), nullable=False),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name="fk_leak_decision_batch_id"),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_leak_decision_comparison_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_leak_decision_person_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_leak_decision_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_leak_decision"),
    )
    op.create_index("ix_leak_decision_batch_id", "leak_decision", ["batch_id"], unique=False)
    op.create_index("ix_leak_decision_comparison_id", "leak_decision", ["comparison_id"], unique=False)
    op.create_index("ix_leak_decision_project_id", "leak_decision", ["project_id"], unique=False)
    op.create_table(
        "reveal",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_reveal_person_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_reveal_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_reveal"),
    )
    op.create_index("ix_reveal_project_id", "reveal", ["project_id"], unique=False)
    op.create_table(
        "reveal_comparison",
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("reveal_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["comparison_id"], ["comparison.id"], name="fk_reveal_comparison_comparison_id"
        ),
        sa.ForeignKeyConstraint(["reveal_id"], ["reveal.id"], name="fk_reveal_comparison_reveal_id"),
        sa.PrimaryKeyConstraint("comparison_id", name="pk_reveal_comparison"),
    )
    op.create_index("ix_reveal_comparison_reveal_id", "reveal_comparison", ["reveal_id"], unique=False)
