"""What stood in redacted files is kept by place, and pairs that may be told are marked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the mark, empty for pairs of before, and the table of originals, without rows."""
    op.add_column("comparison", sa.Column("may_be_told", sa.Boolean(), nullable=True))
    op.create_table(
        "file_original",
        sa.Column("file_id", sa.String(64), sa.ForeignKey("view_file.id", name="fk_file_original_file_id")),
        sa.Column(
            "view_id",
            sa.String(64),
            sa.ForeignKey("view.id", name="fk_file_original_view_id"),
            nullable=False,
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("places", sa.Text(), nullable=False),
        sa.Column("blob", sa.String(64), sa.ForeignKey("blob.digest", name="fk_file_original_blob")),
        sa.Column("media_type", sa.String(200)),
        sa.Column("copy_size", sa.BigInteger()),
        sa.PrimaryKeyConstraint("file_id", name="pk_file_original"),
    )
    op.create_index("ix_file_original_view_id", "file_original", ["view_id"])
    op.create_index("ix_file_original_blob", "file_original", ["blob"])
