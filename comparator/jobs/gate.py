"""The gate before the wire: a place only while a request is on it, the most urgent first, within limits and budgets."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from comparator.domain.errors import JudgeNotAllowed
from comparator.domain.usage import Usage
from comparator.jobs.limits import Pace, Share
from comparator.judges.model.gate import tokens_of

ANSWER_TOKENS = 2_500
"""What an answer has about, the model's thinking included."""


class Halted(Exception):
    """The batch was paused or cancelled, or the worker ends, before this request was sent."""


class OverBudget(JudgeNotAllowed):
    """The budget does not allow a further request."""


class Rank(NamedTuple):
    """Who goes first: the more urgent batch, then rubrics (readings wait for them), then the earlier pair."""

    urgency: int
    stage: int
    position: int


class Purse(Protocol):
    """What a pair's requests are paid from."""

    async def set_aside(self, tokens_in: int, tokens_out: int) -> None:
        """Reserve what a request will cost about. Raises OverBudget."""


@dataclass
class Passenger:
    """On whose behalf requests are sent in this task."""

    batch_id: str
    urgency: int
    position: int
    purse: Purse | None = None
    stage: int = 0


CURRENT: ContextVar[Passenger] = ContextVar("passenger")


@dataclass(order=True)
class _Waiter:
    rank: Rank
    number: int
    tokens: int = field(compare=False)
    batch_id: str = field(compare=False)
    begun: bool = field(compare=False)
    entered: asyncio.Future[None] = field(compare=False)


@dataclass(frozen=True)
class _Passage:
    gate: RequestGate
    tokens: int

    def used(self, usage: Usage) -> None:
        total = usage.input_tokens + usage.output_tokens + usage.cached_tokens + usage.cache_written_tokens
        self.gate.tokens.correct(self.tokens, total)

    def told_to_wait(self, seconds: float) -> None:
        self.gate.wait_for(seconds)


class RequestGate:
    """One for each process; its share of the places and limits changes as workers come and go."""

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._numbers = itertools.count()
        self._queue: list[_Waiter] = []
        self.slots = 1
        self._closed_until = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._halted: set[str] = set()
        self._all_halted = False
        self.requests = Pace(None, clock=clock)
        self.tokens = Pace(None, clock=clock)
        self.on_wire = 0
        self._unsaved: WeakKeyDictionary[asyncio.Task[Any], int] = WeakKeyDictionary()

    def saved(self) -> None:
        """What came of this task's requests is stored."""
        if (task := asyncio.current_task()) is not None:
            self._unsaved.pop(task, None)
        self._pump()

    def set_share(self, share: Share) -> None:
        """The places and limits of this process from now on."""
        self.slots = share.slots
        self.requests.limit(share.requests_a_minute)
        self.tokens.limit(share.tokens_a_minute)
        self._pump()

    def halt(self, batch_id: str | None = None) -> None:
        """Let nothing of this batch (None: of any) pass any more; what waits ends with Halted."""
        if batch_id is None:
            self._all_halted = True
        else:
            self._halted.add(batch_id)
        for waiter in self._queue:
            if not waiter.begun and not waiter.entered.done() and self._is_halted(waiter.batch_id):
                waiter.entered.set_exception(Halted())
        self._pump()

    def open(self, batch_id: str) -> None:
        """Let requests of this batch pass again."""
        self._halted.discard(batch_id)

    def wait_for(self, seconds: float) -> None:
        """Send nothing for so long."""
        self._closed_until = max(self._closed_until, self._clock() + seconds)

    @asynccontextmanager
    async def passage(self, parameters: Mapping[str, Any], *, begun: bool) -> AsyncIterator[_Passage]:
        """Waits for its turn and holds a place until the block ends. Raises Halted or OverBudget."""
        who = CURRENT.get()
        tokens_in = tokens_of(parameters)
        tokens_out = min(ANSWER_TOKENS, int(parameters.get("max_tokens", ANSWER_TOKENS)))
        await self._enter(who, tokens=tokens_in + tokens_out, begun=begun)
        try:
            if who.purse is not None:
                # As late as this, so that nothing is set aside for requests that only wait.
                await who.purse.set_aside(tokens_in, tokens_out)
            yield _Passage(self, tokens_in + tokens_out)
        finally:
            self.on_wire -= 1
            if (task := asyncio.current_task()) is not None:
                self._unsaved[task] = 1
            self._pump()

    async def _enter(self, who: Passenger, *, tokens: int, begun: bool) -> None:
        if self._is_halted(who.batch_id) and not begun:
            raise Halted
        rank = Rank(-who.urgency, -1 if begun else who.stage, who.position)
        waiter = _Waiter(
            rank,
            next(self._numbers),
            tokens=tokens,
            batch_id=who.batch_id,
            begun=begun,
            entered=asyncio.get_running_loop().create_future(),
        )
        heapq.heappush(self._queue, waiter)
        self._pump()
        try:
            await waiter.entered
        except asyncio.CancelledError:
            if waiter.entered.done() and not waiter.entered.cancelled():
                # It was let in and cancelled in the same moment.
                self.on_wire -= 1
                self._pump()
            raise

    def _is_halted(self, batch_id: str) -> bool:
        return self._all_halted or batch_id in self._halted

    def _pump(self) -> None:
        while self._queue and self.on_wire < self.slots:
            first = self._queue[0]
            if first.entered.done():
                heapq.heappop(self._queue)
                continue
            # What is on the wire, or answered and not stored yet, would be paid for again after a crash. Twice the
            # places: answers come in waves, and the next wave goes out while the last one is being stored.
            if not first.begun and self.on_wire + sum(self._unsaved.values()) >= 2 * self.slots:
                return
            wait = max(
                self._closed_until - self._clock(), self.requests.wait(1), self.tokens.wait(first.tokens)
            )
            if wait > 0:
                self._look_again(wait)
                return
            heapq.heappop(self._queue)
            self.requests.take(1)
            self.tokens.take(first.tokens)
            self.on_wire += 1
            first.entered.set_result(None)

    def _look_again(self, seconds: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_later(seconds, self._pump)
