"""What a worker does beside judging: pages of Office files, and the projects' checks on new outputs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from comparator.domain.errors import ComparatorError
from comparator.store.bulk import office_pages
from comparator.store.pairs import checks
from comparator.workflow.judging.office_pages import make_next
from comparator.workflow.judging.registry import Ledger
from comparator.workflow.projects.checks import check_some
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""Between looks at what nobody has begun; the checks rest twenty times as long."""
REST = 10
"""After it found nothing, a look rests at least this many times as long as it took: a search of many outputs takes a
while."""


async def make_office_pages(
    services: Services, ledger: Ledger, *, worker: str, on_made: Callable[[], None]
) -> None:
    """Make the pages of one pair after the other until cancelled; what was begun then waits for others."""

    def make() -> bool:
        return make_next(services, worker=worker)

    try:
        await _repeat("pages cannot be made", make, rest=LOOK_SECONDS, on_done=on_made)
    finally:
        await ledger.write(lambda unit: office_pages.give_back(unit, worker=worker))


async def check_outputs(services: Services) -> None:
    """Apply the projects' checks to outputs that came after them, some at a time, until cancelled."""

    def check() -> bool:
        with services.database.read() as connection:
            projects = checks.projects(connection)
        return any(check_some(services, each) for each in projects)

    await _repeat("outputs cannot be checked", check, rest=20 * LOOK_SECONDS)


async def _repeat(
    trouble: str, work: Callable[[], bool], *, rest: float, on_done: Callable[[], None] = lambda: None
) -> None:
    """Do a part after the other, and rest while there is nothing to do."""
    while True:
        begun, done = time.monotonic(), False
        try:
            done = await asyncio.to_thread(work)
        except ComparatorError as error:
            log.warning("%s just now: %s", trouble, error)
        if done:
            on_done()
        else:
            await asyncio.sleep(max(rest, REST * (time.monotonic() - begun)))
