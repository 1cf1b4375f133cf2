"""An index by which the latest tries, their time and their cost are found without reading the answers."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index."""
    op.create_index("ix_attempt_at", "attempt", ["at", "succeeded", "seconds", "cost"])
