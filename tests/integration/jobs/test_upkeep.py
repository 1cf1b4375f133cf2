"""What a worker does beside judging: it makes checks on outputs that came later, and counts what an upgrade left."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.jobs.child import WorkerChild
from comparator.jobs.upkeep import check_outputs
from comparator.jobs.upkeep.count_changed import count_changed
from comparator.jobs.worker import Worker
from comparator.reporting.tally import refresh
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.saved.checks import Check
from comparator.workflow.projects.checks import add_check, check_some, outputs_left
from comparator.workflow.services import Services
from tests.integration.jobs.test_batches import until
from tests.loopback.bulk import seed, seed_pairs, services_on

LATER = [(TaskText(prompt="A later task"), PerOutput[str](A="a later output", B="another"))]


def add(services: Services, project_id: str, name: str) -> Check:
    return add_check(
        services, project_id, name=name, pattern="a", is_regex=False, match_case=False, person_id=None
    )


def test_a_worker_checks_what_came_after_the_check_while_it_runs(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_outputs, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(check_outputs, "REST", 0)
    first = seed(services, pairs=2, project="First").project_id
    second = seed(services, pairs=1, project="Second").project_id
    for each in (first, second):
        add(services, each, "Letter")
    assert [outputs_left(services, each) for each in (first, second)] == [4, 2]

    def all_checked() -> bool:
        return not any(outputs_left(services, each) for each in (first, second))

    async def work() -> None:
        worker = Worker(services)
        running = asyncio.create_task(worker.run())
        await until(all_checked)
        await asyncio.to_thread(seed_pairs, services, LATER, project="First")
        await until(all_checked)
        worker.stop()
        await running

    asyncio.run(work())

    assert check_some(services, first) == check_some(services, second) == 0


def test_outputs_that_are_left_to_two_checks_count_once(services: Services) -> None:
    project = seed(services, pairs=2).project_id
    other = seed(services, pairs=1, project="Other").project_id
    add(services, project, "One")
    add(services, project, "Two")

    assert (outputs_left(services, project), outputs_left(services, other)) == (4, 0)
    check_some(services, project)
    assert outputs_left(services, project) == 4
    check_some(services, project)
    assert outputs_left(services, project) == 0


def test_a_worker_is_wanted_and_counts_until_nothing_is_left(
    migrated_sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = services_on(Database.open(migrated_sqlite_url), tmp_path, slots=6)
    seed(services, pairs=7)
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
