"""Applies the projects' checks to outputs that came after them."""

from __future__ import annotations

import asyncio
import logging
import time

from comparator.domain.errors import ComparatorError
from comparator.store.saved import checks
from comparator.workflow.projects.checks import check_some
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

LOOK_SECONDS = 10.0
REST = 50
"""After it found nothing, a worker rests at least this many times as long as it looked: a search of many outputs takes
a while."""


async def check_outputs(services: Services) -> None:
    """Check some outputs at a time until cancelled."""
    while True:
        begun, looked_at = time.monotonic(), 0
        try:
            looked_at = await asyncio.to_thread(_some, services)
        except ComparatorError as error:
            log.warning("outputs cannot be checked just now: %s", error)
        if not looked_at:
            await asyncio.sleep(max(LOOK_SECONDS, REST * (time.monotonic() - begun)))


def _some(services: Services) -> int:
    with services.database.read() as connection:
        projects = checks.projects(connection)
    return next((looked_at for each in projects if (looked_at := check_some(services, each))), 0)
