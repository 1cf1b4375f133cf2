"""The durable queue of the workers: work items of the dead go on, a lost queue is made anew, nothing in it is run."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from dbos._sys_db import SystemDatabase

from comparator.jobs import worker
from comparator.jobs.batches import manage_batches, start_batches
from comparator.jobs.batches.start_batches import BatchRequest
from comparator.jobs.work_queue import SCHEMA, QueueUnusable, WorkQueue, place_of
from comparator.jobs.worker import Worker
from comparator.store.bulk.batch_items import WaitingPair
from comparator.store.bulk.batches import Batch, BatchState
from comparator.store.core.database import Database
from comparator.workflow.judging.gate import Halted
from comparator.workflow.judging.read_pair import PairReading
from comparator.workflow.services import Services
from tests.loopback.bulk import seed, services_on
from tests.loopback.server import LoopbackServer


@pytest.fixture
def services(
    database: Database, tmp_path: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> Services:
    monkeypatch.setattr(worker, "LOOK_SECONDS", 0.1)
    return services_on(database, tmp_path, slots=6)


def work(services: Services) -> None:
    asyncio.run(Worker(services, idle_seconds=0.0).run())


async def nothing(*_: str) -> None:
    raise AssertionError("no work item is taken here")


def in_queue(batch: Batch, comparison_ids: Sequence[str]) -> list[WaitingPair]:
    return [WaitingPair(batch.id, id, 0, single=False) for id in comparison_ids]


@contextmanager
def queue_of(services: Services, *, name: str) -> Iterator[WorkQueue]:
    """The queue, to look at and put into; nothing is taken from it."""
    queue = WorkQueue(services, worker=name, at_once=2, read=nothing)
    queue.prepare()
    try:
        yield queue
    finally:
        queue.close()


@contextmanager
def tables_of(services: Services) -> Iterator[sa.Connection]:
    """The queue's own tables, as the library keeps them."""
    engine = sa.create_engine(place_of(services))
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(sa.text(f"SET search_path TO {SCHEMA}"))
            yield connection
    finally:
        engine.dispose()


@pytest.mark.slow
def test_work_items_of_a_worker_that_is_gone_go_to_the_living(
    services: Services, model: LoopbackServer
) -> None:
    made = seed(services, pairs=8)
    batch = start_batches.start(services, BatchRequest(project_id=made.project_id))
    with queue_of(services, name="gone") as queue:
        queue.offer(in_queue(batch, made.comparison_ids[:2]))
        with tables_of(services) as connection:
            taken = "UPDATE workflow_status SET status = 'PENDING', executor_id = 'gone'"
            assert connection.execute(sa.text(taken)).rowcount == 2
        assert {item.worker for item in queue.live()} == {"gone"}

    work(services)

    assert manage_batches.report(services, batch.id).counts.done == 8
    assert len(model.messages) == 3 * 8


