"""Rubrics that are being written for the page New, each in a thread of its own; the page looks on."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from comparator.domain.errors import ComparatorError
from comparator.domain.scoring.judgment import Tools
from comparator.jobs.gate import GatedSender, new_gate
from comparator.judges.protocol import Judge, RubricReply
from comparator.settings import JudgeKind
from comparator.workflow.judging import registry
from comparator.workflow.judging.ledger import Ledger
from comparator.workflow.judging.registry import Membership
from comparator.workflow.services import Services

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


Write = Callable[[Judge, str], Awaitable[RubricReply]]
"""Writes a rubric by this judge, as the worker of this id."""


class Drafting:
    """What is being written, under the id of the draft that it is for. Leaving the page stops nothing."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._held: dict[str, Writing] = {}

    def begin(
        self,
        draft_id: str,
        write: Write,
        *,
        kind: JudgeKind | None,
        model: str | None,
        tools: Tools | None = None,
    ) -> None:
        """Have the rubric written by this judge; asking twice while it is written changes nothing."""
        with self._lock:
            if draft_id in self._held and not self._held[draft_id].done:
                return
            mine = self._held[draft_id] = Writing(began=self._services.now())

        def work() -> None:
            self._end(draft_id, mine, asyncio.run(self._write(mine, write, kind, model, tools)))

        threading.Thread(target=work, name="rubric", daemon=True).start()

    def look(self, draft_id: str) -> Writing | None:
        """How it stands; None where nothing was begun."""
        return self._held.get(draft_id)

    def forget(self, draft_id: str) -> None:
        """Take it away; one that is still written is paid and counted, but no longer waited for."""
        with self._lock:
            self._held.pop(draft_id, None)

    async def _write(
        self, mine: Writing, write: Write, kind: JudgeKind | None, model: str | None, tools: Tools | None
    ) -> Writing:
        services, gate = self._services, new_gate()
        ledger, worker = Ledger(services), registry.new_guest_id(services)
        try:
            judge = services.judge(kind, model, through=partial(GatedSender, gate), tools=tools)
            try:
                async with Membership(services, ledger, worker=worker, on_share=gate.set_share):
                    return replace(mine, reply=await write(judge, worker))
            finally:
                await judge.close()
        except ComparatorError as error:
            return replace(mine, problem=str(error))
        except Exception:  # a thread in the background has nobody to raise to
            log.exception("writing a rubric")
            return replace(mine, problem=BUG)
        finally:
            await asyncio.to_thread(ledger.close)

    def _end(self, draft_id: str, mine: Writing, ended: Writing) -> None:
        with self._lock:
            if self._held.get(draft_id) is mine:
                self._held[draft_id] = ended
