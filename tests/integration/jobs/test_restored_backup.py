"""A restored backup in the middle of a batch: workers go on from what it says."""

import asyncio
import shutil
from pathlib import Path

import pytest

from comparator.jobs import manage_batches, start_batches
from comparator.jobs.worker import Worker
from comparator.store.bulk.batches import BatchRequest
from comparator.store.core.database import Database
from comparator.workflow.services import Services
from tests.loopback.bulk import seed, services_on
from tests.loopback.server import LoopbackServer


async def until_asked(services: Services, model: LoopbackServer, requests: int) -> None:
    """A worker that is stopped once the model was asked so often."""
    one = Worker(services)
    running = asyncio.create_task(one.run())
    while len(model.messages) < requests:  # noqa: ASYNC110  # requests come by another thread
        await asyncio.sleep(0.01)
    one.stop()
    await running


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

    asyncio.run(Worker(services, idle_seconds=0.0).run())

    assert manage_batches.report(services, batch.id).counts.done == 24
    assert len(model.messages) == 3 * 24 + since
    services.close()
