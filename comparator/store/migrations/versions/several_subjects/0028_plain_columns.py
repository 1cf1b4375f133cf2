"""Columns and stored values with names that need no explanation; every row stays as it is otherwise."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

COLUMNS = (
    ("comparison", "may_be_told", "may_reveal"),
    ("entry_try", "whose", "source"),
    ("finding", "said", "speaker"),
    ("outcome", "held_against", "compared"),
)
KINDS = {"told": "revealing", "judge_told": "judge_revealing"}
FIGURES = {"said": "score_reviewed", "said_model": "score_reviewed_model"}
IN_KEYS = {
    "|told|": "|revealing|",
    "|told:": "|revealing:",
    "|judge_told|": "|judge_revealing|",
}
"""How a review was made, or whose verdict it is, as part of a figure's key."""


def upgrade() -> None:
    """Rename the columns; what adds up to the tally is renamed in each pair and in the sums alike."""
    for table, old, new in COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    op.drop_index("ix_entry_try_whose_at", "entry_try")
    op.create_index("ix_entry_try_source_at", "entry_try", ["source", "at"])
    for old, new in KINDS.items():
        _set("outcome", "kind", old, new)
    for old, new in FIGURES.items():
        _set("tally", "figure", old, new)
        _replace("outcome", "adds", f'["{old}"', f'["{new}"')
    for old, new in IN_KEYS.items():
        _replace("tally", "key", old, new)
        _replace("outcome", "adds", old, new)


def _set(table: str, column: str, old: str, new: str) -> None:
    named: sa.ColumnClause[str] = sa.column(column)
    op.execute(sa.update(sa.table(table, named)).values({column: new}).where(named == old))


def _replace(table: str, column: str, old: str, new: str) -> None:
    named: sa.ColumnClause[str] = sa.column(column)
    renamed = sa.update(sa.table(table, named)).values({column: sa.func.replace(named, old, new)})
    op.execute(renamed.where(named.contains(old)))
