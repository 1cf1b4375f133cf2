"""What waits for a person is counted from their few notes and others' few claims, not by a walk over the project."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from comparator.store.core.database import Database
from comparator.store.core.sql import Unit
from comparator.store.people import people, projects
from comparator.store.reviewing import queue


def test_counts_for_one_person_do_not_walk_over_all_pairs_of_the_project(migrated_sqlite_url: str) -> None:
    database = Database.open(migrated_sqlite_url)
    at = datetime(2026, 3, 1, tzinfo=UTC)
    with database.write() as connection:
        unit = Unit(connection, at=at)
        project = projects.ensure_project(unit, "Rivers")
        person = people.ensure_person(unit, "local:ada", name="Ada")
    counts: list[tuple[str, Any]] = []

    def note(_c: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
        if statement.startswith("SELECT count(*)") and "comparison_id IN (SELECT" in statement:
            counts.append((statement, parameters))

    with database.read() as connection:
        unit = Unit(connection, at=at)
        sa.event.listen(connection, "before_cursor_execute", note)
        queue.waiting_for(unit, person_id=person.id, project_id=project.id)
        queue.answered_by(unit, person_id=person.id, project_id=project.id)
        sa.event.remove(connection, "before_cursor_execute", note)
        plans = [
            [
                row.detail
                for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given)
                if " fact " in f"{row.detail} "
            ]
            for sql, given in counts
        ]
    database.close()

    assert len(plans) == 3
    for plan in plans:
        assert plan
        assert all("(comparison_id=?)" in line for line in plan), plan
