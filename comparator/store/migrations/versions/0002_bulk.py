"""Judging in bulk: workers, leases, Message Batches, a budget for everything, and why a batch does not go on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new."""
    _create_workers()
    _create_message_batches()
    op.add_column("batch", sa.Column("problem", sa.Text(), nullable=True))
    op.add_column("batch_item", sa.Column("tries", sa.BigInteger(), nullable=True))
    with op.batch_alter_table("budget") as budget:
        budget.alter_column("project_id", existing_type=sa.String(length=64), nullable=True)


def _create_workers() -> None:
    op.create_table(
        "worker",
        sa.Column("id", sa.String(length=200), nullable=False),
        sa.Column("build", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_worker"),
    )
    op.create_table(
        "lease",
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("worker", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_lease"),
    )


def _create_message_batches() -> None:
    op.create_table(
        "message_batch",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("batch_id", sa.String(length=64), nullable=False),
        sa.Column("provider_id", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("requests", sa.BigInteger(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("polled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name="fk_message_batch_batch_id"),
        sa.PrimaryKeyConstraint("id", name="pk_message_batch"),
    )
    op.create_index("ix_message_batch_batch_id", "message_batch", ["batch_id"], unique=False)
    op.create_table(
        "message_request",
        sa.Column("batch_id", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("message_batch_id", sa.String(length=64), nullable=True),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name="fk_message_request_batch_id"),
        sa.ForeignKeyConstraint(
            ["comparison_id"], ["comparison.id"], name="fk_message_request_comparison_id"
        ),
        sa.ForeignKeyConstraint(
            ["message_batch_id"], ["message_batch.id"], name="fk_message_request_message_batch_id"
        ),
        sa.PrimaryKeyConstraint("batch_id", "digest", name="pk_message_request"),
    )
    op.create_index("ix_message_request_comparison_id", "message_request", ["comparison_id"], unique=False)
    op.create_index(
        "ix_message_request_message_batch_id", "message_request", ["message_batch_id"], unique=False
    )
