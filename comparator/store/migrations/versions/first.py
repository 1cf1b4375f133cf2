"""The schema as the first release has it."""

from alembic import op

from comparator.store.migrations import create

revision, down_revision = "first", None


def upgrade() -> None:
    """All tables and triggers."""
    create(op.get_bind())
