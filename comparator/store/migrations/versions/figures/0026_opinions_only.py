"""What nobody touched in a review counts as nobody's opinion in the agreement between reviewers."""

from __future__ import annotations

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Have every comparison with a review counted anew."""
    op.execute("INSERT INTO stale (comparison_id) SELECT DISTINCT comparison_id FROM review")
