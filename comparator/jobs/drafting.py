"""What a model writes for a page beside judging, each in a thread of its own; the page looks on."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from comparator.domain.errors import ComparatorError
from comparator.domain.scoring.judgment import Tools
from comparator.judges.protocol import Judge
from comparator.settings import JudgeKind
from comparator.workflow.judging.gate import GatedSender
from comparator.workflow.judging.registry import Membership
from comparator.workflow.services import Services

log = logging.getLogger(__name__)
T = TypeVar("T")

BUG = "Something went wrong while the model was asked; the log has the details."


@dataclass(frozen=True)
class DraftInProgress(Generic[T]):
    """One of them: begun when, and what came of it; neither reply nor problem while the model writes."""

    began: datetime
    reply: T | None = None
    problem: str | None = None

    @property
    def done(self) -> bool:
        """Whether the judge has ended."""
        return self.reply is not None or self.problem is not None


class Answered(NamedTuple):
    """How much of what a model is asked about it has answered."""

    done: int
    of: int


Write = Callable[[Judge, Membership], Awaitable[T]]
"""Has this judge write it, as this process among those that work."""


class Drafting(Generic[T]):
    """What is being written, under the id of what it is for. Leaving the page stops nothing."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._drafts: dict[str, DraftInProgress[T]] = {}
        self._answered: dict[str, Answered] = {}

    def begin(
        self,
        draft_id: str,
        write: Write[T],
        *,
        kind: JudgeKind | None,
        model: str | None,
        tools: Tools | None = None,
    ) -> None:
        """Have it written by this judge; asking twice while it is written changes nothing."""
        with self._lock:
            if draft_id in self._drafts and not self._drafts[draft_id].done:
                return
            mine: DraftInProgress[T] = DraftInProgress(began=self._services.now())
            self._drafts[draft_id] = mine
            self._answered.pop(draft_id, None)

        def work() -> None:
            self._end(draft_id, mine, asyncio.run(self._write(mine, write, kind, model, tools)))

        threading.Thread(target=work, name="drafting", daemon=True).start()

    def look(self, draft_id: str) -> DraftInProgress[T] | None:
        """How it stands; None where nothing was begun."""
        return self._drafts.get(draft_id)

    def answered(self, draft_id: str) -> Answered | None:
        """How much is answered; None until its writer has said so."""
        return self._answered.get(draft_id)

    def step(self, draft_id: str, done: int, of: int) -> None:
        """For a writer that asks more than once: this much is answered."""
        self._answered[draft_id] = Answered(done, of)

    def forget(self, draft_id: str) -> None:
        """Take it away; one that is still written is paid and counted, but no longer waited for."""
        with self._lock:
            self._drafts.pop(draft_id, None)

    async def _write(
        self,
        mine: DraftInProgress[T],
        write: Write[T],
        kind: JudgeKind | None,
        model: str | None,
        tools: Tools | None,
    ) -> DraftInProgress[T]:
        try:
            return replace(mine, reply=await with_judge(self._services, write, kind, model, tools))
        except ComparatorError as error:
            return replace(mine, problem=str(error))
        except Exception:  # a thread in the background has nobody to raise to
            log.exception("asking a model")
            return replace(mine, problem=BUG)

    def _end(self, draft_id: str, mine: DraftInProgress[T], ended: DraftInProgress[T]) -> None:
        with self._lock:
            if self._drafts.get(draft_id) is mine:
                self._drafts[draft_id] = ended


async def with_judge(
    services: Services,
    write: Write[T],
    kind: JudgeKind | None = None,
    model: str | None = None,
    tools: Tools | None = None,
) -> T:
    """What `write` returns: it is given the judge, whose requests share the limits with all others.

    Raises JudgeError, SettingsError, and what `write` raises.
    """
    async with Membership(services, single_run=True) as me:
        judge = services.judge(kind, model, through=partial(GatedSender, me.gate), tools=tools)
        try:
            return await write(judge, me)
        finally:
            await judge.close()
