"""Who works at this moment: signs of life, each one's share of the limits, and what the dead have left behind.

DBOS does not let a living worker take over from a dead one on another machine; that is done here.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from comparator import __version__
from comparator.domain.errors import ComparatorError
from comparator.store.bulk import batch_items, leases, office_pages, workers
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit
from comparator.store.judging import budgets
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.paying.shares import Share, share_of
from comparator.workflow.services import Services

BEAT_SECONDS = 1.0
SILENT_AFTER = timedelta(hours=6)
"""No request lasts so long: what a worker without a sign of life had set aside before is closed, on whatever machine
it was."""
SINGLE_RUN = "single-run"
_PROCESS = secrets.token_hex(4)
"""Tells this process from an earlier one of the same number, as in a container that was started again."""


class Beat(NamedTuple):
    """What a sign of life found."""

    entered: bool
    """False: the others have taken this worker for dead, and its work for theirs."""
    share: Share
    lost: frozenset[str]
    """Comparisons that another has taken over or may take."""


def new_worker_id(services: Services) -> str:
    """An id of its own for each start; machine and process stand in it, so that a dead one is known at once."""
    return f"{socket.gethostname()}:{os.getpid()}:{_PROCESS}:{services.new_id()}"


def new_single_run_id(services: Services) -> str:
    """An id for one who is here for a single pair or rubric and soon gone; it shows as such."""
    return f"{socket.gethostname()}:{os.getpid()}:{_PROCESS}:{SINGLE_RUN}:{services.new_id()}"


def is_single_run(worker: str) -> bool:
    """Whether this is the id of one who is here for a single pair or rubric."""
    return f":{SINGLE_RUN}:" in worker


class Membership:
    """A worker among the others while its block lasts; `task` is its heartbeat.

    `on_share` is told what it may use, `on_lost` each comparison of `leased` that others have by now; `look` reads more
    with each sign of life, and returns what to do about it once that is committed. `leased` is asked in the ledger's
    thread, and leaves out what a write before has given back.
    """

    def __init__(
        self,
        services: Services,
        ledger: Ledger,
        *,
        worker: str,
        on_share: Callable[[Share], None] = lambda _: None,
        leased: Callable[[], Collection[str]] = tuple,
        on_lost: Callable[[str], None] = lambda _: None,
        look: Callable[[Connection], Callable[[], None]] = lambda _: lambda: None,
    ) -> None:
        self._services, self._ledger, self.worker = services, ledger, worker
        self._on_share, self._leased, self._on_lost, self._look = on_share, leased, on_lost, look
        self.task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Membership:
        await self._ledger.write(lambda unit: join(unit, self.worker))
        await self._show_life()
        self.task = asyncio.create_task(self._go_on())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self.task is not None
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        with suppress(ComparatorError):
            await self._ledger.write(self._leave)

    def _leave(self, unit: Unit) -> None:
        # It leaves of its own accord, so what it began is no failed try.
        office_pages.give_back(unit, worker=self.worker)
        leave(unit, self.worker)

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self._show_life()

    async def _show_life(self) -> None:
        def write(unit: Unit) -> tuple[Beat, Callable[[], None]]:
            # What is leased is asked here: writes go one by one, and one before this may have given a pair back.
            return beat(
                self._services,
                unit,
                self.worker,
                leased=self._leased(),
            ), self._look(unit.connection)

        found, after = await self._ledger.write(write)
        self._on_share(found.share)
        for comparison_id in found.lost:
            self._on_lost(comparison_id)
        if not found.entered:
            # Taken for dead, after a sleep of the machine: others have the work. Begin anew.
            await self._ledger.write(lambda unit: join(unit, self.worker))
        after()


def join(unit: Unit, worker: str) -> None:
    """Enter a worker, after clearing away the dead."""
    release_dead_workers(unit, worker)
    for silent in sorted(budgets.silent_workers(unit.connection, since=unit.at - SILENT_AFTER)):
        budgets.close_reservations_of(unit, silent)
    workers.join(unit, worker, build=__version__)


def beat(services: Services, unit: Unit, worker: str, *, leased: Collection[str]) -> Beat:
    """Show life for the worker and what it has leased, release the dead, and say what it may use now."""
    entered = workers.beat(unit, worker)
    release_dead_workers(unit, worker)
    lost = frozenset(leased)
    if leased and entered:
        lost -= set(leases.of_worker(unit.connection, LeaseKind.PAIR, worker=worker))
    # Whoever waits for a single pair goes before those who work through a batch.
    alive = sorted(workers.entered(unit.connection), key=lambda one: not is_single_run(one.id))
    settings = services.settings
    whole = Share(settings.slots, settings.requests_a_minute, settings.tokens_a_minute)
    return Beat(entered, share_of(worker, alive, whole=whole), lost)


def number(services: Services, connection: Connection) -> int:
    """How many workers show life, those left out who are here for single pairs only."""
    now = services.now()
    return sum(
        workers.is_alive(each.beat_at, at=now) and not is_single_run(each.id)
        for each in workers.entered(connection)
    )


def release_dead_workers(unit: Unit, worker: str) -> None:
    """Let the living go on with what dead workers had leased; what those had set aside counts as spent."""
    for other in workers.entered(unit.connection):
        dead = not workers.is_alive(other.beat_at, at=unit.at) or _process_gone(other.id)
        if other.id != worker and dead:
            leave(unit, other.id)


def leave(unit: Unit, worker: str) -> None:
    """Strike the worker off; what it still holds waits for others."""
    left = leases.of_worker(unit.connection, LeaseKind.PAIR, worker=worker)
    # Whoever deletes the row cleans up after the worker; a second one finds nothing.
    if workers.leave(unit.connection, worker):
        batch_items.release(unit, left)
        budgets.close_reservations_of(unit, worker)


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
