"""A sign-in knows when it was last used, so that one that nobody uses can end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from comparator.store.tables.base import Utc

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; a sign-in from before counts as last used when it began."""
    op.add_column("sign_in", sa.Column("seen_at", Utc(), nullable=True))
