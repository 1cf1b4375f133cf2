"""Histories of any size, written straight into a database: consistent rows, their rollups included."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from bench.generated_ground import AT_A_TIME, START, Ids, Shape, lay_ground, shape
from bench.generated_judgments import RUBRIC, judged_pair
from bench.generated_pairs import put_comparison
from comparator.reporting.tally.counting import Adds
from comparator.reporting.tally.keeping import add
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.unit import Unit
from comparator.store.judging import rubrics
from comparator.store.people import projects
from comparator.store.rollup import totals
from comparator.store.tables import triggers

POOL = 120
"""Different judgments that are drawn from; a database of a million pairs holds each many times."""


class Written(NamedTuple):
    """What was written."""

    project_id: str
    comparisons: int
    tasks: int


def generate(database: Database, comparisons: int, *, seed: int = 1, name: str = "Generated") -> Written:
    """Write a revealed project of so many judged comparisons, a tenth of them reviewed; a few thousand rows at a time.

    The database must have its tables, and nobody else may write to it meanwhile: its triggers are away for so long.
    """
    wanted, rng = shape(comparisons), random.Random(seed)
    pool = [judged_pair(rng) for _ in range(POOL)]
    ids = Ids()
    with database.write() as connection:
        for statement in _without_triggers(connection):
            connection.exec_driver_sql(statement)
        project_id = projects.ensure_project(Unit(connection, at=START, new_id=ids), name).id
        rubric_id = rubrics.add(
            Unit(connection, at=START, new_id=ids),
            RUBRIC,
            project_id=project_id,
            task_version_id=None,
            author_kind="person",
            author="generator",
        ).id
        ground = lay_ground(connection, project_id, wanted, ids)
    tally: Adds = Counter()
    every = _pairs(wanted)
    while part := tuple(itertools.islice(every, AT_A_TIME)):
        rows: dict[str, list[dict[str, Any]]] = {}
        for number, task, first, second in part:
            put_comparison(rows, tally, ground, pool, rng, ids, number, task, first, second, rubric_id)
        with database.write() as connection:
            for table_name, listed in rows.items():
                _insert(connection, tables.metadata.tables[table_name], listed)
    with database.write() as connection:
        add(connection, project_id, tally)
        totals.recount(connection)
        for statement in triggers.statements(connection.dialect.name):
            connection.exec_driver_sql(statement.replace("%", "%%"))
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")
    return Written(project_id, comparisons, wanted.tasks)


def _pairs(wanted: Shape) -> Iterator[tuple[int, int, int, int]]:
    """Number, task, and the two candidates of each comparison."""
    meetings = tuple(itertools.combinations(range(wanted.candidates), 2))
    every = ((task, *both) for task in range(wanted.tasks) for both in meetings)
    for number, (task, first, second) in enumerate(itertools.islice(every, wanted.comparisons)):
        yield number, task, first, second


def _insert(connection: sa.Connection, table: sa.Table, listed: Sequence[dict[str, Any]]) -> None:
    """Insert the rows; on PostgreSQL by COPY, or a million comparisons would take most of an hour."""
    if connection.dialect.name == "sqlite":
        connection.execute(table.insert(), listed)
        return
    sent = [
        (column.name, column.type.dialect_impl(connection.dialect).bind_processor(connection.dialect))
        for column in table.columns
        if column.name in listed[0]
    ]
    names = ", ".join(f'"{name}"' for name, _ in sent)
    # What the rows refer to was written by us a moment ago.
    connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
        for row in listed:
            copy.write_row([process(row[name]) if process else row[name] for name, process in sent])


def _without_triggers(connection: sa.Connection) -> tuple[str, ...]:
    """Statements that take our triggers away."""
    if connection.dialect.name == "sqlite":
        names = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").scalars()
        return tuple(f"DROP TRIGGER {name}" for name in names)
    found = connection.exec_driver_sql(
        "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal"
    )
    return tuple(f"DROP TRIGGER {name} ON {table}" for name, table in found)
