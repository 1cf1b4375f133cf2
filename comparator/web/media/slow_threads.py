"""Threads apart for what may take long, so that a page that never ends keeps nobody from anything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.responses import PlainTextResponse, Response

RETRY_AFTER_SECONDS = 20
BUSY = "The server is busy rendering other pages. Show the file again in a moment."

T = TypeVar("T")


class LaneFull(Exception):
    """As many wait already as may."""


class SlowLane:
    """Runs functions in threads of its own, a few at once, and lets a few more wait. Belongs to one event loop."""

    def __init__(self, *, at_once: int, waiting: int) -> None:
        self._limiter = CapacityLimiter(at_once)
        self._most = at_once + waiting
        self._inside = 0

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """What the function returns; what it raises is raised. Raises LaneFull, without running it."""
        if self._inside >= self._most:
            raise LaneFull
        self._inside += 1
        try:
            return await to_thread.run_sync(function, *arguments, limiter=self._limiter)
        finally:
            self._inside -= 1


def busy(headers: dict[str, str]) -> Response:
    """The answer for whom there is no room, with these headers."""
    more = {"cache-control": "no-store", "retry-after": f"{RETRY_AFTER_SECONDS:d}"}
    return PlainTextResponse(BUSY, 503, {**headers, **more})
