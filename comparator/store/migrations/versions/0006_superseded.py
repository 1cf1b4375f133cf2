"""Pairs of a run that a later import replaced, and that nobody has begun to review, wait for nobody any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the mark, and set it on what was replaced before."""
    op.add_column("standing", sa.Column("superseded", sa.Boolean(), nullable=True))
    op.get_bind().exec_driver_sql(
        "UPDATE standing SET superseded = true, "
        "status = CASE WHEN final_reviews = 0 AND open_reviews = 0 THEN 'superseded' ELSE status END "
        "WHERE comparison_id IN (SELECT pair.comparison_id FROM pair "
        "JOIN run ON run.id = pair.run_low OR run.id = pair.run_high WHERE run.state = 'superseded')"
    )
