"""Files name their text apart from their looks, so that PDFs of the same text are told as Office files are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from comparator.store.core.permit import permit

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; Office files get what was derived until now. PDFs were not compared."""
    op.add_column("view_file", sa.Column("content", sa.String(64), nullable=True))
    with permit(op.get_bind()):
        op.execute("UPDATE view_file SET content = blob WHERE blob <> digest")
