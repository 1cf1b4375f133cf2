"""What the dashboards count has changed its meaning: every comparison is counted anew."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Note each comparison as stale, once."""
    op.get_bind().exec_driver_sql(
        "INSERT INTO stale (comparison_id) SELECT comparison_id FROM standing WHERE NOT EXISTS "
        "(SELECT 1 FROM stale WHERE stale.comparison_id = standing.comparison_id)"
    )
