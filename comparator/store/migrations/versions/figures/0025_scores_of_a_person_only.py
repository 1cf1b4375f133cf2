"""A score where the judge gave none is no change of the judge's."""

from __future__ import annotations

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Have every comparison with a review counted anew."""
    op.execute("INSERT INTO stale (comparison_id) SELECT DISTINCT comparison_id FROM review")
