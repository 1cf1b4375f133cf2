"""What a judge looked at with tools stands with its try, and uneven attention with the comparison."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; earlier readings used no tools."""
    op.add_column("attempt", sa.Column("looked_at", sa.Text(), nullable=True))
    op.add_column("rollup", sa.Column("uneven_attention", sa.Boolean(), nullable=True))
