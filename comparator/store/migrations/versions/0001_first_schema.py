"""The first schema: all tables and the triggers that keep what was said from being altered."""

from __future__ import annotations

from comparator.store.migrations.first import comparisons, judging, outputs, people, reviews, runs, triggers

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create everything."""
    for part in (people, outputs, comparisons, judging, runs, reviews, triggers):
        part.create()
