"""Rubrics, judgments, and judging in bulk, as revision 0001 made them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def create() -> None:
    """Create these tables."""
    op.create_table(
        "rubric",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("task_version_id", sa.String(length=64), nullable=True),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("author_kind", sa.String(length=40), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("locked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("locked_by", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["locked_by"], ["person.id"], name="fk_rubric_locked_by"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_rubric_project_id"),
        sa.ForeignKeyConstraint(["task_version_id"], ["task_version.id"], name="fk_rubric_task_version_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rubric"),
    )
    op.create_index("ix_rubric_project_id", "rubric", ["project_id"], unique=False)
    op.create_index("ix_rubric_task_version_id", "rubric", ["task_version_id"], unique=False)
    op.create_index(
        "uq_rubric_of_project",
        "rubric",
        ["project_id", "number"],
        unique=True,
        sqlite_where=sa.text("task_version_id IS NULL"),
        postgresql_where=sa.text("task_version_id IS NULL"),
    )
    op.create_index(
        "uq_rubric_of_version",
        "rubric",
        ["task_version_id", "number"],
        unique=True,
        sqlite_where=sa.text("task_version_id IS NOT NULL"),
        postgresql_where=sa.text("task_version_id IS NOT NULL"),
    )
    op.create_table(
        "criterion",
        sa.Column("rubric_id", sa.String(length=64), nullable=False),
        sa.Column("dimension", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=60), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("poor", sa.Text(), nullable=False),
        sa.Column("acceptable", sa.Text(), nullable=False),
        sa.Column("excellent", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["rubric_id"], ["rubric.id"], name="fk_criterion_rubric_id"),
        sa.PrimaryKeyConstraint("rubric_id", "dimension", "key", name="pk_criterion"),
    )
    op.create_table(
        "rubric_attempt",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("task_version_id", sa.String(length=64), nullable=False),
        sa.Column("rubric_id", sa.String(length=64), nullable=True),
        sa.Column("judge_kind", sa.String(length=40), nullable=False),
        sa.Column("judge_model", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("error_kind", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("calls", sa.Text(), nullable=False),
        sa.Column("prompts", sa.Text(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cache_written_tokens", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Float(precision=53), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=True),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.ForeignKeyConstraint(["rubric_id"], ["rubric.id"], name="fk_rubric_attempt_rubric_id"),
        sa.ForeignKeyConstraint(
            ["task_version_id"], ["task_version.id"], name="fk_rubric_attempt_task_version_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_rubric_attempt"),
    )
    op.create_index("ix_rubric_attempt_rubric_id", "rubric_attempt", ["rubric_id"], unique=False)
    op.create_index("ix_rubric_attempt_task_version_id", "rubric_attempt", ["task_version_id"], unique=False)
    op.create_table(
        "judgment",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("rubric_id", sa.String(length=64), nullable=False),
        sa.Column("view_a_digest", sa.String(length=64), nullable=False),
        sa.Column("view_b_digest", sa.String(length=64), nullable=False),
        sa.Column("judge_kind", sa.String(length=40), nullable=False),
        sa.Column("judge_model", sa.String(length=200), nullable=False),
        sa.Column("judge_digest", sa.String(length=64), nullable=False),
        sa.Column("set_digest", sa.String(length=64), nullable=False),
        sa.Column("order", sa.String(length=40), nullable=False),
        sa.Column("repetition", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_judgment_comparison_id"),
        sa.ForeignKeyConstraint(["rubric_id"], ["rubric.id"], name="fk_judgment_rubric_id"),
        sa.PrimaryKeyConstraint("id", name="pk_judgment"),
        sa.UniqueConstraint(
            "set_digest", "order", "repetition", name="uq_judgment_set_digest_order_repetition"
        ),
    )
    op.create_index("ix_judgment_comparison_id", "judgment", ["comparison_id"], unique=False)
    op.create_index("ix_judgment_rubric_id", "judgment", ["rubric_id"], unique=False)
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("judgment_id", sa.String(length=64), nullable=False),
        sa.Column("succeeded", sa.Boolean(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("error_kind", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("calls", sa.Text(), nullable=False),
        sa.Column("prompts", sa.Text(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cache_written_tokens", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Float(precision=53), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=True),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.ForeignKeyConstraint(["judgment_id"], ["judgment.id"], name="fk_attempt_judgment_id"),
        sa.PrimaryKeyConstraint("id", name="pk_attempt"),
    )
    op.create_index("ix_attempt_judgment_id", "attempt", ["judgment_id"], unique=False)
    op.create_index(
        "uq_attempt_success",
        "attempt",
        ["judgment_id"],
        unique=True,
        sqlite_where=sa.text("succeeded"),
        postgresql_where=sa.text("succeeded"),
    )
    op.create_table(
        "progress",
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("step", sa.Text(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("worker", sa.String(length=200), nullable=False),
        sa.Column("judge_kind", sa.String(length=40), nullable=False),
        sa.Column("judge_model", sa.String(length=200), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_progress_comparison_id"),
        sa.PrimaryKeyConstraint("comparison_id", name="pk_progress"),
    )
    op.create_table(
        "budget",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("unit", sa.String(length=40), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=True),
        sa.Column("ceiling", sa.BigInteger(), nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=False),
        sa.Column("reserved", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name="fk_budget_created_by"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_budget_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_budget"),
    )
    op.create_index("ix_budget_project_id", "budget", ["project_id"], unique=False)
    op.create_table(
        "reservation",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("budget_id", sa.String(length=64), nullable=False),
        sa.Column("judgment_id", sa.String(length=64), nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=True),
        sa.Column("worker", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["budget_id"], ["budget.id"], name="fk_reservation_budget_id"),
        sa.ForeignKeyConstraint(["judgment_id"], ["judgment.id"], name="fk_reservation_judgment_id"),
        sa.PrimaryKeyConstraint("id", name="pk_reservation"),
    )
    op.create_index("ix_reservation_budget_id", "reservation", ["budget_id"], unique=False)
    op.create_index("ix_reservation_judgment_id", "reservation", ["judgment_id"], unique=False)
    op.create_table(
        "batch",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("via", sa.String(length=40), nullable=False),
        sa.Column("priority", sa.BigInteger(), nullable=False),
        sa.Column("judge", sa.Text(), nullable=False),
        sa.Column("budget_id", sa.String(length=64), nullable=True),
        sa.Column("created_by", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["budget_id"], ["budget.id"], name="fk_batch_budget_id"),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name="fk_batch_created_by"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_batch_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_batch"),
    )
    op.create_index("ix_batch_project_id", "batch", ["project_id"], unique=False)
    op.create_table(
        "batch_item",
        sa.Column("batch_id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("touched_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name="fk_batch_item_batch_id"),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_batch_item_comparison_id"),
        sa.PrimaryKeyConstraint("batch_id", "comparison_id", name="pk_batch_item"),
    )
    op.create_index("ix_batch_item_comparison_id", "batch_item", ["comparison_id"], unique=False)
    op.create_index("ix_batch_item_state", "batch_item", ["batch_id", "state", "position"], unique=False)
