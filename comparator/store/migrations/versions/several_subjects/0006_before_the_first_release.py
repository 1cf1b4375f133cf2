"""Where the history begins: the schema that databases had before the tables got their present names.

An empty database is created whole and runs no migration; one of this revision goes on from here.
"""

from __future__ import annotations

revision = "0006"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing: a database stands at this revision already."""
