"""What a worker does beside judging: it makes checks on outputs that came later, and counts what an upgrade left."""

import asyncio

import pytest

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.jobs import worker
from comparator.jobs.worker import Worker
from comparator.store.pairs.checks import Check
from comparator.workflow.projects.checks import add_check, check_some, outputs_left
from comparator.workflow.services import Services
from tests.integration.jobs.test_batches import until
from tests.loopback.bulk import seed, seed_pairs

LATER = [(TaskText(prompt="A later task"), PerOutput[str](A="a later output", B="another"))]


def add(services: Services, project_id: str, name: str) -> Check:
    return add_check(services, project_id, name=name, pattern="a", is_regex=False, match_case=False)


def test_a_worker_checks_what_came_after_the_check_while_it_runs(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "IDLE_SECONDS", 0.005)
    monkeypatch.setattr(worker, "REST", 0)
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
