"""Judges comparisons in the background of the app's process, a few at a time; pages start them and look on."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Coroutine
from typing import Any

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Frozen
from comparator.settings import JudgeKind
from comparator.store import progress
from comparator.store.progress import ProgressState
from comparator.workflow.judge import STALE_AFTER, judge_comparison
from comparator.workflow.services import Services
from comparator.workflow.sheet import JudgeState

log = logging.getLogger(__name__)

STOP_SECONDS = 5.0


class Progress(Frozen):
    """Where the judge is with a comparison."""

    state: JudgeState
    step: str | None = None
    problem: str | None = None


class Desk:
    """One thread with an event loop. What it has begun shows in the database, so another process sees it too."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._loop = asyncio.new_event_loop()
        self._places = asyncio.Semaphore(services.settings.concurrency)
        self._waiting: set[str] = set()
        self._problems: dict[str, str] = {}
        self._thread = threading.Thread(target=self._loop.run_forever, name="judging", daemon=True)
        self._thread.start()

    def judge(self, comparison_id: str, *, kind: JudgeKind | None = None, model: str | None = None) -> None:
        """Have a comparison judged; returns at once. Asking twice while it runs changes nothing.

        Raises SettingsError where the judge is not configured.
        """
        if comparison_id in self._waiting:
            return
        judge = self._services.judge(kind, model)
        self._waiting.add(comparison_id)
        self._problems.pop(comparison_id, None)

        async def work() -> None:
            try:
                async with self._places:
                    await judge_comparison(self._services, judge, comparison_id)
            except ComparatorError as error:
                self._problems[comparison_id] = str(error)
            except Exception:
                # A bug; it must not end the thread that judges the others.
                log.exception("judging %s failed", comparison_id)
                self._problems[comparison_id] = "Something went wrong while judging; the log has the details."
            finally:
                self._waiting.discard(comparison_id)
                await judge.close()

        self._start(work())

    def progress(self, comparison_id: str) -> Progress:
        """Where the judge is with a comparison, whichever process has it."""
        with self._services.database.read() as connection:
            row = progress.get(connection, comparison_id)
        if row is not None and row.state is ProgressState.RUNNING:
            alive = self._services.now() - row.beat_at < STALE_AFTER
            if alive or comparison_id in self._waiting:
                return Progress(state=JudgeState.RUNNING, step=row.step)
            return Progress(
                state=JudgeState.INTERRUPTED,
                problem="Judging was interrupted. Start it again; what is done is not paid for twice.",
            )
        if comparison_id in self._waiting:
            return Progress(state=JudgeState.WAITING, step="Waiting for a free place")
        problem = self._problems.get(comparison_id) or (row.problem if row else None)
        if problem:
            return Progress(state=JudgeState.FAILED, problem=problem)
        return Progress(state=JudgeState.DONE if row else JudgeState.WAITING)

    def stop(self) -> None:
        """End the thread; what is under way is noted as interrupted."""
        if self._loop.is_closed():
            return

        async def end() -> None:
            work = asyncio.all_tasks() - {asyncio.current_task()}
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

        with contextlib.suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(end(), self._loop).result(timeout=STOP_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=STOP_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop)
