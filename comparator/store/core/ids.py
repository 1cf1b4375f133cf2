"""Random ids: nothing that anyone sees counts up."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable

NewId = Callable[[], str]
"""Makes a new id; repositories are given one, so that tests can choose theirs."""


def new_id() -> str:
    """20 characters of lower-case base32 (100 random bits), safe in addresses and file names."""
    return base64.b32encode(secrets.token_bytes(13)).decode().lower()[:20]
