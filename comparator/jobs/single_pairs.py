"""Judges comparisons in the background of the app's process, a few at a time; pages start them and look on."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import NamedTuple

from comparator.domain.errors import ComparatorError, Conflict
from comparator.domain.judgment import JudgeState
from comparator.jobs.single_run_gate import SingleRunGate
from comparator.judges.protocol import Judge
from comparator.settings import JudgeKind
from comparator.store.bulk import progress
from comparator.store.bulk.progress import ProgressState
from comparator.workflow.judging.leases import (
    INTERRUPTED,
    STALE_AFTER,
    Progress,
    finish,
    free_dead,
    lease,
    where,
)
from comparator.workflow.judging.read_pair import judge_comparison
from comparator.workflow.services import Services

log = logging.getLogger(__name__)

STOP_SECONDS = 5.0
QUEUED, RUNNING = ProgressState.QUEUED, ProgressState.RUNNING
STOPPING = "The app is being stopped. Start it again, then ask the judge."


class _Work(NamedTuple):
    comparison_id: str
    judge: Judge
    worker: str


class _Trouble(NamedTuple):
    at: datetime
    text: str


class Desk:
    """One thread with an event loop. What it has begun shows in the database, so another process sees it too."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._gate = SingleRunGate(services)
        self._loop = asyncio.new_event_loop()
        self._places = asyncio.Semaphore(services.settings.concurrency)
        self._lock = threading.Lock()
        self._works: dict[str, _Work] = {}
        self._troubles: dict[str, _Trouble] = {}
        self._stopped = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="judging", daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._free_dead(), self._loop)

    def judge(self, comparison_id: str, *, kind: JudgeKind | None = None, model: str | None = None) -> None:
        """Have a comparison judged; returns as soon as it is noted. Asking twice while it runs changes nothing.

        Without `kind` and `model`, by the judge that was asked last time, else by the one of the settings. Raises
        SettingsError where the judge is not configured, StoreError where the start cannot be noted.
        """
        if self._has(comparison_id):
            return
        judge = self._choose(comparison_id, kind, model)
        worker: str | None = None
        begun = False
        try:
            # The database lets one of two through, be they threads or processes.
            worker = lease(self._services, judge, comparison_id, queued=True)
            begun = worker is not None and self._begin(_Work(comparison_id, judge, worker))
        finally:
            if not begun:
                asyncio.run(_close(judge))
        if worker is not None and not begun:
            finish(self._services, comparison_id, worker=worker, problem=INTERRUPTED, interrupted=True)
            raise Conflict(STOPPING)

    def with_judge(
        self,
        work: Callable[[Judge], Awaitable[None]],
        *,
        kind: JudgeKind | None = None,
        model: str | None = None,
    ) -> None:
        """Have something else asked of a judge in the background; the judge is closed afterwards.

        Raises SettingsError where the judge is not configured.
        """
        judge = self._services.judge(kind, model, through=self._gate.before)

        async def act() -> None:
            try:
                await work(judge)
            finally:
                await _close(judge)

        with self._lock:
            stopped = self._stopped
            if not stopped:
                asyncio.run_coroutine_threadsafe(act(), self._loop)
        if stopped:
            asyncio.run(_close(judge))
            raise Conflict(STOPPING)

    def progress(self, comparison_id: str) -> Progress:
        """Where the judge is with a comparison, whichever process has it."""
        with self._services.database.read() as connection:
            row = progress.get(connection, comparison_id)
        now = self._services.now()
        work = self._works.get(comparison_id)
        if row is not None and work is not None and work.worker == row.worker:
            # In this process it is alive, even where the database was too busy for its sign of life.
            now = row.beat_at
        trouble = self._troubles.get(comparison_id)
        if trouble is not None and (row is None or row.beat_at <= trouble.at):
            return Progress(state=JudgeState.FAILED, problem=trouble.text)
        return where(row, now=now)

    def stop(self) -> None:
        """End the thread; what is under way is noted as interrupted, and all judges are closed."""
        with self._lock:
            if self._stopped:
                return
            self._stopped = True

        async def end() -> None:
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            # Of a task that was cancelled before it began, nothing has run.
            for work in tuple(self._works.values()):
                finish(
                    self._services,
                    work.comparison_id,
                    worker=work.worker,
                    problem=INTERRUPTED,
                    interrupted=True,
                )
                await _close(work.judge)

        with contextlib.suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(end(), self._loop).result(timeout=STOP_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=STOP_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    def _has(self, comparison_id: str) -> bool:
        """Whether this process judges it; one whose end is noted already may be started again."""
        work = self._works.get(comparison_id)
        if work is None:
            return False
        with self._services.database.read() as connection:
            row = progress.get(connection, comparison_id)
        return row is None or row.worker != work.worker or row.state in (QUEUED, RUNNING)

    def _begin(self, work: _Work) -> bool:
        with self._lock:
            if self._stopped:
                return False
            self._troubles.pop(work.comparison_id, None)
            self._works[work.comparison_id] = work
            asyncio.run_coroutine_threadsafe(self._carry_out(work), self._loop)
            return True

    def _choose(self, comparison_id: str, kind: JudgeKind | None, model: str | None) -> Judge:
        if kind is None and model is None:
            with self._services.database.read() as connection:
                row = progress.get(connection, comparison_id)
            if row is not None:
                return self._services.judge(row.judge_kind, row.judge_model, through=self._gate.before)
        return self._services.judge(kind, model, through=self._gate.before)

    async def _carry_out(self, work: _Work) -> None:
        comparison_id = work.comparison_id
        try:
            await judge_comparison(
                self._services, work.judge, comparison_id, worker=work.worker, place=self._places
            )
        except Conflict as error:
            # Another process has taken it over; what comes of it there is shown.
            log.info("judging %s ended here: %s", comparison_id, error)
        except ComparatorError as error:
            self._troubles[comparison_id] = _Trouble(self._services.now(), str(error))
        except Exception:
            # A bug; it must not end the thread that judges the others.
            log.exception("judging %s failed", comparison_id)
            text = "Something went wrong while judging; the log has the details."
            self._troubles[comparison_id] = _Trouble(self._services.now(), text)
        finally:
            with self._lock:
                if self._works.get(comparison_id) is work:
                    del self._works[comparison_id]
            await _close(work.judge)

    async def _free_dead(self) -> None:
        """From time to time, what dead processes left behind becomes startable again."""
        while True:
            await asyncio.sleep(STALE_AFTER.total_seconds())
            try:
                # After a machine's sleep one's own signs of life are old too.
                with self._lock:
                    own = {work.worker for work in self._works.values()}
                free_dead(self._services, alive=own)
            except ComparatorError as error:
                log.warning("what other processes left behind could not be looked at: %s", error)


async def _close(judge: Judge) -> None:
    try:
        await judge.close()
    except Exception:
        log.exception("the judge could not be closed")
