"""The numbers of where comparisons stand: in step with every write, on both databases, and few rows."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from comparator.reporting.history.listing import counts
from comparator.store import tables
from comparator.store.core.database import Connection
from comparator.store.core.ids import new_id
from comparator.store.core.unit import Unit
from comparator.store.pairs import comparison_list
from comparator.store.people import projects
from comparator.store.rollup import totals
from comparator.store.rollup.rollup import Status
from comparator.store.rollup.totals import Counted
from comparator.store.upkeep import purge
from tests.worlds.histories.pairs import START, World

_rollup = tables.rollup.c


def now(connection: Connection) -> list[Counted]:
    """The numbers that are kept, without those that came to nothing."""
    return sorted((each for each in totals.counted(connection) if each.number), key=str)


def told_by_the_rows(connection: Connection) -> list[Counted]:
    reviewed = _rollup.final_reviews > 0
    key = (_rollup.project_id, _rollup.status, reviewed, _rollup.judge_model)
    rows = connection.execute(sa.select(*key, sa.func.count()).group_by(*key))
    return sorted((Counted(row[0], row[1], bool(row[2]), row[3], row[4]) for row in rows), key=str)


def test_the_numbers_follow_whatever_is_written(world: World) -> None:
    ids = [world.compare().id for _ in range(6)]
    lots = random.Random(7)
    for _ in range(40):
        with world.database.write() as connection:
            connection.execute(
                tables.rollup.update()
                .where(_rollup.comparison_id.in_(lots.sample(ids, 3)))
                .values(
                    status=lots.choice([each.value for each in Status]),
                    final_reviews=lots.randint(0, 2),
                    judge_model=lots.choice([None, "one", "two"]),
                )
            )
            assert now(connection) == told_by_the_rows(connection)
    with world.database.write() as connection:
        connection.execute(tables.rollup.delete().where(_rollup.comparison_id == ids[0]))
    with world.database.write() as connection:
        assert now(connection) == told_by_the_rows(connection)
        kept = now(connection)
        totals.recount(connection)
        assert now(connection) == kept


def test_what_is_rolled_back_was_not_counted(world: World) -> None:
    world.compare()
    with world.database.read() as connection:
        before = now(connection)
    with world.database.engine.connect() as connection:
        connection.execute(tables.rollup.update().values(status=Status.FAILED.value))
        assert now(connection) != before
        connection.rollback()
    with world.database.read() as connection:
        assert now(connection) == before


def test_writers_at_the_same_moment_lose_no_number(world: World) -> None:
    ids = [world.compare().id for _ in range(8)]

    def turn(id: str) -> None:
        for status in (*Status, Status.DRAFT):
            with world.database.write() as connection:
                connection.execute(
                    tables.rollup.update().where(_rollup.comparison_id == id).values(status=status.value)
                )
                if status is Status.JUDGING:
                    totals.add_up(connection)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(turn, ids))

    with world.database.read() as connection:
        assert now(connection) == told_by_the_rows(connection)
        assert comparison_list.counts(connection)[Status.DRAFT] == 8


def test_the_rows_are_added_up_once_there_are_many(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "MANY", 20)
    id = world.compare().id
    for number in range(20):
        status = Status.DRAFT if number % 2 else Status.TO_REVIEW
        with world.database.write() as connection:
            connection.execute(
                tables.rollup.update().where(_rollup.comparison_id == id).values(status=status.value)
            )

    assert counts(world.database).drafts == 1
    with world.database.read() as connection:
        rows = connection.execute(sa.select(sa.func.count()).select_from(tables.rollup_count)).scalar_one()
        assert now(connection) == told_by_the_rows(connection)
    assert rows <= 3


def test_a_purged_project_leaves_no_number(world: World) -> None:
    world.compare()
    with world.database.write() as connection:
        other = projects.ensure_project(Unit(connection, at=START, new_id=new_id), "Other")
        purge.purge_project(
            Unit(connection, at=START, new_id=new_id), world.project.id, person_id=None, reason=""
        )
        assert connection.execute(sa.select(tables.rollup_count)).all() == []
        assert comparison_list.counts(connection, project_id=other.id)[Status.TO_JUDGE] == 0
