"""How fast requests may pass."""

from __future__ import annotations

from collections.abc import Callable

BURST_SECONDS = 1.0
"""How much of a minute's limit may be sent at once after a silence."""


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
        # More than a burst can never be saved up: it passes when nothing is owed, and is made up for afterwards.
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
