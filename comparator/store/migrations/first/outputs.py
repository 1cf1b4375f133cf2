"""Tasks, snapshots and views, as revision 0001 made them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def create() -> None:
    """Create these tables."""
    op.create_table(
        "blob",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_blob"),
    )
    op.create_table(
        "snapshot",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("is_folder", sa.Boolean(), nullable=False),
        sa.Column("files", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("refused", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("purged_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_snapshot_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_snapshot"),
        sa.UniqueConstraint("project_id", "identity", name="uq_snapshot_project_id_identity"),
    )
    op.create_table(
        "artifact",
        sa.Column("snapshot_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["blob"], ["blob.digest"], name="fk_artifact_blob"),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshot.id"], name="fk_artifact_snapshot_id"),
        sa.PrimaryKeyConstraint("snapshot_id", "position", name="pk_artifact"),
    )
    op.create_index("ix_artifact_blob", "artifact", ["blob"], unique=False)
    op.create_table(
        "task",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_task_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_task"),
        sa.UniqueConstraint("project_id", "key", name="uq_task_project_id_key"),
    )
    op.create_table(
        "task_version",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("text_digest", sa.String(length=64), nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("expectations", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name="fk_task_version_task_id"),
        sa.PrimaryKeyConstraint("id", name="pk_task_version"),
        sa.UniqueConstraint("task_id", "identity", name="uq_task_version_task_id_identity"),
        sa.UniqueConstraint("task_id", "number", name="uq_task_version_task_id_number"),
    )
    op.create_table(
        "task_file",
        sa.Column("task_version_id", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("snapshot_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshot.id"], name="fk_task_file_snapshot_id"),
        sa.ForeignKeyConstraint(
            ["task_version_id"], ["task_version.id"], name="fk_task_file_task_version_id"
        ),
        sa.PrimaryKeyConstraint("task_version_id", "role", name="pk_task_file"),
    )
    op.create_index("ix_task_file_snapshot_id", "task_file", ["snapshot_id"], unique=False)
    op.create_table(
        "view",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("content", sa.String(length=64), nullable=True),
        sa.Column("extractor", sa.String(length=200), nullable=False),
        sa.Column("redaction", sa.String(length=64), nullable=False),
        sa.Column("files", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("set_aside", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["content"], ["blob.digest"], name="fk_view_content"),
        sa.PrimaryKeyConstraint("id", name="pk_view"),
    )
    op.create_index("ix_view_content", "view", ["content"], unique=False)
    op.create_index("ix_view_digest", "view", ["digest"], unique=False)
    op.create_table(
        "view_file",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("view_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("family", sa.String(length=40), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=True),
        sa.Column("media_type", sa.String(length=200), nullable=True),
        sa.Column("copy_size", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["blob"], ["blob.digest"], name="fk_view_file_blob"),
        sa.ForeignKeyConstraint(["view_id"], ["view.id"], name="fk_view_file_view_id"),
        sa.PrimaryKeyConstraint("id", name="pk_view_file"),
        sa.UniqueConstraint("view_id", "position", name="uq_view_file_view_id_position"),
    )
    op.create_index("ix_view_file_blob", "view_file", ["blob"], unique=False)
    op.create_table(
        "view_source",
        sa.Column("view_id", sa.String(length=64), nullable=False),
        sa.Column("snapshot_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshot.id"], name="fk_view_source_snapshot_id"),
        sa.ForeignKeyConstraint(["view_id"], ["view.id"], name="fk_view_source_view_id"),
        sa.PrimaryKeyConstraint("view_id", name="pk_view_source"),
    )
    op.create_index("ix_view_source_snapshot_id", "view_source", ["snapshot_id"], unique=False)
