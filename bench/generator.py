"""Histories of any size: the demo's judged, reviewed and revealed pairs, and copies that the database makes of them."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa

from bench.browser import ROOT
from comparator.domain.project import ReviewMode
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import changed
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.services import Services
from tests.browser.servers.real_app import App
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World

LINES = ROOT / "examples" / "demo" / "comparisons.jsonl"
NAME = "Generated"
KEPT = ROOT / "build" / "bench-histories"
"""The databases and their blobs stay here for the next time."""
BLOBS = str(KEPT / "blobs")
ITERATIONS, TASKS = 35, 60
"""Of the experiment over time."""
_MOVED = {tables.task.c.key, tables.judgment.c.set_digest, tables.review.c.judgment_set}
"""Columns that differ from copy to copy, beside ids and references."""


@contextmanager
def served(comparisons: int, *, waiting: bool = False) -> Iterator[str]:
    """The address of a new app on a history; `waiting` is one that nobody has reviewed."""
    with tempfile.TemporaryDirectory(prefix="bench-home-") as home:
        stored = {
            "COMPARATOR_DATABASE_URL": kept(comparisons, waiting=waiting)[0],
            "COMPARATOR_BLOB_URL": BLOBS,
        }
        with App(Path(home), examples=False, **stored) as server:
            yield server.url


def kept(comparisons: int, *, waiting: bool = False) -> tuple[str, str, str]:
    """The addresses of a history's database, the ids of its project and of a task; 0 comparisons: the experiment."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{comparisons}{'-waiting' * waiting}.db"
    if not path.exists():
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        with closing(Database.open(f"sqlite:///{part}")) as database:
            database.upgrade()
            if comparisons:
                generate(database, comparisons, waiting=waiting)
            else:
                world = World(database, BlobStore.at(BLOBS), project=NAME)
                Experiment(world, iterations=ITERATIONS, tasks_of=TASKS).build()
        part.rename(path)
    url = f"sqlite:///{path}"
    with closing(Database.open(url)) as database:
        ids = sa.select(tables.project.c.id, tables.task.c.id).join(tables.task)
        with database.read() as connection:
            own = connection.execute(ids.where(tables.project.c.name == NAME).limit(1))
            return url, *own.one()


def generate(database: Database, comparisons: int, *, waiting: bool = False) -> None:
    """Fill an empty database, to which nobody else writes, with a revealed project of about so many comparisons, or one
    that is judged and waits for review."""
    with tempfile.TemporaryDirectory(prefix="bench-home-") as home:
        rows = [json.loads(line) for line in LINES.read_text("utf-8").splitlines()]
        for row in rows if waiting else ():
            row["history"] = {"judgment": row["history"]["judgment"]}
        lines = Path(home) / LINES.name
        lines.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        services = Services(settings=Settings(home=Path(home)), database=database, blobs=BlobStore.at(BLOBS))
        request = ImportRequest(path=lines, project=NAME, mode=ReviewMode.BLIND_FIRST)
        import_path(services, request, on_step=lambda _: None)
    # Tasks, views, and all that needs one of them, however far; a table comes behind those that it refers to.
    copied = {tables.task, tables.view}
    for table in tables.metadata.sorted_tables:
        needs = any(key.column.table in copied and not key.parent.nullable for key in table.foreign_keys)
        if needs or table is tables.attempt:
            copied.add(table)
    for number in range(1, round(comparisons / len(rows))):
        with database.write() as connection:
            _copy(connection, copied, f"{number:05d}")
    with database.write() as connection:
        own = sa.select(tables.project.c.id).where(tables.project.c.name == NAME)
        changed(connection, projects=[str(connection.scalar(own))])
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")


def _copy(connection: sa.Connection, copied: set[sa.Table], prefix: str) -> None:
    """Put what was imported into the database once more: digits before its ids, with which no other id begins."""
    if connection.dialect.name == "postgresql":
        # What the rows refer to is there; to look for it each time would take most of an hour.
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
    for table in filter(copied.__contains__, tables.metadata.sorted_tables):
        references = {key.parent.name for key in table.foreign_keys if key.column.table in copied}
        moved = {"id", *references, *(column.name for column in _MOVED if column.table is table)}
        own = next(column for column in table.columns if column.name in moved and not column.nullable)
        values = [
            sa.literal(prefix).concat(sa.func.substr(column, 1, 59)) if column.name in moved else column
            for column in table.columns
        ]
        original = sa.select(*values).where(own >= "1")
        connection.execute(table.insert().from_select([column.name for column in table.columns], original))
