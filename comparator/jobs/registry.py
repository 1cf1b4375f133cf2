"""Who works at this moment: signs of life, each one's share of the limits, and what the dead have left behind."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection
from typing import NamedTuple

from comparator import __version__
from comparator.jobs.limits import Share, share_of
from comparator.store.bulk import batch_items, workers
from comparator.store.core.database import Connection
from comparator.store.judging import budgets
from comparator.workflow.judging.leases import SILENT_AFTER, STALE_AFTER, process_gone
from comparator.workflow.services import Services

BEAT_SECONDS = 1.0
GUEST = "guest"


class Beat(NamedTuple):
    """What a sign of life found."""

    entered: bool
    """False: the others have taken this worker for dead, and its work for theirs."""
    share: Share
    lost: frozenset[str]
    """Comparisons that another has taken over."""


def new_worker_id(services: Services) -> str:
    """An id of its own for each start; machine and process stand in it, so that a dead one is known at once."""
    return f"{socket.gethostname()}:{os.getpid()}:{services.new_id()}"


def new_guest_id(services: Services) -> str:
    """An id for one who is here for single pairs and soon gone; it shows as such."""
    return f"{socket.gethostname()}:{os.getpid()}:{GUEST}:{services.new_id()}"


def is_guest(worker: str) -> bool:
    """Whether this is the id of one who is here for single pairs."""
    return f":{GUEST}:" in worker


def whole_share(services: Services) -> Share:
    """All that the settings allow."""
    settings = services.settings
    return Share(settings.slots, settings.requests_a_minute, settings.tokens_a_minute)


def join(services: Services, connection: Connection, worker: str) -> None:
    """Enter a worker, after clearing away the dead."""
    release_dead_worker(services, connection, worker)
    for silent in sorted(budgets.silent_workers(connection, since=services.now() - SILENT_AFTER)):
        budgets.settle_dead(connection, silent, at=services.now())
    batch_items.free_unleased(connection, at=services.now())
    workers.join(connection, worker, build=__version__, at=services.now())


def beat(services: Services, connection: Connection, worker: str, *, held: Collection[str]) -> Beat:
    """Show life for the worker and what it holds, release_dead_worker the dead, and say what it may use now."""
    entered = workers.beat(connection, worker, at=services.now())
    release_dead_worker(services, connection, worker)
    lost = (
        batch_items.beat(connection, sorted(held), worker=worker, at=services.now()) if held else frozenset()
    )
    # Whoever waits for a single pair goes before those who work through a batch.
    alive = sorted(workers.entered(connection), key=lambda one: not is_guest(one.id))
    share = share_of(worker, alive, whole=whole_share(services))
    return Beat(entered, share, lost)


def number(services: Services, connection: Connection) -> int:
    """How many workers show life, those who are here for single pairs left out."""
    now = services.now()
    return sum(
        now - each.beat_at < STALE_AFTER and not is_guest(each.id) for each in workers.entered(connection)
    )


def release_dead_worker(services: Services, connection: Connection, worker: str) -> None:
    """Let the living go on with what dead workers held; what those had set aside counts as spent."""
    now = services.now()
    for other in workers.entered(connection):
        dead = now - other.beat_at >= STALE_AFTER or process_gone(other.id)
        if other.id != worker and dead and workers.leave(connection, other.id):
            left = batch_items.leased_by(connection, other.id)
            batch_items.give_back(connection, left, worker=other.id, at=now)
            budgets.settle_dead(connection, other.id, at=now)


def leave(services: Services, connection: Connection, worker: str) -> None:
    """Strike the worker off; what it still holds waits for others."""
    workers.leave(connection, worker)
    left = batch_items.leased_by(connection, worker)
    batch_items.give_back(connection, left, worker=worker, at=services.now())
    budgets.settle_dead(connection, worker, at=services.now())
