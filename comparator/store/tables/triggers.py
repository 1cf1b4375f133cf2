"""Triggers: what was said is only ever inserted, outside a purge."""

from __future__ import annotations

from sqlalchemy import Connection

INSERT_ONLY = (
    "adjudication",
    "attempt",
    "change",
    "event",
    "finalisation",
    "judgment",
    "label",
    "note",
    "reveal",
)
NEVER_UPDATED = (
    "ab_key",
    "artifact",
    "file_original",
    "finding",
    "run_pair",
    "task_version",
    "view",
    "view_file",
    "view_source",
)
"""These too are facts; they differ only in that nobody said them."""

_FUNCTION = """
CREATE OR REPLACE FUNCTION comparator_insert_only() RETURNS trigger AS $body$
BEGIN
  IF EXISTS (SELECT 1 FROM purge_permit) THEN
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'rows of % are only ever inserted', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$body$ LANGUAGE plpgsql
"""


def statements(dialect: str) -> tuple[str, ...]:
    """The DDL of all triggers for "sqlite" or "postgresql"; the tables must exist."""
    tables = (*INSERT_ONLY, *NEVER_UPDATED)
    if dialect == "sqlite":
        return (
            *(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "  # noqa: S608  # our own names
                "WHEN NOT EXISTS (SELECT 1 FROM purge_permit) "
                f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever inserted'); END"
                for table in tables
                for verb in ("UPDATE", "DELETE")
            ),
        )
    return (
        _FUNCTION,
        *(
            f"CREATE TRIGGER {table}_insert_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION comparator_insert_only()"
            for table in tables
        ),
    )


def drop(connection: Connection) -> None:
    """Drop whatever triggers there are, and our functions behind them."""
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").scalars()
        for name in found.all():
            connection.exec_driver_sql(f'DROP TRIGGER "{name}"')
        return
    found = connection.exec_driver_sql(
        "SELECT oid::regprocedure::text FROM pg_proc "
        "WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname, 'comparator_')"
    ).scalars()
    for name in found.all():
        # Each trigger goes with its function.
        connection.exec_driver_sql(f"DROP FUNCTION {name} CASCADE")


def create(connection: Connection) -> None:
    """Create all triggers."""
    for statement in statements(connection.dialect.name):
        # PostgreSQL's driver takes a single percent sign for a placeholder; SQLite's statements have none.
        connection.exec_driver_sql(statement.replace("%", "%%"))
