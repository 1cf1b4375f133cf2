"""What a result is explained by: expectations one by one, kinds of reasons, and criteria of every rubric."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and have every comparison counted anew."""
    op.add_column("outcome", sa.Column("met", sa.Text(), nullable=True))
    op.add_column("outcome", sa.Column("reasons", sa.Text(), nullable=True))
    op.execute("INSERT INTO stale (comparison_id) SELECT comparison_id FROM rollup")