@pytest.mark.slow
def test_a_work_item_whose_end_could_not_be_noted_keeps_nobody_from_its_pairs(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = seed(services, pairs=8)
    batch = start_batches.start(services, BatchRequest(project_id=made.project_id))
    read, note = PairReading.run, SystemDatabase.update_workflow_outcome
    given_back: list[PairReading] = []
    refused: list[object] = []

    async def not_at_once(reading: PairReading) -> None:
        if not given_back:
            given_back.append(reading)
            raise Halted
        await read(reading)

    def full_for_a_moment(queue: SystemDatabase, *given: Any, **more: Any) -> bool:
        # How it ended, and then that the first could not be written.
        if len(refused) < 2:
            refused.append(given)
            raise sa.exc.OperationalError("UPDATE", {}, Exception("database or disk is full"))
        return note(queue, *given, **more)

    monkeypatch.setattr(PairReading, "run", not_at_once)
    monkeypatch.setattr(SystemDatabase, "update_workflow_outcome", full_for_a_moment)

    asyncio.run(asyncio.wait_for(Worker(services, idle_seconds=0.0).run(), timeout=60))

    assert len(refused) == 2
    assert manage_batches.report(services, batch.id).counts.done == 8
    assert len(model.messages) == 24


def test_the_queue_is_a_file_beside_sqlite_or_a_schema_of_its_own_on_postgresql(services: Services) -> None:
    with queue_of(services, name="one"):
        with tables_of(services) as connection:
            inside = sa.inspect(connection)
            if connection.dialect.name == "sqlite":
                assert connection.execute(sa.text("PRAGMA journal_mode")).scalar() == "wal"
                assert "workflow_status" in inside.get_table_names()
            else:
                assert "workflow_status" in inside.get_table_names(schema=SCHEMA)
        with services.database.read() as connection:
            assert "workflow_status" not in sa.inspect(connection).get_table_names()


@pytest.mark.slow
def test_a_queue_that_is_lost_in_the_middle_of_a_batch_is_made_anew(
    services: Services, model: LoopbackServer
) -> None:
    made = seed(services, pairs=48)
    batch = start_batches.start(services, BatchRequest(project_id=made.project_id))

    asyncio.run(until_asked(services, model, 16))
    assert manage_batches.report(services, batch.id).counts.left > 0
    place = place_of(services)
    if place.get_backend_name() == "sqlite":
        Path(str(place.database)).unlink()
    else:
        with tables_of(services) as connection:
            connection.execute(sa.text(f"DROP SCHEMA {SCHEMA} CASCADE"))

    work(services)

    assert manage_batches.report(services, batch.id).counts.done == 48
    assert len(model.messages) == 3 * 48


async def until_asked(services: Services, model: LoopbackServer, requests: int) -> None:
    """A worker that is stopped once the model was asked so often."""
    one = Worker(services)
    running = asyncio.create_task(one.run())
    while len(model.messages) < requests:  # noqa: ASYNC110  # requests come by another thread
        await asyncio.sleep(0.01)
    one.stop()
    await running


def test_a_crash_between_the_order_and_the_queue_loses_no_pair(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = seed(services, pairs=8)
    batch = start_batches.start(services, BatchRequest(project_id=made.project_id))
    offer = WorkQueue.offer

    def killed(queue: WorkQueue, pairs: Sequence[WaitingPair]) -> None:
        offer(queue, pairs[:3])
        raise SystemExit

    with monkeypatch.context() as crash:
        crash.setattr(WorkQueue, "offer", killed)
        with pytest.raises(SystemExit):
            work(services)

    work(services)

    assert manage_batches.report(services, batch.id).counts.done == 8
    assert len(model.messages) == 3 * 8


@pytest.mark.slow
def test_after_a_backup_is_restored_all_is_judged_and_paid_again_only_what_came_since(
    migrated_sqlite_url: str, tmp_path: Path, model: LoopbackServer
) -> None:
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=2)
    made = seed(services, pairs=24)
    batch = start_batches.start(services, BatchRequest(project_id=made.project_id))
    asyncio.run(until_asked(services, model, 20))
    services.close()
    file, backup = Path(str(services.database.engine.url.database)), tmp_path / "backup.db"
    shutil.copyfile(file, backup)
    before = len(model.messages)
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=2)
    asyncio.run(until_asked(services, model, before + 20))
    services.close()
    since = len(model.messages) - before
    shutil.copyfile(backup, file)
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=6)

    work(services)

    assert manage_batches.report(services, batch.id).counts.done == 24
    assert len(model.messages) == 3 * 24 + since
    services.close()


@pytest.mark.slow
def test_a_damaged_queue_pauses_batches_and_is_made_anew_once_its_file_is_deleted(
    migrated_sqlite_url: str, tmp_path: Path, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "UNUSABLE_SECONDS", 0.2)
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=6)
    made = seed(services, pairs=2)
    batch = start_batches.start(services, BatchRequest(project_id=made.project_id))
    file = Path(str(place_of(services).database))
    file.write_bytes(b"no database" * 1000)

    told = rf"{re.escape(str(file))}.*delete it"
    with pytest.raises(QueueUnusable, match=told):
        work(services)
    paused = manage_batches.report(services, batch.id).batch
    assert paused.state is BatchState.PAUSED
    assert re.search(told, paused.problem or "")
    file.unlink()
    manage_batches.resume(services, batch.id)
    work(services)

    assert manage_batches.report(services, batch.id).counts.done == 2
    services.close()
