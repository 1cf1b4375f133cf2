"""What was compared and judged by what, how much is in each output, checks over outputs, and saved views."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from comparator.store.tables.base import Utc

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

MEASURES = (
    "characters",
    "words",
    "headings",
    "list_items",
    "tables",
    "code_blocks",
    "links",
    "pictures",
    "pages",
)


def upgrade() -> None:
    """Add columns and tables, and have every comparison counted anew; a worker measures the outputs that there are."""
    plain = (("version_id", 64), ("rubric_id", 64), ("judge", 200), ("judge_digest", 64), ("day", 10))
    for name, length in plain:
        op.add_column("outcome", sa.Column(name, sa.String(length), nullable=True))
    for name in ("held_against", "agreed"):
        op.add_column("outcome", sa.Column(name, sa.BigInteger(), nullable=True))
    for side in ("one", "two"):
        op.add_column("outcome", sa.Column(f"view_{side}", sa.String(64), nullable=True))
        for name in ("overall", "tokens", "seconds", "cost", "graded"):
            op.add_column("outcome", sa.Column(f"{name}_{side}", sa.BigInteger(), nullable=True))
    op.create_table(
        "view_measure",
        _reference("view_measure", "view_id", "view"),
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in MEASURES),
        sa.Column("families", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("view_id", name="pk_view_measure"),
    )
    op.create_table(
        "output_check",
        *_made_by_people("output_check"),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("is_regex", sa.Boolean(), nullable=False),
        sa.Column("match_case", sa.Boolean(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_output_check"),
        sa.UniqueConstraint("project_id", "name", name="uq_output_check_project_id_name"),
    )
    op.create_index("ix_output_check_project_id", "output_check", ["project_id"])
    op.create_table(
        "check_count",
        _reference("check_count", "check_id", "output_check"),
        _reference("check_count", "view_id", "view"),
        sa.Column("found", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("check_id", "view_id", name="pk_check_count"),
    )
    op.create_table(
        "saved_view",
        *_made_by_people("saved_view"),
        sa.Column("address", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_saved_view"),
        sa.UniqueConstraint("project_id", "name", name="uq_saved_view_project_id_name"),
    )
    op.create_index("ix_saved_view_project_id", "saved_view", ["project_id"])
    op.execute("INSERT INTO stale (comparison_id) SELECT comparison_id FROM rollup")


def _made_by_people(table: str) -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("id", sa.String(64), nullable=False),
        _reference(table, "project_id", "project"),
        sa.Column("name", sa.Text(), nullable=False),
        _reference(table, "created_by", "person", nullable=True),
        sa.Column("created_at", Utc(), nullable=False),
    )


def _reference(table: str, name: str, target: str, *, nullable: bool = False) -> sa.Column[object]:
    key = sa.ForeignKey(f"{target}.id", name=f"fk_{table}_{name}")
    return sa.Column(name, sa.String(64), key, nullable=nullable)
