"""Databases that an older version left, with what it exported from them."""

from __future__ import annotations

import json
import lzma
import sqlite3
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import psycopg

STORED = Path(__file__).parents[2] / "integration" / "store" / "stored"


def expected(revision: str) -> dict[str, Any]:
    """What the older version said of it: `counts` of rows by table, `results` by comparison, and ids."""
    found: dict[str, Any] = json.loads(lzma.decompress((STORED / revision / "expected.json.xz").read_bytes()))
    return found


def changed_by_design(revision: str) -> dict[str, dict[str, Any]]:
    """Which of those verdicts go out otherwise by now: whether a person finalised it, and why, by comparison."""
    found: dict[str, dict[str, Any]] = json.loads((STORED / revision / "changed.json").read_text("utf-8"))
    return found


def lay_out(revision: str, *, url: str, folder: Path) -> Path:
    """Fill the empty database at the address as the older version left it; the folder of its blobs."""
    if url.startswith("sqlite"):
        path = Path(url.removeprefix("sqlite:///"))
        path.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(path) as connection:
            connection.executescript(_text(revision, "sqlite"))
        connection.close()
    else:
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as server:
            server.execute(_text(revision, "postgresql").encode())
    with tarfile.open(
        fileobj=BytesIO(lzma.decompress((STORED / revision / "blobs.tar.xz").read_bytes()))
    ) as tar:
        tar.extractall(folder, filter="data")
    return folder / "blobs"


def _text(revision: str, kind: str) -> str:
    return lzma.decompress((STORED / revision / f"{kind}.sql.xz").read_bytes()).decode()


def grown(path: Path, *, project: str, copies: int) -> dict[str, list[str]]:
    """Put copies of all that belongs to a project's tasks beside it, in a SQLite file; each comparison's copies."""
    with sqlite3.connect(path) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        columns = {
            name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for name in names
        }
        leads = {
            name: [(row[3], row[2]) for row in connection.execute(f"PRAGMA foreign_key_list({name})")]
            for name in names
        }
        rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}
        tasks = connection.execute(
            "SELECT task.id FROM task JOIN project ON project.id = task.project_id WHERE name = ?", [project]
        )
        own = _below({("task", id) for (id,) in tasks}, columns=columns, leads=leads, rows=rows)
        ids = {row[0] for name, those in own.items() if columns[name][0] == "id" for row in those}
        # A set of passes has a name of its own in each comparison.
        at = columns["judgment"].index("set_digest")
        ids |= {row[at] for row in own["judgment"]} | {
            row[columns["task"].index("key")] for row in own["task"]
        }
        connection.execute("PRAGMA foreign_keys = OFF")
        for trigger, _ in _triggers(connection):
            connection.execute(f"DROP TRIGGER {trigger}")
        for name, those in own.items():
            numbered = columns[name][0] == "id" and isinstance(those[0][0], int)
            marks = ", ".join("?" * len(columns[name]))
            connection.executemany(
                f"INSERT INTO {name} VALUES ({marks})",
                (
                    [
                        None if numbered and n == 0 else f"{value}c{copy}" if value in ids else value
                        for n, value in enumerate(row)
                    ]
                    for copy in range(copies)
                    for row in those
                ),
            )
    connection.close()
    return {row[0]: [f"{row[0]}c{copy}" for copy in range(copies)] for row in own["comparison"]}


def _below(
    known: set[tuple[str, str]],
    *,
    columns: dict[str, list[str]],
    leads: dict[str, list[tuple[str, str]]],
    rows: dict[str, list[Any]],
) -> dict[str, list[Any]]:
    """The rows of these ids, and all that refer to one of them, however far."""
    found: dict[str, list[Any]] = {}
    before = -1
    while before != len(known):
        before = len(known)
        for name, those in rows.items():
            at = [(columns[name].index(column), table) for column, table in leads[name]]
            found[name] = [
                row
                for row in those
                if (name, row[0]) in known or any((table, row[n]) in known for n, table in at)
            ]
            if columns[name][0] == "id":
                known |= {(name, row[0]) for row in found[name]}
    return {name: those for name, those in found.items() if those}


def _triggers(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
