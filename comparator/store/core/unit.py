"""A unit of work: one transaction, the one time of all that is written in it, and where its ids come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa

from comparator.store.core.ids import NewId, new_id


@dataclass(frozen=True, slots=True)
class Unit:
    """A transaction that is open; whoever opened it commits it."""

    connection: sa.Connection
    at: datetime = field(kw_only=True)
    """When everything in it happens, with a time zone."""
    new_id: NewId = field(default=new_id, kw_only=True)
    """Makes a fresh id."""
