"""The schema: a new one is complete, a later one is reached all or nothing, and a wrong one is named plainly."""

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from comparator.domain.errors import StoreError
from comparator.store import migrations, tables
from comparator.store.core.database import Database
from tests.worlds.databases import KINDS


def described(database: Database) -> dict[str, Any]:
    """Everything about the schema that the database can tell."""
    with database.read() as connection:
        inspector = sa.inspect(connection)
        schema: dict[str, Any] = {}
        for name in sorted(inspector.get_table_names()):
            schema[name] = {
                "columns": [
                    (c["name"], str(c["type"]), c["nullable"], c["default"])
                    for c in inspector.get_columns(name)
                ],
                "key": inspector.get_pk_constraint(name),
                "references": sorted(map(str, inspector.get_foreign_keys(name))),
                "unique": sorted(map(str, inspector.get_unique_constraints(name))),
                "checks": sorted(map(str, inspector.get_check_constraints(name))),
                "indexes": sorted(
                    str((i["name"], i["column_names"], bool(i["unique"]), _words(i.get("dialect_options"))))
                    for i in inspector.get_indexes(name)
                ),
            }
        triggers = (
            "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'"
            if connection.dialect.name == "sqlite"
            else "SELECT c.relname, t.tgname, pg_get_triggerdef(t.oid), p.prosrc FROM pg_trigger t "
            "JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal"
        )
        schema["triggers"] = sorted(map(str, connection.exec_driver_sql(triggers).fetchall()))
    return schema


def _words(options: dict[str, Any] | None) -> dict[str, str]:
    return {name: str(value) for name, value in (options or {}).items()}


def test_the_models_hold_nothing_that_the_migrations_lack(database: Database) -> None:
    with database.read() as connection:
        context = MigrationContext.configure(connection)
        differences = compare_metadata(context, tables.metadata)

    assert differences == []


def test_an_empty_postgresql_is_not_altered_without_being_asked(postgres_url: str) -> None:
    database = Database.open(postgres_url)

    with pytest.raises(StoreError, match="comparator db upgrade"):
        database.check()

    database.upgrade()
    database.check()
    database.close()


def test_a_schema_of_another_version_is_refused_by_name_and_left_alone(database: Database) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0030'")
    before = described(database)

    for act in (database.check, database.upgrade):
        with pytest.raises(
            StoreError, match=r"schema 0030.*Export its results with that version, then import"
        ):
            act()
    assert described(database) == before


@pytest.mark.parametrize(
    "step", ["op.add_column('person', sa.Column('later', sa.String))", "raise OSError('full')"]
)
def test_revisions_are_all_or_nothing(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    folder = tmp_path / "migrations"
    shutil.copytree(migrations.FOLDER, folder)
    (folder / "versions" / "second.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\nrevision, down_revision = 'second', 'first'\n"
        f"def upgrade():\n    op.execute('DELETE FROM project')\n    {step}\n"
    )
    monkeypatch.setattr(migrations, "FOLDER", folder)
    monkeypatch.setattr(migrations, "REVISIONS", ("first", "second"))
    monkeypatch.setattr(migrations, "HEAD", "second")
    before = described(database)
    with pytest.raises(StoreError, match="comparator db upgrade"):
        database.check()

    if step.startswith("raise"):
        with pytest.raises(OSError, match="full"):
            database.upgrade()
        assert described(database) == before
        return
    database.upgrade()

    database.check()
    assert "later" in {name for name, *_ in described(database)["person"]["columns"]}


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()

    database = Database.open(f"sqlite:///{path}")

    for act in (database.check, database.upgrade):
        with pytest.raises(StoreError, match="not ours"):
            act()
    with database.read() as connection:
        assert sa.inspect(connection).get_table_names() == ["recipes"]
    database.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_processes_may_upgrade_at_once(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    empty = (
        f"sqlite:///{tmp_path / 'new.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    )
    code = (
        "import sys\nfrom comparator.store.core.database import Database\n"
        "database = Database.open(sys.argv[1])\ndatabase.upgrade()\ndatabase.check()\n"
    )

    processes = [
        subprocess.Popen([sys.executable, "-c", code, empty], stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    errors = [process.communicate(timeout=60)[1] for process in processes]

    assert [process.returncode for process in processes] == [0] * 4, errors
    database = Database.open(empty)
    database.check()
    database.close()
