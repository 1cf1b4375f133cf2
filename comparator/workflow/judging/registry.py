"""Who works at this moment: signs of life, places on the wire, what the dead left behind, and the writes of each."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from comparator.domain.errors import ComparatorError, NotFound, StoreError
from comparator.store.bulk import batch_items, batches, leases, office_pages
from comparator.store.bulk.batches import BatchState
from comparator.store.core.sql import Connection, Unit
from comparator.store.facts import fact
from comparator.store.judging import budgets
from comparator.workflow.judging.gate import RequestGate
from comparator.workflow.services import Services

log = logging.getLogger(__name__)
T = TypeVar("T")

MOST_AT_ONCE = 64
GATHER_SECONDS = 0.02
"""How long a commit waits for further writes where many pairs are read at once."""
PAUSES = (0.05, 0.2, 0.5, 1.0, 2.0, *([5.0] * 60))
"""Seconds between tries while the database is out of reach or busy: about five minutes."""


class _Entry(NamedTuple):
    write: Callable[[Unit], Any]
    comparisons: Collection[str]
    batches: Collection[str]
    done: asyncio.Future[Any]


class Ledger:
    """Writes what workers have to store, one commit after another. A write that was awaited is committed.

    Each commit waits `gather` seconds for further writes.
    """

    def __init__(self, services: Services, *, gather: float = 0.0) -> None:
        self._services, self._gather = services, gather
        self._entries: list[_Entry] = []
        self._work: asyncio.Task[None] | None = None
        # Of its own: whatever else runs in threads must not keep a paid answer waiting.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")

    async def write(
        self, write: Callable[[Unit], T], *, comparisons: Collection[str] = (), batches: Collection[str] = ()
    ) -> T:
        """Do this in a transaction, then derive the facts of `comparisons` anew and close finished `batches`.

        Returns what `write` returned once it is committed. `write` may run more than once, if a commit failed. Raises
        what it raised, or StoreError where the database stays out of reach.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._entries.append(_Entry(write, comparisons, batches, done))
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._carry_out_all())
        return await done

    async def close(self) -> None:
        """Write what is left, and end the thread."""
        if self._work is not None:
            await self._work
        self._thread.shutdown()

    async def _carry_out_all(self) -> None:
        while self._entries:
            await asyncio.sleep(self._gather)
            entries, self._entries = self._entries[:MOST_AT_ONCE], self._entries[MOST_AT_ONCE:]
            loop = asyncio.get_running_loop()
            results = await loop.run_in_executor(self._thread, self._carry_out, entries)
            for entry, result in zip(entries, results, strict=True):
                # Whoever waited may have been cancelled.
                if not entry.done.done():
                    if isinstance(result, Exception):
                        entry.done.set_exception(result)
                    else:
                        entry.done.set_result(result)

    def _carry_out(self, entries: Sequence[_Entry]) -> list[Any]:
        """What each write returned, or the exception with which it failed."""
        if len(entries) > 1:
            try:
                return self._commit(entries)
            except Exception as error:  # noqa: BLE001  which of them it was shows when each is tried alone
                log.info("written one by one: %s", error)
                return [result for entry in entries for result in self._carry_out([entry])]
        for pause in (*PAUSES, None):
            try:
                return self._commit(entries)
            except StoreError as error:
                if pause is None or isinstance(error, NotFound):
                    return [error]
                log.warning("the database does not take it just now: %s", error)
                time.sleep(pause)
            except ComparatorError as error:
                return [error]
            except Exception as error:
                log.exception("a write failed")
                return [error]
        raise AssertionError("the last try returns")

    def _commit(self, entries: Sequence[_Entry]) -> list[Any]:
        with self._services.write() as unit:
            results = [entry.write(unit) for entry in entries]
            for comparison_id in sorted({id for entry in entries for id in entry.comparisons}):
                fact.refresh(unit, comparison_id)
            batches.close_finished(unit, [id for entry in entries for id in entry.batches])
        return results


BEAT_SECONDS = 1.0
SINGLE_RUN = "single-run"
_PROCESS = secrets.token_hex(4)
"""Tells this process from an earlier one of the same number, as in a container that was started again."""


@dataclass
class HeldPair:
    """A pair that this process reads; `lost` once another worker has taken it over."""

    batch_id: str
    task: asyncio.Task[Any]
    lost: bool = False


