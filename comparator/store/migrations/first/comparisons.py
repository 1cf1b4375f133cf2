"""Comparisons, their rollup, and what came with them, as revision 0001 made them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def create() -> None:
    """Create these tables."""
    op.create_table(
        "comparison",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("task_version_id", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("expectations", sa.Text(), nullable=False),
        sa.Column("view_a", sa.String(length=64), nullable=False),
        sa.Column("view_b", sa.String(length=64), nullable=False),
        sa.Column("input_view", sa.String(length=64), nullable=True),
        sa.Column("reference_view", sa.String(length=64), nullable=True),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name="fk_comparison_created_by"),
        sa.ForeignKeyConstraint(["input_view"], ["view.id"], name="fk_comparison_input_view"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_comparison_project_id"),
        sa.ForeignKeyConstraint(["reference_view"], ["view.id"], name="fk_comparison_reference_view"),
        sa.ForeignKeyConstraint(
            ["task_version_id"], ["task_version.id"], name="fk_comparison_task_version_id"
        ),
        sa.ForeignKeyConstraint(["view_a"], ["view.id"], name="fk_comparison_view_a"),
        sa.ForeignKeyConstraint(["view_b"], ["view.id"], name="fk_comparison_view_b"),
        sa.PrimaryKeyConstraint("id", name="pk_comparison"),
    )
    op.create_index("ix_comparison_project_id", "comparison", ["project_id"], unique=False)
    op.create_index("ix_comparison_task_version_id", "comparison", ["task_version_id"], unique=False)
    op.create_index("ix_comparison_view_a", "comparison", ["view_a"], unique=False)
    op.create_index("ix_comparison_view_b", "comparison", ["view_b"], unique=False)
    op.create_table(
        "standing",
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("judge_kind", sa.String(length=40), nullable=True),
        sa.Column("judge_model", sa.String(length=200), nullable=True),
        sa.Column("judge_winner", sa.String(length=40), nullable=True),
        sa.Column("judge_decided_by", sa.String(length=40), nullable=True),
        sa.Column("judge_overall_a", sa.BigInteger(), nullable=True),
        sa.Column("judge_overall_b", sa.BigInteger(), nullable=True),
        sa.Column("position_consistent", sa.Boolean(), nullable=True),
        sa.Column("stated_confidence", sa.BigInteger(), nullable=True),
        sa.Column("quotes_found", sa.BigInteger(), nullable=True),
        sa.Column("quotes_total", sa.BigInteger(), nullable=True),
        sa.Column("judge_cost", sa.BigInteger(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("verdict_source", sa.String(length=40), nullable=True),
        sa.Column("winner", sa.String(length=40), nullable=True),
        sa.Column("decided_by", sa.String(length=40), nullable=True),
        sa.Column("overall_a", sa.BigInteger(), nullable=True),
        sa.Column("overall_b", sa.BigInteger(), nullable=True),
        sa.Column("content_a", sa.BigInteger(), nullable=True),
        sa.Column("content_b", sa.BigInteger(), nullable=True),
        sa.Column("structure_a", sa.BigInteger(), nullable=True),
        sa.Column("structure_b", sa.BigInteger(), nullable=True),
        sa.Column("pass_rate_a", sa.BigInteger(), nullable=True),
        sa.Column("pass_rate_b", sa.BigInteger(), nullable=True),
        sa.Column("final_reviews", sa.BigInteger(), nullable=False),
        sa.Column("open_reviews", sa.BigInteger(), nullable=False),
        sa.Column("touched_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_standing_comparison_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_standing_project_id"),
        sa.PrimaryKeyConstraint("comparison_id", name="pk_standing"),
    )
    op.create_index("ix_standing_created", "standing", ["created_at", "comparison_id"], unique=False)
    op.create_index(
        "ix_standing_project_created", "standing", ["project_id", "created_at", "comparison_id"], unique=False
    )
    op.create_index(
        "ix_standing_project_status",
        "standing",
        ["project_id", "status", "created_at", "comparison_id"],
        unique=False,
    )
    op.create_index("ix_standing_status", "standing", ["status", "created_at", "comparison_id"], unique=False)
    op.create_table(
        "file_pair",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("file_a", sa.String(length=64), nullable=True),
        sa.Column("file_b", sa.String(length=64), nullable=True),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_file_pair_comparison_id"),
        sa.ForeignKeyConstraint(["file_a"], ["view_file.id"], name="fk_file_pair_file_a"),
        sa.ForeignKeyConstraint(["file_b"], ["view_file.id"], name="fk_file_pair_file_b"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_file_pair_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_file_pair"),
    )
    op.create_index("ix_file_pair_comparison_id", "file_pair", ["comparison_id"], unique=False)
    op.create_table(
        "label",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("winner", sa.String(length=40), nullable=True),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("blind", sa.Boolean(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_label_comparison_id"),
        sa.PrimaryKeyConstraint("id", name="pk_label"),
    )
    op.create_index("ix_label_comparison_id", "label", ["comparison_id"], unique=False)
    op.create_table(
        "draw",
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("probability", sa.Float(precision=53), nullable=False),
        sa.Column("chosen", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("probability >= 0 AND probability <= 1", name=op.f("ck_draw_probability")),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name=op.f("fk_draw_comparison_id")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_draw_project_id")),
        sa.PrimaryKeyConstraint("comparison_id", name=op.f("pk_draw")),
    )
    op.create_index("ix_draw_project_id", "draw", ["project_id"], unique=False)
