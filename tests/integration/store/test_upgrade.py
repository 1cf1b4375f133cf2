"""Databases of earlier versions are upgraded: nothing is lost, and every verdict goes out as it did before."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import pytest
import sqlalchemy as sa

from comparator.domain.errors import InputError, StoreError
from comparator.domain.scoring.result import ComparisonResult
from comparator.jobs.batches import start_batches
from comparator.jobs.worker import Worker
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.migrations import HEAD
from comparator.store.pairs import measures
from comparator.store.rollup import rollup
from comparator.store.rollup.rollup import Status
from comparator.store.tables import triggers
from comparator.store.upkeep.changed_verdicts import changed_verdicts, report
from comparator.store.upkeep.rows import TRANSIENT
from comparator.workflow.exporting.comparison_json import result_json
from comparator.workflow.services import Services
from tests.integration.store.test_schema import described
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.stored import changed_by_design, expected, grown, lay_out

OLD = "0006"
RENAMED = {"standing": "rollup", "standing_count": "rollup_count", "looked": "file_seen", "pair": "run_pair"}


@pytest.fixture
def old(empty_database_url: str, tmp_path: Path) -> Iterator[Services]:
    """Services on a database that the version before the first release left."""
    blobs = lay_out(OLD, url=empty_database_url, folder=tmp_path)
    services = Services(
        environment=os.environ,
        settings=Settings(home=tmp_path / "home"),
        database=Database.open(empty_database_url),
        blobs=BlobStore.at(str(blobs)),
    )
    yield services
    services.close()


def counts(database: Database) -> dict[str, int]:
    with database.read() as connection:
        return {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in tables.metadata.sorted_tables
        }


def test_an_old_database_says_what_to_do(old: Services) -> None:
    with pytest.raises(StoreError, match="comparator db upgrade"):
        old.database.check()


def test_an_upgraded_schema_is_that_of_a_new_database(
    old: Services, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    sqlite = old.database.engine.dialect.name == "sqlite"
    new = Database.open(
        f"sqlite:///{tmp_path / 'new.db'}" if sqlite else request.getfixturevalue("migrated_postgres_url")
    )

    old.database.upgrade()

    old.database.check()
    assert described(old.database) == described(new)
    new.close()


def test_an_upgrade_keeps_every_row_and_every_exported_verdict_but_those_that_are_listed(
    old: Services,
) -> None:
    before, listed = expected(OLD), changed_by_design(OLD)

    old.database.upgrade()

    # Those whose figures are to be counted anew are noted, too; sums are kept apart by candidates.
    left = {*TRANSIENT, "stale", "progress", "tally"}
    stays = {RENAMED.get(name, name): n for name, n in before["counts"].items() if name not in left}
    # Each finalised verdict that changes is noted in the audit log.
    stays["event"] += sum(each["finalised"] for each in listed.values())
    now = {name: n for name, n in counts(old.database).items() if name not in left}
    assert {name: n for name, n in now.items() if name in stays} == stays
    assert {n for name, n in now.items() if name not in stays} == {0}
    exported = {id: text for id, text in before["results"].items() if text is not None}
    assert len(exported) > 30
    changed = {id for id, text in exported.items() if result_json(old, id) != text}
    assert changed == set(listed)


def test_finalised_verdicts_that_an_upgrade_changes_are_named_with_what_is_left_out(old: Services) -> None:
    listed = {id for id, each in changed_by_design(OLD).items() if each["finalised"]}
    began = datetime.now(UTC)

    old.database.upgrade()

    with old.database.read() as connection:
        told = changed_verdicts(connection, since=began)
    assert {each.comparison_id for each in told} == listed
    assert all(each.left_out for each in told)
    assert report(told).startswith(f"{len(listed)} finalised verdicts changed: ")
    for each in told:
        before, now = (
            json.loads(expected(OLD)["results"][each.comparison_id]),
            ComparisonResult.from_json(result_json(old, each.comparison_id)),
        )
        assert now.winner.value == before["winner"] == each.winner
        kept = {"content", "structure"}
        for side in "AB":
            for dimension in kept:
                assert (
                    before["rubric"][side][dimension].items()
                    >= now.model_dump(mode="json")["rubric"][side][dimension].items()
                )


def test_a_finalised_verdict_is_open_again_and_listed_where_nothing_of_a_dimension_was_assessed(
    old: Services,
) -> None:
    finalised = {id for id, each in changed_by_design(OLD).items() if each["finalised"]}
    began = datetime.now(UTC)
    with old.database.engine.begin() as connection:
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql(
            "DROP TRIGGER attempt_no_update" if sqlite else "ALTER TABLE attempt DISABLE TRIGGER ALL"
        )
        query = (
            "SELECT a.id, a.answer FROM attempt a JOIN judgment j ON j.id = a.judgment_id "
            "WHERE j.judge_kind = 'offline' AND a.answer IS NOT NULL"
        )
        for id, text in connection.exec_driver_sql(query).all():
            answer = json.loads(text)
            for path, both in answer["criteria"].items():
                if path.startswith("structure."):
                    for mark in both.values():
                        mark["measured"] = False
            connection.execute(
                sa.text("UPDATE attempt SET answer = :answer WHERE id = :id"),
                {"id": id, "answer": json.dumps(answer)},
            )

    old.database.upgrade()

    with old.database.read() as connection:
        told = changed_verdicts(connection, since=began)
    assert {each.comparison_id for each in told} == finalised
    open_again = [each for each in told if each.unassessed]
    assert open_again
    for each in open_again:
        assert each.unassessed == ("structure",)
        assert "nothing of the structure was assessed; the review is open again" in report(told)
        with old.database.read() as connection:
            derived = rollup.derive(connection, each.comparison_id)
            stored = sa.select(*(tables.rollup.c[name] for name in derived)).where(
                tables.rollup.c.comparison_id == each.comparison_id
            )
            assert dict(connection.execute(stored).mappings().one()) == derived
        assert derived["winner"] is None
        with pytest.raises(InputError):
            result_json(old, each.comparison_id)


def test_what_lists_show_after_an_upgrade_is_what_would_be_derived(old: Services) -> None:
    old.database.upgrade()

    r = tables.rollup.c
    with old.database.read() as connection:
        for comparison_id in changed_by_design(OLD):
            derived = rollup.derive(connection, comparison_id)
            stored = sa.select(*(r[name] for name in derived)).where(r.comparison_id == comparison_id)
            assert dict(connection.execute(stored).mappings().one()) == derived
        unset = sa.select(r.comparison_id).where(r.winner.is_not(None), r.left_out.is_(None))
        assert connection.execute(unset).all() == []


def test_an_upgrade_has_nothing_judged_again(old: Services, model: LoopbackServer) -> None:
    old.database.upgrade()

    with old.database.read() as connection:
        judged = connection.execute(
            sa.select(tables.rollup.c.comparison_id).where(tables.rollup.c.judge_winner.is_not(None))
        ).scalars()
        waiting = {
            id
            for project in connection.execute(sa.select(tables.project.c.id)).scalars()
            for id in start_batches.waiting(connection, project)
        }
        assert not waiting & set(judged)
    assert model.requests == []


def test_what_was_there_before_is_kept(old: Services) -> None:
    kept = old.database.upgrade()

    if old.database.engine.dialect.name == "sqlite":
        assert kept is not None
        assert kept.stat().st_mode & 0o077 == 0
        with closing(sqlite3.connect(kept)) as connection:
            rows = connection.execute("SELECT count(*) FROM standing").fetchone()
    else:
        with old.database.read() as reading:
            rows = reading.exec_driver_sql(f"SELECT count(*) FROM comparator_{OLD}.standing").fetchone()
    assert rows is not None
    assert tuple(rows) == (expected(OLD)["counts"]["standing"],)
    assert old.database.upgrade() is None


def test_an_upgrade_that_fails_leaves_everything_as_it_was(
    old: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = described(old.database)

    def breaks(_: sa.Connection) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(triggers, "create", breaks)
        with pytest.raises(StoreError, match="disk is full"):
            old.database.upgrade()

    assert described(old.database) == before
    old.database.upgrade()
    old.database.check()


def taken_by_a_worker(database: Database) -> str:
    """A pair of the running batch that a worker of the older version has in hand; its id."""
    at = "2026-11-23 08:48:01.000000"
    with database.engine.begin() as connection:
        pair = connection.exec_driver_sql(
            "SELECT i.comparison_id FROM batch_item i JOIN batch b ON b.id = i.batch_id "
            "WHERE b.state = 'running' ORDER BY i.position"
        ).scalar()
        assert isinstance(pair, str)
        for statement in (
            f"INSERT INTO worker (id, build, joined_at, beat_at) VALUES ('w', '1', '{at}', '{at}')",
            f"INSERT INTO lease (key, worker, at) VALUES ('{pair}', 'w', '{at}')",
            f"UPDATE batch_item SET state = 'running' WHERE comparison_id = '{pair}'",
            (
                "INSERT INTO progress "
                "(comparison_id, state, step, worker, judge_kind, judge_model, started_at, beat_at) "
                f"VALUES ('{pair}', 'running', 'Reading', 'w', 'anthropic', 'claude-sonnet-5-5', '{at}', '{at}')"
            ),
        ):
            connection.exec_driver_sql(statement)
    return pair


@pytest.mark.parametrize("begun", [False, True], ids=["waiting", "begun"])
def test_a_running_batch_is_finished_after_an_upgrade(
    old: Services, model: LoopbackServer, begun: bool
) -> None:
    if begun:
        taken_by_a_worker(old.database)
    old.database.upgrade()

    asyncio.run(Worker(old, idle_seconds=0.0).run())

    with old.database.read() as connection:
        waiting = connection.execute(
            sa.select(tables.batch_item.c.comparison_id)
            .join(tables.rollup, tables.rollup.c.comparison_id == tables.batch_item.c.comparison_id)
            .where(tables.rollup.c.status == Status.TO_JUDGE.value)
        ).all()
        states = connection.execute(sa.select(tables.batch.c.state).distinct()).scalars().all()
        not_measured = measures.missing(connection, most=1)
    assert waiting == []
    assert not not_measured
    assert states == ["done"]
    assert model.requests


def test_a_schema_from_before_those_is_refused_by_name(database: Database) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0003'")

    with pytest.raises(StoreError, match=f"schema 0003; this version upgrades from {OLD} on"):
        database.upgrade()


def test_a_new_database_is_of_the_newest_revision(database: Database) -> None:
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == HEAD


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_a_project_of_10_000_pairs_is_upgraded_and_every_verdict_is_as_it_was_or_listed(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    path = tmp_path / "old.db"
    blobs = lay_out(OLD, url=f"sqlite:///{path}", folder=tmp_path)
    copies: dict[str, list[str]] = {}
    for project, number in (("Examples", 20), ("Running", 20), ("Settled", 416)):
        copies |= grown(path, project=project, copies=number)
    services = Services(
        settings=Settings(home=tmp_path / "home"),
        database=Database.open(f"sqlite:///{path}"),
        blobs=BlobStore.at(str(blobs)),
    )
    began = monotonic()

    services.database.upgrade()

    record_property("upgrade_seconds", monotonic() - began)
    with services.database.read() as connection:
        t = tables.comparison.c
        largest = sa.select(sa.func.count()).select_from(tables.comparison).group_by(t.project_id)
        assert max(connection.execute(largest).scalars()) > 10_000
    results, listed = expected(OLD)["results"], changed_by_design(OLD)
    exported = {id: text for id, text in results.items() if text is not None and id in copies}
    changed = {
        id for id, text in exported.items() for copy in copies[id] if result_json(services, copy) != text
    }
    assert changed == set(listed) & set(exported)
    services.close()
