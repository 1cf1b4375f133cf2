"""Measures outputs that were kept before measures were."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial

from comparator.domain.errors import ComparatorError, NotFound, StoreError
from comparator.outputs.view.measures import Measures, measures_of
from comparator.store.core.unit import Unit
from comparator.store.pairs import measures, outputs
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

AT_A_TIME = 20


async def measure_outputs(services: Services, ledger: Ledger) -> None:
    """Measure all outputs that are not measured; ends when none is left, since new ones are measured when kept."""
    while True:
        try:
            found = await asyncio.to_thread(measure_some, services)
            if not found:
                return
            await ledger.write(partial(put_all, found=found))
        except ComparatorError as error:
            log.warning("outputs cannot be measured just now: %s", error)
            return


def measure_some(services: Services) -> Mapping[str, Measures | None]:
    """The measures of some outputs that have none, by the id of their view; None where one cannot be read."""
    with services.database.read() as connection:
        ids = measures.missing(connection, most=AT_A_TIME)
        stored = outputs.stored_views(connection, ids)
    found: dict[str, Measures | None] = {}
    for id in ids:
        try:
            found[id] = measures_of(outputs.read_view(stored, id, blobs=services.blobs))
        except (NotFound, StoreError, ValueError):
            # Damaged or gone: looked at once, not for ever.
            found[id] = None
    return found


def put_all(unit: Unit, *, found: Mapping[str, Measures | None]) -> None:
    """Keep them."""
    for id, each in found.items():
        measures.put(unit.connection, id, each)
