"""A unit of work: one transaction, the one time of all that is written in it, and its random ids."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa

NewId = Callable[[], str]
"""Makes a new id; repositories are given one, so that tests can choose theirs."""


def new_id() -> str:
    """20 characters of lower-case base32 (100 random bits), safe in addresses and file names."""
    return base64.b32encode(secrets.token_bytes(13)).decode().lower()[:20]


@dataclass(frozen=True, slots=True)
class Unit:
    """A transaction that is open; whoever opened it commits it."""

    connection: sa.Connection
    at: datetime = field(kw_only=True)
    """When everything in it happens, with a time zone."""
    new_id: NewId = field(default=new_id, kw_only=True)
    """Makes a fresh id."""
