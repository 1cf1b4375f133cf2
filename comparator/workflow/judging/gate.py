"""The gate before the wire: a place only while a request is on it, the most urgent first, within limits and budgets."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import NamedTuple

from comparator.domain.usage import Usage
from comparator.judges.model.sender import ModelMessage, Request, Sender, Sent
from comparator.judges.protocol import Owner

BUSY_PAUSE = 1.0
"""Seconds for which nothing is sent to a server that takes no requests just now."""
LONGEST_PAUSE = 60.0
"""The longest wait in seconds that one server can ask of everybody."""


class Halted(Exception):
    """The batch was paused or cancelled, or the worker ends, before this request was sent."""


class _Waiter(NamedTuple):
    """Who goes first: whoever somebody waits for, then rubrics (readings wait for them), then the earlier pair."""

    can_wait: bool
    stage: int
    position: int
    number: int
    """No two have the same, so that nothing behind it is compared."""
    owner: Owner
    paid: bool
    entered: asyncio.Future[None]


class GatedSender:
    """Sends a request once the gate lets it through."""

    def __init__(self, gate: RequestGate, sender: Sender) -> None:
        self._gate, self._sender = gate, sender

    async def send(self, request: Request, owner: Owner) -> Sent:
        """What came of it. Raises Halted where the owner's batch sends nothing more."""
        usage = Usage()
        await self._gate.enter(owner, paid=request.paid)
        try:
            sent = await self._sender.send(request, owner)
            usage = sent.call.usage
            if not isinstance(sent.outcome, ModelMessage) and sent.outcome.retryable:
                pause = BUSY_PAUSE if sent.outcome.busy else 0.0
                self._gate.wait_for(min(max(pause, sent.outcome.retry_after or 0.0), LONGEST_PAUSE))
        finally:
            self._gate.leave(owner, answered=usage.tokens > 0)
        # The next request goes out before this answer is read.
        await asyncio.sleep(0)
        return sent


class RequestGate:
    """One for each process, with a single place until it is told its share, which changes as workers come and go."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._numbers = itertools.count()
        self._queue: list[_Waiter] = []
        self.slots = 1
        self._closed_until = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._halted: set[str] = set()
        self._all_halted = False
        self.on_wire = 0
        self._unsaved: set[Owner] = set()

    def saved(self, owner: Owner) -> None:
        """What came of this owner's requests is stored."""
        self._unsaved.discard(owner)
        self._pump()

    def set_places(self, slots: int) -> None:
        """How many requests of this process may be on the wire from now on."""
        self.slots = slots
        self._pump()

    def halt(self, batch_id: str | None = None) -> None:
        """Let nothing of this batch (None: of any) pass any more; what waits ends with Halted."""
        if batch_id is None:
            self._all_halted = True
        else:
            self._halted.add(batch_id)
        for waiter in self._queue:
            if not waiter.paid and not waiter.entered.done() and self._is_halted(waiter.owner.batch_id):
                waiter.entered.set_exception(Halted())
        self._pump()

    def open(self, batch_id: str) -> None:
        """Let requests of this batch pass again."""
        self._halted.discard(batch_id)

    def wait_for(self, seconds: float) -> None:
        """Send nothing for so long."""
        self._closed_until = max(self._closed_until, self._clock() + seconds)

    async def enter(self, owner: Owner, *, paid: bool) -> None:
        """Wait for a place on the wire. Raises Halted where the owner's batch sends nothing more."""
        if self._is_halted(owner.batch_id) and not paid:
            raise Halted
        stage = -1 if paid else int(not owner.writes_rubric)
        entered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiter = _Waiter(not owner.urgent, stage, owner.position, next(self._numbers), owner, paid, entered)
        heapq.heappush(self._queue, waiter)
        self._pump()
        try:
            await entered
        except asyncio.CancelledError:
            if entered.done() and not entered.cancelled():
                # It was let in and cancelled in the same moment.
                self.on_wire -= 1
                self._pump()
            raise

    def leave(self, owner: Owner, *, answered: bool) -> None:
        """Leave the wire; an answer keeps the place until it is stored."""
        self.on_wire -= 1
        if answered:
            self._unsaved.add(owner)
        self._pump()

    def _is_halted(self, batch_id: str) -> bool:
        return self._all_halted or batch_id in self._halted

    def _pump(self) -> None:
        while self._queue and self.on_wire < self.slots:
            first = self._queue[0]
            if first.entered.done():
                heapq.heappop(self._queue)
                continue
            # After a crash an answer that is not stored would be paid for again: it is stored before more is asked.
            if not first.paid and self.on_wire + len(self._unsaved) >= self.slots:
                return
            if (wait := self._closed_until - self._clock()) > 0:
                self._look_again(wait)
                return
            heapq.heappop(self._queue)
            self.on_wire += 1
            self._unsaved.discard(first.owner)
            first.entered.set_result(None)

    def _look_again(self, seconds: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_later(seconds, self._pump)
