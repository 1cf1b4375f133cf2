"""How many comparisons stand where: a table of numbers, and triggers that keep it in step."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ALIKE = ("project_id", "status", "reviewed", "judge_model")


def _values(row: str) -> tuple[str, ...]:
    return (f"{row}.project_id", f"{row}.status", f"({row}.final_reviews > 0)", f"{row}.judge_model")


def _counts(dialect: str) -> tuple[str, ...]:
    """The DDL of the triggers that keep `standing_count` in step."""
    columns, old, new = ", ".join(ALIKE), _values("OLD"), _values("NEW")
    if dialect == "sqlite":

        def step(values: tuple[str, ...], by: str) -> str:
            alike = " AND ".join(f"{name} IS {value}" for name, value in zip(ALIKE, values, strict=True))
            found = f"SELECT min(id) FROM standing_count WHERE {alike}"  # noqa: S608  # our own names
            return (
                f"INSERT INTO standing_count ({columns}, number) SELECT {', '.join(values)}, 0 "  # noqa: S608
                f"WHERE ({found}) IS NULL; "
                f"UPDATE standing_count SET number = number {by} WHERE id = ({found}); "
            )

        differs = " OR ".join(f"{a} IS NOT {b}" for a, b in zip(old, new, strict=True))
        return (
            f"CREATE TRIGGER standing_count_insert AFTER INSERT ON standing BEGIN {step(new, '+ 1')}END",
            (
                f"CREATE TRIGGER standing_count_update AFTER UPDATE ON standing WHEN {differs} "
                f"BEGIN {step(old, '- 1')}{step(new, '+ 1')}END"
            ),
            f"CREATE TRIGGER standing_count_delete AFTER DELETE ON standing BEGIN {step(old, '- 1')}END",
        )
    # Rows are only added, so that nobody who alters one comparison waits for whoever alters another.
    into = f"INSERT INTO standing_count ({columns}, number) VALUES"
    differs = " OR ".join(f"{a} IS DISTINCT FROM {b}" for a, b in zip(old, new, strict=True))
    return (
        (
            "CREATE OR REPLACE FUNCTION comparator_count_standing() RETURNS trigger AS $body$ BEGIN "
            f"IF TG_OP <> 'INSERT' THEN {into} ({', '.join(old)}, -1); END IF; "
            f"IF TG_OP <> 'DELETE' THEN {into} ({', '.join(new)}, 1); END IF; "
            "RETURN NULL; END $body$ LANGUAGE plpgsql"
        ),
        *(
            f"CREATE TRIGGER standing_count_{act.lower()} AFTER {act} ON standing "
            f"FOR EACH ROW {when}EXECUTE FUNCTION comparator_count_standing()"
            for act, when in (("INSERT", ""), ("UPDATE", f"WHEN ({differs}) "), ("DELETE", ""))
        ),
    )


def upgrade() -> None:
    """Add the table, count what is there, and go on from then."""
    op.create_table(
        "standing_count",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("project_id", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("reviewed", sa.Boolean(), nullable=False),
        sa.Column("judge_model", sa.String(length=200), nullable=True),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_standing_count"),
    )
    op.create_index("ix_standing_count_alike", "standing_count", list(ALIKE), unique=False)
    connection = op.get_bind()
    connection.exec_driver_sql(
        "INSERT INTO standing_count (project_id, status, reviewed, judge_model, number) "
        "SELECT project_id, status, final_reviews > 0, judge_model, count(*) FROM standing "
        "GROUP BY project_id, status, final_reviews > 0, judge_model"
    )
    for statement in _counts(connection.dialect.name):
        connection.exec_driver_sql(statement)
