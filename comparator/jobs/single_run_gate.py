"""Who judges pairs singly takes part in the workers' places and limits, as one of them while it has requests."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from comparator.domain.errors import ComparatorError
from comparator.jobs import registry
from comparator.jobs.gate import GatedSender, RequestGate
from comparator.jobs.limits import Share
from comparator.judges.model.sender import Request, Sender, Sent
from comparator.judges.protocol import Owner
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LINGER_SECONDS = 5.0
"""How long it stays without requests: between the rubric and the readings of one pair it does not come and go."""
OUTSIDE = Share(0, None, None)


class SingleRunGate:
    """A gate for the requests of one event loop; it enters among the workers with the first and leaves after the last.

    While the database cannot be reached, requests wait.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._gate = RequestGate(clock=time.monotonic)
        self._gate.set_share(OUTSIDE)
        self._inside = 0
        self._left_at = 0.0
        self._life: asyncio.Task[None] | None = None

    def before(self, sender: Sender) -> Sender:
        """The same sender behind this gate."""
        return _SingleRunSender(self, GatedSender(self._gate, sender))

    @contextmanager
    def entered(self, owner: Owner) -> Iterator[None]:
        """The process takes part while the block lasts, and for a while after."""
        self._inside += 1
        if self._life is None or self._life.done():
            self._life = asyncio.create_task(self._live())
        try:
            yield
        finally:
            # Each answer is stored by itself: none waits for others.
            self._gate.saved(owner)
            self._inside -= 1
            self._left_at = time.monotonic()

    async def _live(self) -> None:
        me = registry.new_guest_id(self._services)
        entered = False
        try:
            while self._inside or time.monotonic() - self._left_at < LINGER_SECONDS:
                try:
                    found = await asyncio.to_thread(self._beat, me, entered=entered)
                    entered = found.entered
                    self._gate.set_share(found.share if entered else OUTSIDE)
                except ComparatorError as error:
                    log.warning("no sign of life for what is judged singly: %s", error)
                await asyncio.sleep(registry.BEAT_SECONDS)
        finally:
            # Nothing is waited for here: whoever comes next finds this life ended and begins another.
            self._gate.set_share(OUTSIDE)
            with suppress(ComparatorError), self._services.database.write() as connection:
                registry.leave(self._services, connection, me)

    def _beat(self, me: str, *, entered: bool) -> registry.Beat:
        with self._services.database.write() as connection:
            if not entered:
                registry.join(self._services, connection, me)
            return registry.beat(self._services, connection, me, held=())


class _SingleRunSender:
    def __init__(self, gate: SingleRunGate, sender: Sender) -> None:
        self._gate, self._sender = gate, sender

    async def send(self, request: Request, on_behalf_of: Owner | None) -> Sent:
        owner = on_behalf_of or Owner()
        with self._gate.entered(owner):
            return await self._sender.send(request, owner)
