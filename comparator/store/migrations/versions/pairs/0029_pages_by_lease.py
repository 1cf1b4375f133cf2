"""A lease says who makes the pages of a pair, and the table is named after them; what was begun waits for a worker."""

from __future__ import annotations

from alembic import op

from comparator.store.migrations.renaming import rename_table

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the column, and the state that told of it, and rename the table; tries and the order of what waits stay."""
    op.execute("UPDATE page_order SET state = 'waiting' WHERE state = 'running'")
    op.drop_column("page_order", "worker")
    rename_table(op.get_bind(), "page_order", "office_pages")
