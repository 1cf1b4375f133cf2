"""A few requests of a person at once; further ones wait for these, and not for anybody else's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from anyio import Semaphore


@dataclass
class _Turn:
    free: Semaphore
    asked: int = 0


class Turns:
    """Hands out turns, `at_once` for each person. Belongs to one event loop."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._of: dict[str, _Turn] = {}

    @asynccontextmanager
    async def of(self, person_id: str) -> AsyncIterator[None]:
        """Wait for a turn of this person, and keep it for the block."""
        turn = self._of.setdefault(person_id, _Turn(Semaphore(self._at_once)))
        turn.asked += 1
        try:
            async with turn.free:
                yield
        finally:
            turn.asked -= 1
            if not turn.asked:
                self._of.pop(person_id, None)
