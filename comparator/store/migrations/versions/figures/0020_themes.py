"""Stated reasons, what a model was asked about them, and the themes that they belong to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from comparator.store.tables.base import Utc

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, without rows."""
    op.create_table(
        "finding",
        sa.Column("id", sa.String(64)),
        sa.Column(
            "project_id",
            sa.String(64),
            sa.ForeignKey("project.id", name="fk_finding_project_id"),
            nullable=False,
        ),
        sa.Column(
            "comparison_id",
            sa.String(64),
            sa.ForeignKey("comparison.id", name="fk_finding_comparison_id"),
            nullable=False,
        ),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("source", sa.String(40), nullable=False),
        sa.Column("said", sa.String(40), nullable=False),
        sa.Column("place", sa.String(200), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("speaks_for", sa.String(40), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_finding"),
        sa.UniqueConstraint("comparison_id", "digest", name="uq_finding_comparison_id_digest"),
    )
    op.create_index("ix_finding_comparison_id", "finding", ["comparison_id"])
    op.create_index("ix_finding_project_id", "finding", ["project_id"])
    op.create_table(
        "inquiry",
        sa.Column("id", sa.String(64)),
        sa.Column(
            "project_id",
            sa.String(64),
            sa.ForeignKey("project.id", name="fk_inquiry_project_id"),
            nullable=False,
        ),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("prompts", sa.Text(), nullable=False),
        sa.Column("themes", sa.Text(), nullable=False),
        sa.Column("drafted", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", Utc(), nullable=False),
        sa.Column(
            "created_by",
            sa.String(64),
            sa.ForeignKey("person.id", name="fk_inquiry_created_by"),
            nullable=True,
        ),
        sa.Column("finished_at", Utc(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_inquiry"),
    )
    op.create_index("ix_inquiry_project_id", "inquiry", ["project_id"])
    op.create_table(
        "inquiry_call",
        sa.Column("id", sa.String(64)),
        sa.Column(
            "inquiry_id",
            sa.String(64),
            sa.ForeignKey("inquiry.id", name="fk_inquiry_call_inquiry_id"),
            nullable=False,
        ),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column("error_kind", sa.Text(), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("calls", sa.Text(), nullable=False),
        sa.Column("prompts", sa.Text(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cache_written_tokens", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Float(53), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=True),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_inquiry_call"),
    )
    op.create_index("ix_inquiry_call_inquiry_id", "inquiry_call", ["inquiry_id"])
    op.create_table(
        "theme_mark",
        sa.Column("inquiry_id", sa.String(64), sa.ForeignKey("inquiry.id", name="fk_theme_mark_inquiry_id")),
        sa.Column("finding_id", sa.String(64), sa.ForeignKey("finding.id", name="fk_theme_mark_finding_id")),
        sa.Column("themes", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("inquiry_id", "finding_id", name="pk_theme_mark"),
    )
    op.create_index("ix_theme_mark_finding_id", "theme_mark", ["finding_id"])
    op.create_table(
        "theme_change",
        sa.Column("id", sa.String(64)),
        sa.Column(
            "project_id",
            sa.String(64),
            sa.ForeignKey("project.id", name="fk_theme_change_project_id"),
            nullable=False,
        ),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column(
            "person_id",
            sa.String(64),
            sa.ForeignKey("person.id", name="fk_theme_change_person_id"),
            nullable=True,
        ),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_theme_change"),
        sa.UniqueConstraint("project_id", "seq", name="uq_theme_change_project_id_seq"),
    )
    op.create_table(
        "theme_label",
        sa.Column("id", sa.String(64)),
        sa.Column(
            "project_id",
            sa.String(64),
            sa.ForeignKey("project.id", name="fk_theme_label_project_id"),
            nullable=False,
        ),
        sa.Column(
            "finding_id",
            sa.String(64),
            sa.ForeignKey("finding.id", name="fk_theme_label_finding_id"),
            nullable=False,
        ),
        sa.Column(
            "person_id",
            sa.String(64),
            sa.ForeignKey("person.id", name="fk_theme_label_person_id"),
            nullable=False,
        ),
        sa.Column("themes", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_theme_label"),
    )
    op.create_index("ix_theme_label_finding_id", "theme_label", ["finding_id"])
    op.create_index("ix_theme_label_project_id", "theme_label", ["project_id"])
    op.create_table(
        "theme_pair",
        sa.Column(
            "project_id",
            sa.String(64),
            sa.ForeignKey("project.id", name="fk_theme_pair_project_id"),
            nullable=False,
        ),
        sa.Column("theme_id", sa.String(64)),
        sa.Column(
            "comparison_id", sa.String(64), sa.ForeignKey("comparison.id", name="fk_theme_pair_comparison_id")
        ),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("findings", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("theme_id", "comparison_id", name="pk_theme_pair"),
    )
    op.create_index("ix_theme_pair_comparison_id", "theme_pair", ["comparison_id"])
    op.create_index("ix_theme_pair_project_id", "theme_pair", ["project_id"])
    op.create_table(
        "analysis",
        sa.Column("id", sa.String(64)),
        sa.Column(
            "project_id",
            sa.String(64),
            sa.ForeignKey("project.id", name="fk_analysis_project_id"),
            nullable=False,
        ),
        sa.Column(
            "comparison_id",
            sa.String(64),
            sa.ForeignKey("comparison.id", name="fk_analysis_comparison_id"),
            nullable=True,
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.Column(
            "person_id",
            sa.String(64),
            sa.ForeignKey("person.id", name="fk_analysis_person_id"),
            nullable=True,
        ),
        sa.PrimaryKeyConstraint("id", name="pk_analysis"),
    )
    op.create_index("ix_analysis_comparison_id", "analysis", ["comparison_id"])
    op.create_index("ix_analysis_project_id", "analysis", ["project_id"])
