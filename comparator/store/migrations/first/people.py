"""Projects, people, roles and the audit log, as revision 0001 made them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def create() -> None:
    """Create these tables."""
    op.create_table(
        "project",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_project"),
        sa.UniqueConstraint("name", name="uq_project_name"),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=400), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
        sa.UniqueConstraint("subject", name="uq_person_subject"),
    )
    op.create_table(
        "role",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=True),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("granted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("granted_by", sa.String(length=64), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["granted_by"], ["person.id"], name="fk_role_granted_by"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_role_person_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_role_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_role"),
    )
    op.create_index("ix_role_person_id", "role", ["person_id"], unique=False)
    op.create_index("ix_role_project_id", "role", ["project_id"], unique=False)
    op.create_index(
        "uq_role_everywhere",
        "role",
        ["person_id", "role"],
        unique=True,
        sqlite_where=sa.text("project_id IS NULL AND revoked_at IS NULL"),
        postgresql_where=sa.text("project_id IS NULL AND revoked_at IS NULL"),
    )
    op.create_index(
        "uq_role_in_project",
        "role",
        ["person_id", "project_id", "role"],
        unique=True,
        sqlite_where=sa.text("project_id IS NOT NULL AND revoked_at IS NULL"),
        postgresql_where=sa.text("project_id IS NOT NULL AND revoked_at IS NULL"),
    )
    op.create_table(
        "invitation",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("accepted_by", sa.String(length=64), nullable=True),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["accepted_by"], ["person.id"], name="fk_invitation_accepted_by"),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name="fk_invitation_created_by"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_invitation_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_invitation"),
        sa.UniqueConstraint("token_hash", name="uq_invitation_token_hash"),
    )
    op.create_index("ix_invitation_project_id", "invitation", ["project_id"], unique=False)
    op.create_table(
        "sign_in",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("invitation_id", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["invitation_id"], ["invitation.id"], name="fk_sign_in_invitation_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_sign_in_person_id"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sign_in"),
    )
    op.create_index("ix_sign_in_invitation_id", "sign_in", ["invitation_id"], unique=False)
    op.create_index("ix_sign_in_person_id", "sign_in", ["person_id"], unique=False)
    op.create_table(
        "event",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=True),
        sa.Column("project_id", sa.String(length=64), nullable=True),
        sa.Column("subject_id", sa.String(length=64), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_event_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
    )
    op.create_index("ix_event_at", "event", ["at"], unique=False)
    op.create_index("ix_event_project_id_at", "event", ["project_id", "at"], unique=False)
    op.create_index("ix_event_subject_id", "event", ["subject_id"], unique=False)
    op.create_table(
        "tombstone",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("subject_id", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=True),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_tombstone_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_tombstone"),
        sa.UniqueConstraint("subject_id", name="uq_tombstone_subject_id"),
    )
    op.create_table(
        "purge_permit",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_purge_permit"),
    )
