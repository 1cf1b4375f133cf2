"""What the dashboards count by: outcomes, their tally, and triggers that note what is to be counted anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

CHANGES = (
    ("standing", "INSERT"),
    ("standing", "UPDATE"),
    ("reveal_comparison", "INSERT"),
    ("review", "UPDATE"),
    ("adjudication", "INSERT"),
    ("label", "INSERT"),
    ("guess", "INSERT"),
    ("draw", "INSERT"),
)
_OF_RUN = "SELECT comparison_id FROM pair WHERE run_low = NEW.id OR run_high = NEW.id"
_OF_CANDIDATE = (
    "SELECT pair.comparison_id FROM pair JOIN run ON run.id = pair.run_low OR run.id = pair.run_high "
    "WHERE run.candidate_id = NEW.id"
)
SPREADING = (
    ("run", "OLD.state <> NEW.state", _OF_RUN),
    ("candidate", "OLD.merged_into IS DISTINCT FROM NEW.merged_into", _OF_CANDIDATE),
)


def _marks(dialect: str) -> tuple[str, ...]:
    """The DDL of the triggers that note which comparisons are to be counted anew."""
    if dialect == "sqlite":
        # One writer at a time, so a note that is there already says enough.
        return (
            *(
                f"CREATE TRIGGER {table}_stale_{act.lower()} AFTER {act} ON {table} BEGIN "  # noqa: S608  # our own names
                f"INSERT INTO stale (comparison_id) SELECT NEW.comparison_id WHERE NOT EXISTS "
                f"(SELECT 1 FROM stale WHERE comparison_id = NEW.comparison_id); END"
                for table, act in CHANGES
            ),
            *(
                f"CREATE TRIGGER {table}_stale AFTER UPDATE ON {table} WHEN "
                f"{condition.replace('IS DISTINCT FROM', 'IS NOT')} "
                f"BEGIN INSERT INTO stale (comparison_id) {which}; END"
                for table, condition, which in SPREADING
            ),
        )
    return (
        (
            "CREATE OR REPLACE FUNCTION comparator_stale() RETURNS trigger AS $body$ BEGIN "
            "INSERT INTO stale (comparison_id) VALUES (NEW.comparison_id); RETURN NEW; END $body$ LANGUAGE plpgsql"
        ),
        *(
            f"CREATE TRIGGER {table}_stale_{act.lower()} AFTER {act} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION comparator_stale()"
            for table, act in CHANGES
        ),
        *(
            f"CREATE OR REPLACE FUNCTION comparator_stale_of_{table}() RETURNS trigger AS $body$ BEGIN "
            f"INSERT INTO stale (comparison_id) {which}; RETURN NEW; END $body$ LANGUAGE plpgsql"
            for table, _, which in SPREADING
        ),
        *(
            f"CREATE TRIGGER {table}_stale AFTER UPDATE ON {table} "
            f"FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION comparator_stale_of_{table}()"
            for table, condition, _ in SPREADING
        ),
    )


def upgrade() -> None:
    """Add the tables; everything that is there is to be counted."""
    op.add_column("view", sa.Column("characters", sa.BigInteger(), nullable=True))
    op.add_column("view", sa.Column("marks", sa.BigInteger(), nullable=True))
    _create_outcome()
    op.create_table(
        "tally",
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("figure", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=400), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "figure", "key", name="pk_tally"),
    )
    op.create_table(
        "stale",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_stale"),
    )
    op.create_index("ix_stale_comparison_id", "stale", ["comparison_id"], unique=False)
    connection = op.get_bind()
    for statement in _marks(connection.dialect.name):
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql("INSERT INTO stale (comparison_id) SELECT comparison_id FROM standing")


def _create_outcome() -> None:
    op.create_table(
        "outcome",
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("one", sa.String(length=64), nullable=False),
        sa.Column("two", sa.String(length=64), nullable=False),
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("revealed", sa.Boolean(), nullable=False),
        sa.Column("valid", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=True),
        *(
            sa.Column(name, sa.BigInteger(), nullable=True)
            for name in (
                "points",
                "overall",
                "content",
                "structure",
                "pass_rate",
                "passed_one",
                "passed_two",
            )
        ),
        sa.Column("decided_by", sa.String(length=40), nullable=True),
        sa.Column("position_consistent", sa.Boolean(), nullable=True),
        sa.Column("judge_points", sa.BigInteger(), nullable=True),
        sa.Column("audited", sa.Boolean(), nullable=False),
        sa.Column("criteria", sa.Text(), nullable=True),
        sa.Column("adds", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("comparison_id", name="pk_outcome"),
    )
    op.create_index("ix_outcome_of_two", "outcome", ["project_id", "one", "two", "task_id"], unique=False)
