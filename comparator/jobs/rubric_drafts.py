"""Rubrics that are being written for the page New, by the desk; the page looks on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from comparator.domain.errors import ComparatorError
from comparator.jobs.single_pairs import Desk
from comparator.judges.protocol import Judge, RubricReply
from comparator.settings import JudgeKind

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

    def __init__(self, desk: Desk, *, now: Callable[[], datetime]) -> None:
        self._desk, self._now = desk, now
        self._lock = threading.Lock()
        self._held: dict[str, Writing] = {}

    def begin(
        self,
        draft_id: str,
        write: Callable[[Judge], Awaitable[RubricReply]],
        *,
        kind: JudgeKind | None,
        model: str | None,
    ) -> None:
        """Have the rubric written by this judge; asking twice while it is written changes nothing."""
        with self._lock:
            if draft_id in self._held and not self._held[draft_id].done:
                return
            mine = self._held[draft_id] = Writing(began=self._now())
        try:
            self._desk.with_judge(
                lambda judge: self._write(draft_id, mine, write(judge)), kind=kind, model=model
            )
        except ComparatorError as error:
            self._end(draft_id, mine, Writing(began=mine.began, problem=str(error)))

    def look(self, draft_id: str) -> Writing | None:
        """How it stands; None where nothing was begun."""
        return self._held.get(draft_id)

    def forget(self, draft_id: str) -> None:
        """Take it away; one that is still written is paid and counted, but no longer waited for."""
        with self._lock:
            self._held.pop(draft_id, None)

    async def _write(self, draft_id: str, mine: Writing, reply: Awaitable[RubricReply]) -> None:
        try:
            ended = Writing(began=mine.began, reply=await reply)
        except ComparatorError as error:
            ended = Writing(began=mine.began, problem=str(error))
        except Exception:  # a task in the background has nobody to raise to
            log.exception("writing a rubric")
            ended = Writing(began=mine.began, problem=BUG)
        self._end(draft_id, mine, ended)

    def _end(self, draft_id: str, mine: Writing, ended: Writing) -> None:
        with self._lock:
            if self._held.get(draft_id) is mine:
                self._held[draft_id] = ended
