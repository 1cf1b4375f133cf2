"""Rubrics that are being written for the page New, each in a thread of its own; the page looks on."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from comparator.domain.errors import ComparatorError
from comparator.judges.protocol import RubricReply

log = logging.getLogger(__name__)

BUG = "Something went wrong while the rubric was written; the log has the details."


@dataclass(frozen=True)
class Writing:
    """One rubric: begun when, and what came of it; neither reply nor problem while the judge writes."""

    began: datetime
    reply: RubricReply | None = None
    problem: str | None = None

    @property
    def done(self) -> bool:
        """Whether the judge has ended."""
        return self.reply is not None or self.problem is not None


class Drafting:
    """What is being written, under the id of the draft that it is for. Leaving the page stops nothing."""

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._held: dict[str, Writing] = {}

    def begin(self, draft_id: str, write: Callable[[], Awaitable[RubricReply]]) -> None:
        """Have the rubric written; asking twice while it is written changes nothing."""
        with self._lock:
            if draft_id in self._held and not self._held[draft_id].done:
                return
            mine = self._held[draft_id] = Writing(began=self._now())
        threading.Thread(target=self._write, args=(draft_id, mine, write), name="rubric", daemon=True).start()

    def look(self, draft_id: str) -> Writing | None:
        """How it stands; None where nothing was begun."""
        return self._held.get(draft_id)

    def forget(self, draft_id: str) -> None:
        """Take it away; one that is still written is paid and counted, but no longer waited for."""
        with self._lock:
            self._held.pop(draft_id, None)

    def _write(self, draft_id: str, mine: Writing, write: Callable[[], Awaitable[RubricReply]]) -> None:
        async def run() -> RubricReply:
            return await write()

        try:
            ended = Writing(began=mine.began, reply=asyncio.run(run()))
        except ComparatorError as error:
            ended = Writing(began=mine.began, problem=str(error))
        except Exception:  # a thread has nobody to raise to
            log.exception("writing a rubric")
            ended = Writing(began=mine.began, problem=BUG)
        with self._lock:
            if self._held.get(draft_id) is mine:
                self._held[draft_id] = ended
