"""Limits that all workers share: how many places each has, and how fast it may send."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from comparator.store.bulk.workers import Worker

BURST_SECONDS = 1.0
"""How much of a minute's limit may be sent at once after a silence."""


class Share(NamedTuple):
    """What one process may use; None means no limit."""

    slots: int
    requests_a_minute: float | None
    tokens_a_minute: float | None


def share_of(worker: str, alive: Sequence[Worker], *, whole: Share) -> Share:
    """An equal part for each living worker, whole places to those that stand first in `alive`.

    One that has just come has a single place and no more until all others have shown themselves since: only then do
    they know of it and have drawn back. Where there are fewer places than workers it has none until then.

    >>> share_of("a", [], whole=Share(8, 60, None))
    Share(slots=8, requests_a_minute=60, tokens_a_minute=None)
    """
    ids = [each.id for each in alive]
    if worker not in ids or len(ids) == 1:
        return whole
    place, number = ids.index(worker), len(ids)
    me = alive[place]
    slots = whole.slots // number + (1 if place < whole.slots % number else 0)
    if any(each.beat_at <= me.joined_at for each in alive if each.id != worker):
        slots = min(slots, 1 if whole.slots >= number else 0)

    def part(limit: float | None) -> float | None:
        return None if limit is None else limit / number

    # With more workers than places, the last ones wait.
    return Share(slots, part(whole.requests_a_minute), part(whole.tokens_a_minute))


class Pace:
    """Lets amounts pass at so much a minute, evenly; what was guessed wrong is corrected afterwards."""

    def __init__(self, limit: float | None, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._limit = limit
        self._level = 0.0
        self._at = clock()
        if limit is not None:
            self._level = self._most()

    def limit(self, limit: float | None) -> None:
        """Another limit from now on."""
        if limit == self._limit:
            return
        was = self._limit
        self._fill()
        self._limit = limit
        if limit is not None:
            self._level = self._most() if was is None else min(self._level, self._most())

    def wait(self, amount: float) -> float:
        """Seconds until this amount may pass; 0 for at once."""
        if self._limit is None:
            return 0.0
        self._fill()
        # More than a burst can never be saved up: it passes on a full purse and is paid off afterwards.
        missing = min(amount, self._most()) - self._level
        return max(0.0, missing / (self._limit / 60))

    def take(self, amount: float) -> None:
        """Let the amount pass now."""
        self._fill()
        self._level -= amount

    def correct(self, guessed: float, real: float) -> None:
        """Of what has passed, the real amount is known now."""
        self._level -= real - guessed

    def _most(self) -> float:
        assert self._limit is not None
        return max(1.0, self._limit / 60 * BURST_SECONDS)

    def _fill(self) -> None:
        now = self._clock()
        if self._limit is not None:
            self._level = min(self._most(), self._level + (now - self._at) * self._limit / 60)
        self._at = now
