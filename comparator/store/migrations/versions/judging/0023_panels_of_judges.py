"""Batches of one judge of several, and whether the judges of a pair agree."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, empty: earlier pairs were read by one judge."""
    op.add_column("batch", sa.Column("panel", sa.Text(), nullable=True))
    op.add_column("rollup", sa.Column("judges_agree", sa.Boolean(), nullable=True))
