"""Turns the Office files of pairs into pages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from comparator.domain.errors import ComparatorError
from comparator.store.bulk import office_pages
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.office_pages import make_next
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.5


async def make_office_pages(
    services: Services, ledger: Ledger, *, worker: str, on_made: Callable[[], None]
) -> None:
    """Make the pages of one pair after the other until cancelled; what was begun then waits for others."""
    try:
        while True:
            made = False
            try:
                made = await asyncio.to_thread(make_next, services, worker=worker)
            except ComparatorError as error:
                log.warning("pages cannot be made just now: %s", error)
            if made:
                on_made()
            else:
                await asyncio.sleep(LOOK_SECONDS)
    finally:
        await ledger.write(lambda unit: office_pages.give_back(unit, worker=worker))
