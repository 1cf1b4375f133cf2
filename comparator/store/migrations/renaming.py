"""Renaming a table together with its indexes and constraints, on both databases."""

from __future__ import annotations

import re

import sqlalchemy as sa


def rename_table(connection: sa.Connection, old: str, new: str) -> None:
    """Rename a table to which no other refers; its indexes and constraints follow."""
    if connection.dialect.name == "sqlite":
        _rebuild(connection, old, new)
    else:
        _rename(connection, old, new)


def _rebuild(connection: sa.Connection, old: str, new: str) -> None:
    """SQLite keeps the names of constraints when a table is renamed, so the table is made anew from its own DDL."""
    made = connection.execute(
        sa.text(
            "SELECT type, name, sql FROM sqlite_master WHERE tbl_name = :old AND type IN ('table', 'index') "
            "AND sql IS NOT NULL ORDER BY type DESC"
        ),
        {"old": old},
    ).all()
    columns = ", ".join(f'"{column["name"]}"' for column in sa.inspect(connection).get_columns(old))
    for kind, name, sql in made:
        if kind == "index":
            connection.exec_driver_sql(f'DROP INDEX "{name}"')
        connection.exec_driver_sql(_renamed(sql, old, new))
        if kind == "table":
            connection.exec_driver_sql(f'INSERT INTO "{new}" ({columns}) SELECT {columns} FROM "{old}"')  # noqa: S608  # our own names
    connection.exec_driver_sql(f'DROP TABLE "{old}"')


def _rename(connection: sa.Connection, old: str, new: str) -> None:
    connection.exec_driver_sql(f'ALTER TABLE "{old}" RENAME TO "{new}"')
    constraints = connection.execute(
        sa.text("SELECT conname FROM pg_constraint WHERE conrelid = to_regclass(:table)"), {"table": new}
    ).scalars()
    for name in constraints.all():
        # The index behind a constraint is renamed with it.
        if (renamed := _renamed(name, old, new)) != name:
            connection.exec_driver_sql(f'ALTER TABLE "{new}" RENAME CONSTRAINT "{name}" TO "{renamed}"')
    others = connection.execute(
        sa.text(
            "SELECT c.relname, c.relkind FROM pg_class c WHERE c.oid IN (SELECT indexrelid FROM pg_index "
            "WHERE indrelid = to_regclass(:table) AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)) "
            "OR (c.relkind = 'S' AND c.oid IN (SELECT objid FROM pg_depend WHERE refobjid = to_regclass(:table)))"
        ),
        {"table": new},
    ).all()
    for name, kind in others:
        if (renamed := _renamed(name, old, new)) != name:
            what = "SEQUENCE" if kind == "S" else "INDEX"
            connection.exec_driver_sql(f'ALTER {what} "{name}" RENAME TO "{renamed}"')


def _renamed(text: str, old: str, new: str) -> str:
    """The text with the other name: alone, and where it is part of an index's or a constraint's name."""
    return re.sub(rf"(?<![a-z]){old}(?![a-z])", new, text)
