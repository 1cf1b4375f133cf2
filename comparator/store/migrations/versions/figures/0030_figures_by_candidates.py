"""Sums are kept by candidates, so that a page can count under its filters."""

from __future__ import annotations

import json
from collections import Counter

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

OUTCOME = sa.table(
    "outcome",
    *map(sa.column, ("comparison_id", "project_id", "one", "two")),
    sa.column("revealed", sa.Boolean),
    sa.column("valid", sa.Boolean),
    sa.column("adds", sa.Text),
)
NAMES = ("project_id", "figure", "pairs", "key", "number")
TALLY = sa.table("tally", *map(sa.column, NAMES))
REVISION = "revision"
AT_A_TIME = 1000


def upgrade() -> None:
    """Add up anew what each pair adds. Recount pairs with an invalid run, which add more now."""
    connection, of = op.get_bind(), OUTCOME.c
    numbers: Counter[tuple[str, str, str, str]] = Counter()
    revisions = sa.select(TALLY.c.project_id, TALLY.c.number).where(TALLY.c.figure == REVISION)
    for kept in connection.execute(revisions):
        numbers[kept.project_id, REVISION, "", ""] = kept.number
    query = sa.select(of.project_id, of.one, of.two, of.revealed, of.valid, of.adds)
    for row in connection.execute(query, execution_options={"yield_per": AT_A_TIME}):
        pairs = ""
        if row.revealed and row.one != row.two:
            pairs = f"{row.one}|{row.two}|{'valid' if row.valid else 'other'}"
        for figure, key, number in json.loads(row.adds):
            numbers[row.project_id, figure, pairs, key] += number
    op.drop_table("tally")
    op.create_table(
        "tally",
        sa.Column("project_id", sa.String(64), nullable=False),
        sa.Column("figure", sa.String(40), nullable=False),
        sa.Column("pairs", sa.String(200), nullable=False),
        sa.Column("key", sa.String(400), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "figure", "pairs", "key", name="pk_tally"),
    )
    rows = [dict(zip(NAMES, (*place, number), strict=True)) for place, number in numbers.items() if number]
    for start in range(0, len(rows), AT_A_TIME):
        connection.execute(sa.insert(TALLY), rows[start : start + AT_A_TIME])
    op.execute("INSERT INTO stale (comparison_id) SELECT comparison_id FROM outcome WHERE NOT valid")
