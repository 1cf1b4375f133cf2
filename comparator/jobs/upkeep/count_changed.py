"""Counts what a great many changes, such as an upgrade, left to be counted anew."""

from __future__ import annotations

import asyncio
import logging

from comparator.domain.errors import ComparatorError
from comparator.reporting.tally import refresh
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0


async def count_changed(services: Services) -> None:
    """Count until cancelled, a part at a time, so that nobody who writes waits long."""
    while True:
        left = 0
        try:
            left = await asyncio.to_thread(_some, services)
        except ComparatorError as error:
            log.warning("changed comparisons cannot be counted just now: %s", error)
        if not left:
            await asyncio.sleep(LOOK_SECONDS)


def _some(services: Services) -> int:
    if not refresh.behind(services.database):
        return 0
    return refresh.bring_up(services.database, most=refresh.AT_A_TIME)
