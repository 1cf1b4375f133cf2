"""Tries to come in are counted in the database, for all processes together."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from comparator.store.tables.base import Utc

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; nobody has tried yet."""
    op.create_table(
        "entry_try",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("whose", sa.String(64), nullable=False),
        sa.Column("at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_entry_try"),
    )
    op.create_index("ix_entry_try_whose_at", "entry_try", ["whose", "at"])
    op.create_index("ix_entry_try_at", "entry_try", ["at"])
