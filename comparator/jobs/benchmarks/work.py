"""Working at the batches of benchmarks in this process, until they have ended."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from comparator.jobs.batches import manage_batches
from comparator.jobs.worker import Worker
from comparator.store.bulk.batches import BatchState
from comparator.workflow.services import Services

IDLE_SECONDS = 1.0
LOOK_SECONDS = 1.0


def work_at(
    services: Services, batch_ids: Sequence[str], *, on_step: Callable[[str], None] = lambda _: None
) -> None:
    """Read what waits, batches of others among it, until none of these runs any more: all ended, or paused."""

    def running() -> bool:
        found = [manage_batches.report(services, id) for id in batch_ids]
        done = sum(each.counts.done + each.counts.failed for each in found)
        on_step(f"Judging: {done:,} of {sum(each.counts.total for each in found):,} pairs")
        return any(each.batch.state is BatchState.RUNNING and each.counts.left for each in found)

    async def work() -> None:
        worker = Worker(services, idle_seconds=IDLE_SECONDS)
        task = asyncio.create_task(worker.run())
        while not task.done() and await asyncio.to_thread(running):
            await asyncio.wait((task,), timeout=LOOK_SECONDS)
        worker.stop()
        await task

    while running():
        asyncio.run(work())
        # What another worker has in hand is its to end.
        if running():
            time.sleep(LOOK_SECONDS)
