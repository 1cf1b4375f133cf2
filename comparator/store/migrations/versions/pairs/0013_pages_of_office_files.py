"""Files of views can have pages: a PDF of how an Office file prints. Files of before have none, nor do they get any."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from comparator.store.tables.base import Utc

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, empty, and the tables, without rows."""
    blob = sa.ForeignKey("blob.digest", name="fk_view_file_pages")
    with op.batch_alter_table("view_file") as table:
        table.add_column(sa.Column("pages", sa.String(64), blob, nullable=True))
        table.add_column(sa.Column("pages_size", sa.BigInteger, nullable=True))
    op.create_index("ix_view_file_pages", "view_file", ["pages"])
    op.add_column("view", sa.Column("pictured", sa.BigInteger, nullable=True))
    op.create_table(
        "change_seen",
        sa.Column("review_id", sa.String(64), sa.ForeignKey("review.id", name="fk_change_seen_review_id")),
        sa.Column("change_id", sa.String(64)),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("review_id", "change_id", name="pk_change_seen"),
    )
    op.create_table(
        "earlier_view",
        sa.Column("view_id", sa.String(64), sa.ForeignKey("view.id", name="fk_earlier_view_view_id")),
        sa.Column("pictured", sa.BigInteger, autoincrement=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column(
            "content",
            sa.String(64),
            sa.ForeignKey("blob.digest", name="fk_earlier_view_content"),
            nullable=False,
        ),
        sa.Column("pages", sa.Text(), nullable=False),
        sa.Column("replaced_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("view_id", "pictured", name="pk_earlier_view"),
    )
    op.create_index("ix_earlier_view_content", "earlier_view", ["content"])
    op.create_table(
        "page_order",
        sa.Column(
            "comparison_id",
            sa.String(64),
            sa.ForeignKey("comparison.id", name="fk_page_order_comparison_id"),
        ),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("files", sa.Text(), nullable=False),
        sa.Column("tries", sa.BigInteger, nullable=False),
        sa.Column("worker", sa.String(200), nullable=True),
        sa.Column("touched_at", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("comparison_id", name="pk_page_order"),
    )
    op.create_index("ix_page_order_state", "page_order", ["state", "touched_at"])
