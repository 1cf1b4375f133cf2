"""How long saving a score in the app takes: with nothing else to do, and while the app's own worker judges a batch."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import NamedTuple

from bench.floor import serving
from bench.load import Reviewer, judged_examples
from comparator.jobs import orders
from comparator.settings import Settings
from comparator.store.batches import BatchState
from comparator.workflow.services import open_services
from tests.loopback.bulk import Model, seed

IDLE_SECONDS, BUSY_SECONDS, PACE = 6.0, 7.0, 0.15
PATIENCE = 60.0


class Saving(NamedTuple):
    """Seconds until the app said that a score is saved."""

    idle: tuple[float, ...]
    busy: tuple[float, ...]


def saving(home: Path, model: Model, *, slots: int, size: int) -> Saving:
    """One reviewer of the real app on SQLite, before and during a batch that does not end meanwhile."""
    environment = {
        **model.environment,
        "COMPARATOR_HOME": os.fspath(home),
        "COMPARATOR_SLOTS": str(slots),
        "COMPARATOR_MODEL": "claude-sonnet-5-5",
        "COMPARATOR_CHROMIUM": "off",
    }
    with serving(lambda port: ["-m", "comparator", "serve", "--port", str(port)], environment) as url:
        services = open_services(Settings(home=home, slots=slots, model="claude-sonnet-5-5"))
        pair = judged_examples(services)[0]
        made = seed(services, pairs=1_000, size=size)
        idle = _saves(url, pair, seconds=IDLE_SECONDS)
        before = len(model.calls())
        order = orders.BatchOrder(project_id=made.project_id, kind="anthropic")
        batch = orders.start(services, order, person_id=None)
        deadline = time.monotonic() + PATIENCE
        while len(model.calls()) < before + slots:
            if time.monotonic() > deadline:
                raise RuntimeError("the app's worker did not begin in time")
            time.sleep(0.05)
        busy = _saves(url, pair, seconds=BUSY_SECONDS)
        if orders.report(services, batch.id).batch.state is not BatchState.RUNNING:
            raise RuntimeError("the batch ended while scores were still saved; take more pairs")
        orders.cancel(services, batch.id, person_id=None)
        services.close()
    return Saving(idle, busy)


def _saves(url: str, pair: str, *, seconds: float) -> tuple[float, ...]:
    reviewer = Reviewer(url, "", pair, pace=PACE)

    async def work() -> None:
        await reviewer.work(seconds, door=asyncio.Semaphore(1), ready=asyncio.Barrier(1))

    asyncio.run(work())
    return tuple(one.seconds for one in reviewer.sent)
