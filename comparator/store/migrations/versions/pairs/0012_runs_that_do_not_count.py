"""Candidates know their workspace; comparisons with a void or cut-off run say so, and void ones wait for nobody."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_WAITING = "('to_judge', 'judging', 'failed', 'to_review', 'draft')"


def upgrade() -> None:
    """Add the columns, fill them from the runs, and count where each comparison stands now."""
    op.add_column("candidate", sa.Column("workspace", sa.Text(), nullable=True))
    for side in ("a", "b"):
        op.add_column("rollup", sa.Column(f"state_{side}", sa.String(40), nullable=True))
        op.execute(
            f"UPDATE rollup SET state_{side} = (SELECT run.state FROM ab_key "  # noqa: S608  # our own names
            f"JOIN run ON run.id = ab_key.run_{side} "
            "WHERE ab_key.comparison_id = rollup.comparison_id AND run.state IN ('void', 'cut_off')) "
            "WHERE comparison_id IN (SELECT ab_key.comparison_id FROM ab_key "
            f"JOIN run ON run.id = ab_key.run_{side} WHERE run.state IN ('void', 'cut_off'))"
        )
    void = f"FROM rollup WHERE (state_a = 'void' OR state_b = 'void') AND status IN {_WAITING} "
    for status, number in (("status", "-COUNT(*)"), ("'void'", "COUNT(*)")):
        # Rows alike are added up, so what changes its place is taken from one and added to the other.
        op.execute(
            "INSERT INTO rollup_count (project_id, status, reviewed, judge_model, number) "  # our own words
            f"SELECT project_id, {status}, final_reviews > 0, judge_model, {number} {void}"
            "GROUP BY project_id, status, final_reviews > 0, judge_model"
        )
    op.execute(
        f"UPDATE rollup SET status = 'void' WHERE (state_a = 'void' OR state_b = 'void') AND status IN {_WAITING}"  # noqa: S608  # our own words
    )
