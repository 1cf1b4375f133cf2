"""The triggers of the tables that are only ever added to, as revision 0001 made them."""

from __future__ import annotations

from alembic import op

TABLES = (
    "adjudication",
    "answer",
    "attempt",
    "change",
    "comment",
    "criterion",
    "evidence",
    "event",
    "finalisation",
    "guess",
    "judgment",
    "label",
    "reveal",
    "reveal_comparison",
    "rubric_attempt",
    "tombstone",
    "ab_key",
    "artifact",
    "pair",
    "task_version",
    "view",
    "view_file",
    "view_source",
)

FUNCTION = """
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


def create() -> None:
    """Create these triggers."""
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        for table in TABLES:
            for verb in ("UPDATE", "DELETE"):
                connection.exec_driver_sql(
                    f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "  # noqa: S608  # our own names
                    "WHEN NOT EXISTS (SELECT 1 FROM purge_permit) "
                    f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever inserted'); END"
                )
        return
    # The driver takes a single percent sign for a placeholder.
    connection.exec_driver_sql(FUNCTION.replace("%", "%%"))
    for table in TABLES:
        connection.exec_driver_sql(
            f"CREATE TRIGGER {table}_insert_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION comparator_insert_only()"
        )
