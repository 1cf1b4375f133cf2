"""Tables with names that need no explanation; every row stays as it is."""

from __future__ import annotations

from alembic import op

from comparator.store.migrations.renaming import rename_table

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

RENAMED = {
    "standing_count": "rollup_count",
    "standing": "rollup",
    "looked": "file_seen",
    "pair": "run_pair",
}


def upgrade() -> None:
    """Give the tables their names, with their indexes and constraints."""
    for old, new in RENAMED.items():
        rename_table(op.get_bind(), old, new)