class Membership:
    """A process among those that work, while its block lasts: its id, its ledger, its gate and its heartbeat.

    With each sign of life it learns how many places on the wire it has, which pairs others have taken over, and which
    batches send nothing more.
    """

    def __init__(self, services: Services, *, single_run: bool = False, gather: float = 0.0) -> None:
        self.services, self._clock = services, services.beats or services.now
        self.id = new_worker_id(services, single_run=single_run)
        self.ledger, self.gate = Ledger(services, gather=gather), RequestGate()
        self.held: dict[str, HeldPair] = {}
        """What it reads, by comparison. What a write gives back is left out in that write."""
        self.heartbeat: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Membership:
        try:
            await self.ledger.write(lambda unit: join(unit, self.id, at=self._clock()))
            await self._show_life()
        except BaseException:
            await self.ledger.close()
            raise
        self.heartbeat = asyncio.create_task(self._go_on())
        return self

    async def __aexit__(self, *_: object) -> None:
        def write(unit: Unit) -> None:
            # It leaves of its own accord, so what it began is no failed try.
            office_pages.give_back(unit, worker=self.id)
            leave(unit, self.id)

        assert self.heartbeat is not None
        self.heartbeat.cancel()
        await asyncio.gather(self.heartbeat, return_exceptions=True)
        with suppress(ComparatorError):
            await self.ledger.write(write)
        await self.ledger.close()

    async def read(self, look: Callable[[Connection], T]) -> T:
        """What is found in the database; the loop goes on meanwhile."""

        def in_thread() -> T:
            with self.services.read() as connection:
                return look(connection)

        return await asyncio.to_thread(in_thread)

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self._show_life()

    async def _show_life(self) -> None:
        def write(unit: Unit) -> tuple[bool, int, list[str], list[str]]:
            # Writes go one by one, and one before this may have given a pair back.
            held = {id: pair.batch_id for id, pair in tuple(self.held.items())}
            entered = leases.beat(unit, self.id, at=self._clock())
            release_dead_workers(unit, self.id)
            workers, slots = len(leases.entered(unit)), self.services.settings.slots
            own = leases.of_worker(unit, leases.LeaseKind.PAIR, worker=self.id) if held else ()
            states = batches.states(unit, sorted(set(held.values())))
            stopped = [id for id in {*held.values()} if states.get(id) is not BatchState.RUNNING]
            places = max(slots // max(workers, 1), 1)
            return entered, places, [id for id in held if id not in own], stopped

        entered, places, lost, stopped = await self.ledger.write(write)
        self.gate.set_places(places)
        for comparison_id in lost:
            if pair := self.held.get(comparison_id):
                pair.lost = True
                pair.task.cancel()
        for batch_id in stopped:
            self.gate.halt(batch_id)
        if not entered:
            # Taken for dead, after a sleep of the machine: others have the work. Begin anew.
            await self.ledger.write(lambda unit: join(unit, self.id, at=self._clock()))


def new_worker_id(services: Services, *, single_run: bool = False) -> str:
    """An id of its own for each start; machine and process stand in it, so that a dead one is known at once.

    Whoever is here for a single pair or rubric and soon gone shows as such.
    """
    parts = (socket.gethostname(), str(os.getpid()), _PROCESS, *([SINGLE_RUN] if single_run else []))
    return ":".join((*parts, services.new_id()))


def join(unit: Unit, worker: str, *, at: datetime | None = None) -> None:
    """Enter a worker, alive at this time, else at that of the unit, after clearing away the dead."""
    release_dead_workers(unit, worker)
    # After a restore there may be none to whom it belongs.
    budgets.settle_abandoned(unit)
    leases.join(unit, worker, at=at)


def number(services: Services, connection: Connection) -> int:
    """How many workers show life, those left out who are here for single pairs only."""
    now = services.now()
    return sum(
        leases.is_alive(worker.beat_at, at=now) and f":{SINGLE_RUN}:" not in worker.id
        for worker in leases.entered(connection)
    )


def release_dead_workers(unit: Unit, worker: str) -> None:
    """Let the living go on with what dead workers had leased; what those had set aside counts as spent."""
    for other in leases.entered(unit):
        dead = not leases.is_alive(other.beat_at, at=unit.at) or _process_gone(other.id)
        if other.id != worker and dead:
            leave(unit, other.id)


def leave(unit: Unit, worker: str) -> None:
    """Strike the worker off; what it still holds waits for others."""
    left = leases.of_worker(unit, leases.LeaseKind.PAIR, worker=worker)
    # Whoever deletes the row cleans up after the worker; a second one finds nothing.
    if leases.leave(unit, worker):
        batch_items.release(unit, left)
        budgets.settle_abandoned(unit)


def _process_gone(worker: str) -> bool:
    """Whether the process of a worker's id (host:number:token:…) was one of this machine and is gone."""
    host, _, rest = worker.partition(":")
    number, _, rest = rest.partition(":")
    if host != socket.gethostname() or not number.isdigit():
        return False
    if int(number) == os.getpid():
        return not rest.startswith(f"{_PROCESS}:")
    if os.name != "posix":
        # Asking would end the process there; the heartbeat tells a little later.
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
