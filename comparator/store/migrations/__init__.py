"""The schema: its revisions, running them (no alembic.ini is needed), and triggers that keep what was said."""

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from comparator.store.tables import metadata

REVISIONS = ("first",)
"""All revisions, oldest first. There has been no release: the first one is edited in place until there is."""
HEAD = REVISIONS[-1]
FOLDER = Path(__file__).parent

_version = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def run(connection: Connection, *, to: str = "head") -> None:
    """Run the migrations that the database lacks, inside the connection's transaction."""
    from alembic import command  # Only an upgrade pays for this import.
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def create(connection: Connection) -> None:
    """All tables and triggers at once, in an empty database."""
    metadata.create_all(connection)
    create_triggers(connection)


def create_whole(connection: Connection) -> None:
    """The same, noted as the newest revision."""
    create(connection)
    _version.create(connection)
    connection.execute(_version.insert().values(version_num=HEAD))


INSERT_ONLY = (
    *("adjudication", "attempt", "change", "event", "finalisation", "judgment", "label", "note", "reveal"),
    # These too are facts; they differ only in that nobody said them.
    *("ab_key", "artifact", "file_original", "finding", "run_pair", "task_version"),
    *("view", "view_file", "view_source"),
)
_FUNCTION = """
CREATE OR REPLACE FUNCTION comparator_insert_only() RETURNS trigger AS $body$
BEGIN
  IF EXISTS (SELECT 1 FROM purge_permit) THEN
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'rows of %% are only ever inserted', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$body$ LANGUAGE plpgsql
"""
"""A percent sign is doubled, as PostgreSQL's driver takes a single one for a placeholder."""


def create_triggers(connection: Connection) -> None:
    """Create all triggers: what was said is only ever inserted, outside a purge. The tables must exist."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_FUNCTION)
        for table in INSERT_ONLY:
            connection.exec_driver_sql(
                f"CREATE TRIGGER {table}_insert_only BEFORE UPDATE OR DELETE ON {table} "
                "FOR EACH ROW EXECUTE FUNCTION comparator_insert_only()"
            )
        return
    for table in INSERT_ONLY:
        for verb in ("UPDATE", "DELETE"):
            connection.exec_driver_sql(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "  # noqa: S608  # our own names
                "WHEN NOT EXISTS (SELECT 1 FROM purge_permit) "
                f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever inserted'); END"
            )


def drop_triggers(connection: Connection) -> None:
    """Drop whatever triggers there are, and our functions behind them."""
    if connection.dialect.name == "sqlite":
        names, drop = "SELECT name FROM sqlite_master WHERE type = 'trigger'", 'DROP TRIGGER "{}"'
    else:
        # Each trigger goes with its function.
        drop = "DROP FUNCTION {} CASCADE"
        names = (
            "SELECT oid::regprocedure::text FROM pg_proc "
            "WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname, 'comparator_')"
        )
    for name in connection.exec_driver_sql(names).scalars().all():
        connection.exec_driver_sql(drop.format(name))
