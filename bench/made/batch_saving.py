"""How long saving a score in the app takes: with nothing else to do, and while the app's own worker judges a batch."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from bench.floors.floor import serving
from bench.made.load import Reviewer, judged_examples
from comparator.bootstrap import open_services
from comparator.jobs.batches import manage_batches, start_batches
from comparator.reporting.history.listing import all_projects
from comparator.settings import Settings
from comparator.store.bulk.batches import BatchState
from comparator.workflow.services import Services
from tests.loopback.bulk import Model, seed

ROUNDS = 3
SECONDS, PACE = 4.0, 0.15
PATIENCE = 60.0


class Saving(NamedTuple):
    """Seconds until the app said that a score is saved."""

    idle: tuple[float, ...]
    busy: tuple[float, ...]


def saving(home: Path, model: Model, *, slots: int, size: int) -> Saving:
    """One reviewer of the real app on SQLite, by turns while a batch is paused and while it runs."""
    environment = {
        **model.environment,
        "COMPARATOR_HOME": os.fspath(home),
        "COMPARATOR_SLOTS": str(slots),
        "COMPARATOR_MODEL": "claude-sonnet-5-5",
        "COMPARATOR_CHROMIUM": "off",
    }
    with serving(
        lambda port: ["-m", "comparator", "serve", "--no-browser", "--port", str(port)], environment
    ) as url:
        services = open_services(Settings(home=home, slots=slots, model="claude-sonnet-5-5"))
        pair = judged_examples(services, all_projects(services.database)[0].id)[0]
        made = seed(services, pairs=1_000, size=size)
        request = start_batches.BatchRequest(project_id=made.project_id, kind="anthropic")
        batch = start_batches.start(services, request, person_id=None)
        manage_batches.pause(services, batch.id, person_id=None)
        idle: list[float] = []
        busy: list[float] = []
        # By turns, as a machine is not equally quick all the time.
        for _ in range(ROUNDS):
            idle += _saves(url, pair)
            _resume(services, batch.id, model, slots=slots)
            busy += _saves(url, pair)
            if manage_batches.report(services, batch.id).batch.state is not BatchState.RUNNING:
                raise RuntimeError("the batch ended while scores were still saved; take more pairs")
            manage_batches.pause(services, batch.id, person_id=None)
            _until(lambda: all(call.sent for call in model.calls()), "the app's worker did not pause in time")
        manage_batches.cancel(services, batch.id, person_id=None)
        services.close()
    return Saving(tuple(idle), tuple(busy))


def _resume(services: Services, batch_id: str, model: Model, *, slots: int) -> None:
    """Let the batch go on, and wait until all slots have been used."""
    wanted = len(model.calls()) + slots
    manage_batches.resume(services, batch_id, person_id=None)
    _until(lambda: len(model.calls()) >= wanted, "the app's worker did not begin in time")


def _until(reached: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not reached():
        if time.monotonic() > deadline:
            raise RuntimeError(otherwise)
        time.sleep(0.05)


def _saves(url: str, pair: str) -> tuple[float, ...]:
    reviewer = Reviewer(url, "", pair, pace=PACE)

    async def work() -> None:
        await reviewer.work(SECONDS, door=asyncio.Semaphore(1), ready=asyncio.Barrier(1))

    asyncio.run(work())
    return tuple(one.seconds for one in reviewer.sent)
