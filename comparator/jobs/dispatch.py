"""What waits is handed out: put into the queue of the workers, and on to the living where its worker is gone."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection
from datetime import timedelta

from comparator.domain.errors import StoreError
from comparator.jobs.work_queue import QueueUnusable, WorkItem, WorkQueue
from comparator.store.bulk import batch_items, batches, leases, office_pages, workers
from comparator.store.bulk.batch_items import Stretch
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.database import Connection
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

TRY_SECONDS = 0.5
"""Between tries to make the queue ready."""
TRY_AGAIN_AFTER = timedelta(seconds=5)
"""How long a pair rests that failed."""
STUCK_SECONDS = 5.0
"""How long the end of a work item may take to be noted in the queue."""
UNUSABLE_SECONDS = 10.0
"""How long a worker tries on with a queue that cannot be used."""


class Dispatcher:
    """Keeps the queue filled, as one of the workers."""

    def __init__(self, services: Services, queue: WorkQueue, *, worker: str, at_once: int) -> None:
        self._services, self._queue = services, queue
        self._worker, self._at_once = worker, at_once
        self._unusable_since: float | None = None
        self._unended: dict[str, float] = {}

    async def prepare(self, ending: asyncio.Event) -> bool:
        """Make the queue ready; False where the worker is to end before. Raises QueueUnusable after some tries."""
        while not ending.is_set():
            try:
                await asyncio.to_thread(self._queue.prepare)
            except QueueUnusable as error:
                self._bear(error)
                await asyncio.sleep(TRY_SECONDS)
            else:
                return True
        return False

    def look(self, in_hand: Collection[Stretch]) -> bool:
        """Put what waits into the queue, more than all workers can take at once; whether anything is left to do."""
        try:
            stretches, waits = self._waiting()
            if stretches:
                live = self._queue.live()
                # Looked up after them: whoever had a work item then and is not entered now is gone.
                with self._services.database.read() as connection:
                    entered = {each.id for each in workers.entered(connection)}
                gone = {item.id for item in live if item.worker and item.worker not in entered}
                self._queue.hand_on(gone | self._stuck(live, in_hand))
                there = {(item.batch_id, item.first) for item in live}
                self._queue.offer([each for each in stretches if (each.batch_id, each.first) not in there])
            self._unusable_since = None
        except QueueUnusable as error:
            self._bear(error)
            return True
        except StoreError as error:
            self._unusable_since = None
            # The sign of life tells whether it stays so.
            log.warning("what waits cannot be handed out just now: %s", error)
            return True
        return waits

    def _stuck(self, live: Collection[WorkItem], in_hand: Collection[Stretch]) -> set[str]:
        """Work items that stand as this worker's own for a while though it is not at them.

        They were taken and never begun, or their end could not be noted: nobody would have their pairs any more.
        """
        now, before = time.monotonic(), self._unended
        places = {(stretch.batch_id, stretch.first) for stretch in in_hand}
        own = [
            item for item in live if item.worker == self._worker and (item.batch_id, item.first) not in places
        ]
        self._unended = {item.id: before.get(item.id, now) for item in own}
        return {id for id, since in self._unended.items() if now - since >= STUCK_SECONDS}

    def _waiting(self) -> tuple[tuple[Stretch, ...], bool]:
        with self._services.read() as unit:
            number = max(1, len(workers.entered(unit.connection)))
            stretches = batch_items.waiting(
                unit,
                limit=2 * self._at_once * number,
                pause=TRY_AGAIN_AFTER,
                busy_versions=self.elsewhere(unit.connection),
            )
            waits = (
                bool(stretches) or batches.waits(unit.connection) or office_pages.any_open(unit.connection)
            )
            return stretches, waits

    def elsewhere(self, connection: Connection) -> frozenset[str]:
        """The task versions whose rubric another worker is writing."""
        return leases.of_others(connection, LeaseKind.RUBRIC, worker=self._worker)

    def _bear(self, error: QueueUnusable) -> None:
        """Try on for a while with a queue that cannot be used; then raise the error."""
        now = time.monotonic()
        if self._unusable_since is None:
            self._unusable_since = now
            log.warning("%s", error)
        if now - self._unusable_since >= UNUSABLE_SECONDS:
            raise error
