"""Triggers: what was said is only ever inserted, outside a purge; what changed is noted or counted at once."""

from __future__ import annotations

import sqlalchemy as sa

INSERT_ONLY = (
    "adjudication",
    "attempt",
    "change",
    "event",
    "finalisation",
    "guidance",
    "guidance_split",
    "inquiry_call",
    "judgment",
    "label",
    "note",
    "reveal",
    "reveal_comparison",
    "rubric_attempt",
    "tombstone",
)
NEVER_UPDATED = (
    "ab_key",
    "artifact",
    "earlier_view",
    "file_original",
    "finding",
    "run_file",
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


CHANGES = (
    ("rollup", "INSERT"),
    ("rollup", "UPDATE"),
    ("reveal_comparison", "INSERT"),
    ("review", "UPDATE"),
    ("adjudication", "INSERT"),
    ("label", "INSERT"),
    ("note", "INSERT"),
    ("draw", "INSERT"),
)
"""What makes a comparison's figures stale, in the same transaction: a table and what is done to it."""
_OF_RUN = "SELECT comparison_id FROM run_pair WHERE run_low = NEW.id OR run_high = NEW.id"
_OF_CANDIDATE = (
    "SELECT run_pair.comparison_id FROM run_pair JOIN run ON run.id = run_pair.run_low OR run.id = run_pair.run_high "
    "WHERE run.candidate_id = NEW.id"
)
SPREADING = (
    ("run", "OLD.state <> NEW.state", _OF_RUN),
    ("candidate", "OLD.merged_into IS DISTINCT FROM NEW.merged_into", _OF_CANDIDATE),
)
"""Updates that concern several comparisons: `table`, when, and which."""


def _marks(dialect: str) -> tuple[str, ...]:
    """The DDL of the triggers that note which comparisons are to be counted anew."""
    if dialect == "sqlite":
        # One writer at a time, so a note that is there already says enough.
        return (
            *(
                f"CREATE TRIGGER {table}_stale_{operation.lower()} AFTER {operation} ON {table} BEGIN "  # noqa: S608  # our own names
                f"INSERT INTO stale (comparison_id) SELECT NEW.comparison_id WHERE NOT EXISTS "
                f"(SELECT 1 FROM stale WHERE comparison_id = NEW.comparison_id); END"
                for table, operation in CHANGES
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
            f"CREATE TRIGGER {table}_stale_{operation.lower()} AFTER {operation} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION comparator_stale()"
            for table, operation in CHANGES
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


_ALIKE = ("project_id", "status", "reviewed", "judge_model")


def _values(row: str) -> tuple[str, ...]:
    """What a row of `rollup` (OLD or NEW) is counted by, in the order of _ALIKE."""
    return (f"{row}.project_id", f"{row}.status", f"({row}.final_reviews > 0)", f"{row}.judge_model")


def _counts(dialect: str) -> tuple[str, ...]:
    """The DDL of the triggers that keep `rollup_count` in step."""
    columns, old, new = ", ".join(_ALIKE), _values("OLD"), _values("NEW")
    if dialect == "sqlite":

        def step(values: tuple[str, ...], by: str) -> str:
            alike = " AND ".join(f"{name} IS {value}" for name, value in zip(_ALIKE, values, strict=True))
            found = f"SELECT min(id) FROM rollup_count WHERE {alike}"  # noqa: S608  # our own names
            return (
                f"INSERT INTO rollup_count ({columns}, number) SELECT {', '.join(values)}, 0 "  # noqa: S608
                f"WHERE ({found}) IS NULL; "
                f"UPDATE rollup_count SET number = number {by} WHERE id = ({found}); "
            )

        differs = " OR ".join(f"{a} IS NOT {b}" for a, b in zip(old, new, strict=True))
        return (
            f"CREATE TRIGGER rollup_count_insert AFTER INSERT ON rollup BEGIN {step(new, '+ 1')}END",
            (
                f"CREATE TRIGGER rollup_count_update AFTER UPDATE ON rollup WHEN {differs} "
                f"BEGIN {step(old, '- 1')}{step(new, '+ 1')}END"
            ),
            f"CREATE TRIGGER rollup_count_delete AFTER DELETE ON rollup BEGIN {step(old, '- 1')}END",
        )
    # Rows are only added, so that nobody who alters one comparison waits for whoever alters another.
    into = f"INSERT INTO rollup_count ({columns}, number) VALUES"
    differs = " OR ".join(f"{a} IS DISTINCT FROM {b}" for a, b in zip(old, new, strict=True))
    return (
        (
            "CREATE OR REPLACE FUNCTION comparator_count_rollup() RETURNS trigger AS $body$ BEGIN "
            f"IF TG_OP <> 'INSERT' THEN {into} ({', '.join(old)}, -1); END IF; "
            f"IF TG_OP <> 'DELETE' THEN {into} ({', '.join(new)}, 1); END IF; "
            "RETURN NULL; END $body$ LANGUAGE plpgsql"
        ),
        *(
            f"CREATE TRIGGER rollup_count_{operation.lower()} AFTER {operation} ON rollup "
            f"FOR EACH ROW {when}EXECUTE FUNCTION comparator_count_rollup()"
            for operation, when in (("INSERT", ""), ("UPDATE", f"WHEN ({differs}) "), ("DELETE", ""))
        ),
    )


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
            *_marks(dialect),
            *_counts(dialect),
        )
    return (
        _FUNCTION,
        *(
            f"CREATE TRIGGER {table}_insert_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION comparator_insert_only()"
            for table in tables
        ),
        *_marks(dialect),
        *_counts(dialect),
    )


def drop(connection: sa.Connection) -> None:
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


def create(connection: sa.Connection) -> None:
    """Create all triggers."""
    for statement in statements(connection.dialect.name):
        # PostgreSQL's driver takes a single percent sign for a placeholder; SQLite's statements have none.
        connection.exec_driver_sql(statement.replace("%", "%%"))
