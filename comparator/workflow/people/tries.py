"""How often somebody may try to come in, over all processes that share the database."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from comparator.store.people import tries
from comparator.workflow.services import Services

MOST, WITHIN = 30, timedelta(minutes=10)
"""So many tries within so long."""


def may_try(services: Services, who: str) -> bool:
    """Whether this person or address may try to come in now; a try that may be made counts."""
    at = services.now()
    since, digest = at - WITHIN, hashlib.sha256(who.encode()).hexdigest()
    with services.database.read() as connection:
        # Whoever goes on after a refusal costs a look, and keeps nobody from writing.
        if tries.made(connection, digest, since=since) >= MOST:
            return False
    with services.write(at=at) as unit:
        return tries.add(unit, digest, most=MOST, since=since)
