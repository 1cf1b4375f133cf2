"""Tasks are grouped by the words of what they ask for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Keep the topic of a task; it is found when somebody compares by it."""
    op.add_column("task", sa.Column("topic", sa.Text))
