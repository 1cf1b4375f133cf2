"""Notes to the judge, learnt from corrections, and judgments that name the version that they were made with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from comparator.store.tables.base import Utc

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def _ref(table: str, name: str, target: str, *, nullable: bool = False) -> sa.Column[str]:
    key = sa.ForeignKey(f"{target}.id", name=f"fk_{table}_{name}")
    return sa.Column(name, sa.String(64), key, nullable=nullable)


def _id() -> sa.Column[str]:
    return sa.Column("id", sa.String(64), nullable=False)


def upgrade() -> None:
    """Add the tables, and the columns, empty: earlier judgments were made without guidance."""
    op.add_column("judgment", sa.Column("guidance", sa.BigInteger(), nullable=True))
    op.add_column("judgment", sa.Column("trial", sa.Boolean(), nullable=True))
    op.add_column("batch", sa.Column("trial", sa.Boolean(), nullable=True))
    name = "guidance_split"
    op.create_table(
        name,
        _id(),
        _ref(name, "project_id", "project"),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", Utc(), nullable=False),
        _ref(name, "created_by", "person", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_guidance_split"),
        sa.UniqueConstraint("project_id", "number", name="uq_guidance_split_project_id_number"),
    )
    name = "guidance"
    op.create_table(
        name,
        _id(),
        _ref(name, "project_id", "project"),
        _ref(name, "split_id", "guidance_split"),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("sentences", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("author_kind", sa.String(40), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=True),
        sa.Column("created_at", Utc(), nullable=False),
        _ref(name, "created_by", "person", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_guidance"),
        sa.UniqueConstraint("project_id", "number", name="uq_guidance_project_id_number"),
    )
    op.create_index("ix_guidance_split_id", "guidance", ["split_id"])
    name = "guidance_proof"
    op.create_table(
        name,
        _id(),
        _ref(name, "project_id", "project"),
        _ref(name, "guidance_id", "guidance"),
        sa.Column("baseline", sa.BigInteger(), nullable=True),
        sa.Column("judges", sa.Text(), nullable=False),
        _ref(name, "before_batch", "batch", nullable=True),
        _ref(name, "after_batch", "batch", nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("created_at", Utc(), nullable=False),
        _ref(name, "created_by", "person", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_guidance_proof"),
    )
    op.create_index("ix_guidance_proof_project_id", "guidance_proof", ["project_id"])
    op.create_index("ix_guidance_proof_guidance_id", "guidance_proof", ["guidance_id"])
    name = "guidance_adoption"
    op.create_table(
        name,
        _id(),
        _ref(name, "project_id", "project"),
        sa.Column("number", sa.BigInteger(), nullable=False),
        _ref(name, "guidance_id", "guidance", nullable=True),
        sa.Column("at", Utc(), nullable=False),
        _ref(name, "person_id", "person", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_guidance_adoption"),
        sa.UniqueConstraint("project_id", "number", name="uq_guidance_adoption_project_id_number"),
    )
