"""What a model writes for a page beside judging, each in a thread of its own; the page looks on."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
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


class Answered(NamedTuple):
    """How much of what a model is asked about it has answered."""

    done: int
    of: int


@dataclass
class DraftInProgress(Generic[T]):
    """One of them: begun when, and what came of it; neither reply nor problem while the model writes."""

    began: datetime
    reply: T | None = None
    problem: str | None = None
    answered: Answered | None = None
    """Of one for which a model is asked more than once."""

    @property
    def done(self) -> bool:
        """Whether the judge has ended."""
        return self.reply is not None or self.problem is not None


Write = Callable[[Judge, Membership], Awaitable[T]]
"""Has this judge write it, as this process among those that work."""


class Drafting(Generic[T]):
    """What is being written, under the id of what it is for. Leaving the page stops nothing."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._drafts: dict[str, DraftInProgress[T]] = {}

    def begin(
        self,
        draft_id: str,
        write: Write[T],
        *,
        kind: JudgeKind | None = None,
        model: str | None = None,
        tools: Tools | None = None,
    ) -> None:
        """Have it written by this judge; asking twice while it is written changes nothing."""
        with self._lock:
            if draft_id in self._drafts and not self._drafts[draft_id].done:
                return
            mine = self._drafts[draft_id] = DraftInProgress[T](began=self._services.now())

        def work() -> None:
            try:
                mine.reply = asyncio.run(with_judge(self._services, write, kind, model, tools))
            except ComparatorError as error:
                mine.problem = str(error)
            except Exception:  # a thread in the background has nobody to raise to
                log.exception("asking a model")
                mine.problem = BUG

        threading.Thread(target=work, name="drafting", daemon=True).start()

    def look(self, draft_id: str) -> DraftInProgress[T] | None:
        """How it stands; None where nothing was begun."""
        return self._drafts.get(draft_id)

    def step(self, draft_id: str, done: int, of: int) -> None:
        """For a writer that asks more than once: this much is answered."""
        if (mine := self._drafts.get(draft_id)) is not None:
            mine.answered = Answered(done, of)

    def forget(self, draft_id: str) -> None:
        """Take it away; one that is still written is paid and counted, but no longer waited for."""
        self._drafts.pop(draft_id, None)


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
