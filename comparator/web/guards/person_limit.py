"""A few requests of a person at once; further ones wait for these, and not for anybody else's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from anyio import Semaphore


@dataclass
class _Requests:
    places: Semaphore
    number: int = 0
    """Those that have a place, and those that wait for one."""


class PersonLimit:
    """Lets in `at_once` requests of each person. Belongs to one event loop."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._of: dict[str, _Requests] = {}

    @asynccontextmanager
    async def place(self, person_id: str) -> AsyncIterator[None]:
        """Wait for a place among this person's requests, and keep it for the block."""
        requests = self._of.setdefault(person_id, _Requests(Semaphore(self._at_once)))
        requests.number += 1
        try:
            async with requests.places:
                yield
        finally:
            requests.number -= 1
            if not requests.number:
                self._of.pop(person_id, None)
