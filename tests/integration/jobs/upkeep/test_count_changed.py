"""A worker counts what an upgrade left to be counted, while nobody has anything judged."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.jobs.child import WorkerChild
from comparator.jobs.upkeep.count_changed import count_changed
from comparator.reporting.tally import refresh
from comparator.store import tables
from comparator.store.core.database import Database
from tests.integration.jobs.test_batches import until
from tests.loopback.bulk import seed, services_on

PAIRS = 7


def test_a_worker_is_wanted_and_counts_until_nothing_is_left(
    migrated_sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=6)
    seed(services, pairs=PAIRS)
    with services.database.write() as connection:
        connection.execute(tables.stale.delete())
        marks = sa.select(tables.rollup.c.comparison_id)
        connection.execute(tables.stale.insert().from_select(["comparison_id"], marks))
    child = WorkerChild(services)
    assert not child._wanted()
    monkeypatch.setattr(refresh, "MANY", 3)
    monkeypatch.setattr(refresh, "AT_A_TIME", 2)
    assert child._wanted()

    async def counted() -> None:
        counting = asyncio.create_task(count_changed(services))
        await until(lambda: not child._wanted())
        counting.cancel()

    asyncio.run(counted())

    assert refresh.bring_up(services.database) == 0
    services.close()
