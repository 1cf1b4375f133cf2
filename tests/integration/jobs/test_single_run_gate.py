"""A pair that is judged singly uses the places and limits that the workers of batches use."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from comparator.jobs import manage_batches, registry
from comparator.jobs.manage_batches import BatchOrder
from comparator.jobs.single_run_gate import SingleRunGate
from comparator.jobs.worker import Worker
from comparator.store.bulk import workers
from comparator.store.core.database import Database
from comparator.workflow.judging.read_pair import Outcome, judge_comparison
from comparator.workflow.services import Services
from tests.loopback.bulk import seed, services_on
from tests.loopback.server import LoopbackServer


@pytest.fixture
def services(database: Database, tmp_path: Path, model: LoopbackServer) -> Services:
    model.latency = 0.05
    return services_on(database, tmp_path, slots=1)


async def singly(services: Services, comparison_id: str) -> Outcome:
    judge = services.judge(through=SingleRunGate(services).before)
    try:
        return await judge_comparison(services, judge, comparison_id)
    finally:
        await judge.close()


def entered(services: Services) -> list[str]:
    with services.database.read() as connection:
        return [one.id for one in workers.entered(connection)]


def test_single_pairs_of_one_process_keep_to_the_places(services: Services, model: LoopbackServer) -> None:
    made = seed(services, pairs=2)

    async def both() -> list[Outcome]:
        judge = services.judge(through=SingleRunGate(services).before)
        try:
            return list(
                await asyncio.gather(
                    *(judge_comparison(services, judge, each) for each in made.comparison_ids)
                )
            )
        finally:
            await judge.close()

    assert all(outcome.complete for outcome in asyncio.run(both()))
    assert len(model.messages) == 6
    assert model.most_open == 1
    assert entered(services) == []


def test_a_single_pair_gets_its_place_while_a_batch_of_another_process_holds_all(
    services: Services, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One process for each, as the app and its worker are.
    monkeypatch.setattr(registry, "new_worker_id", lambda _: "another-machine:1:worker")
    monkeypatch.setattr(registry, "new_guest_id", lambda _: f"a-third-machine:1:{registry.GUEST}:app")
    monkeypatch.setattr(registry, "BEAT_SECONDS", 0.05)
    made = seed(services, pairs=30)
    single, *rest = made.comparison_ids
    manage_batches.start(
        services, BatchOrder(project_id=made.project_id, comparison_ids=tuple(rest)), person_id=None
    )

    async def both() -> tuple[Outcome, int]:
        worker = Worker(replace(services), idle_seconds=0.0)
        batch = asyncio.create_task(worker.run())
        while len(model.messages) < 4:  # noqa: ASYNC110  # requests come by another thread
            await asyncio.sleep(0.01)
        outcome = await singly(services, single)
        sent = len(model.messages)
        worker.stop()
        await batch
        return outcome, sent

    outcome, sent = asyncio.run(both())

    assert outcome.complete
    assert sent < 3 * len(rest)
    # What was on the wire when the places changed hands ends in peace.
    assert model.most_open <= 2
