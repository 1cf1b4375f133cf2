"""`batch` and `worker`: judging in bulk is started, followed and steered, and done."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any

import typer

from comparator.cli.frame import (
    NO_JUDGMENT,
    AsJson,
    OptionsOf,
    ProjectName,
    app,
    json_text,
    opened,
    say,
)
from comparator.domain.counted import counted, lasting
from comparator.domain.errors import InputError
from comparator.store.bulk import batches
from comparator.store.bulk.batches import Batch, BatchRequest, BatchState
from comparator.store.bulk.message_batches import POLL_SECONDS
from comparator.store.people.projects import project_named

if TYPE_CHECKING:
    from comparator.jobs.manage_batches import BatchReport
    from comparator.jobs.worker import Worker
    from comparator.workflow.services import Services

batch_commands = typer.Typer(
    help="Judging in bulk: start, list, watch, pause, resume, cancel, retry.", no_args_is_help=True
)
app.add_typer(batch_commands, name="batch")
GIVE_WAY = 10
"""By how much a worker beside the app takes less of a busy processor than the app (its nice value)."""
BatchId = Annotated[str, typer.Argument(help="The batch's id, or its first letters")]
LOOK_SECONDS = 2.0
"""Between looks at batches that are followed."""


@batch_commands.command("start")
def batch_start(
    project: ProjectName,
    *,
    budget: str = "",
    dry_run: bool = False,
    as_json: AsJson = False,
    **options: Annotated[
        Any, OptionsOf(BatchRequest, without=("project_id", "budget", "tries"), comparisons="--comparison")
    ],
) -> None:
    """Have many comparisons judged in the background.

    Args:
        budget: Limit in US dollars, for each judge
        dry_run: Estimate cost and time, and start nothing
    """
    with opened() as services:
        from comparator.api.deciding import start
        from comparator.api.opened import understood
        from comparator.jobs import estimate_batches

        request = understood(
            BatchRequest,
            project_id=project_named(services.database, project),
            budget=money(budget),
            **options,
        )
        estimate = estimate_batches.estimate_of(services, request)
        say.print(estimate_batches.in_words(estimate))
        if estimate.void:
            say.print("--all-runs takes in what is left out.")
        if dry_run:
            if as_json:
                print(json_text(estimate))
            return
        started = start(services, request)
        if as_json:
            print(json.dumps(_as_json(started)))
        say.print(
            f"Batch {started.batch.id} is waiting for a worker. Run comparator worker, or open the app. "
            "To follow it, run comparator batch watch."
        )


@batch_commands.command("list")
def batch_list(as_json: AsJson = False) -> None:
    """All batches, the newest first."""
    with opened() as services:
        from comparator.jobs import manage_batches

        reports = manage_batches.reports(services)
        if as_json:
            print(json.dumps([_as_json(report) for report in reports], indent=2))
        else:
            print(*map(_line, reports), sep="\n")


@batch_commands.command("watch")
def batch_watch(
    batch: str = "",
    as_json: AsJson = False,
) -> None:
    """Follow batches until they end. Exit codes: 0 all judged; 3 something failed, or a batch does not go on.

    Args:
        batch: The batch's id; without it, all unfinished batches
    """
    with opened() as services:
        from comparator.jobs import manage_batches

        chosen = _batch(services, batch) if batch else None

        def look() -> tuple[BatchReport, ...]:
            if chosen:
                return (manage_batches.report(services, chosen),)
            every = manage_batches.reports(services)
            return tuple(report for report in every if report.counts.left) or every[:1]

        reports, printed = look(), ""
        if as_json:
            rows = [_as_json(report) for report in reports]
            print(json.dumps(rows[0] if chosen else rows))
        elif not reports:
            say.print("There is no batch to follow. comparator batch start PROJECT starts one.")
        else:
            while True:
                if (lines := "\n".join(map(_line, reports))) != printed:
                    say.print(printed := lines)
                # One that is paused goes on only if somebody acts.
                if not any(
                    report.counts.left and report.batch.state is BatchState.RUNNING for report in reports
                ):
                    break
                time.sleep(LOOK_SECONDS)
                reports = look()
        if any(
            report.counts.failed
            or report.counts.cancelled
            or (report.counts.left and report.batch.state is not BatchState.RUNNING)
            for report in reports
        ):
            raise typer.Exit(NO_JUDGMENT)


@batch_commands.command("pause")
def batch_pause(batch: BatchId) -> None:
    """Send nothing more; the answers of what is on the wire are kept."""
    _move(batch, BatchState.PAUSED)


@batch_commands.command("resume")
def batch_resume(
    batch: BatchId,
    *,
    budget: str = "",
) -> None:
    """Let a paused batch go on.

    Args:
        budget: New limit in US dollars
    """
    _move(batch, BatchState.RUNNING, ceiling=money(budget))


@batch_commands.command("cancel")
def batch_cancel(batch: BatchId) -> None:
    """End a batch; what is read already stays."""
    _move(batch, BatchState.CANCELLED)


@batch_commands.command("retry")
def batch_retry(batch: BatchId) -> None:
    """Have the failed comparisons read again; only what is missing is paid for."""
    with opened() as services:
        from comparator.jobs import manage_batches

        waiting = manage_batches.retry(services, _batch(services, batch))
        say.print(f"Waiting again: {counted(waiting, 'comparison')}.")


@app.command()
def worker(
    *,
    until_idle: float | None = None,
    beside_app: Annotated[
        bool, typer.Option("--beside-app", help="Exit when standard input ends", hidden=True)
    ] = False,
    poll: float = POLL_SECONDS,
) -> None:
    """Work at batches until stopped (Ctrl+C keeps the answers of what is on the wire).

    Args:
        until_idle: Exit after this many seconds without work
        poll: Seconds between checks of Message Batches
    """
    with opened() as services:
        from comparator.jobs.worker import Worker
        from comparator.web.monitoring import set_up

        set_up(services.settings.log, environment=services.environment)

        async def work() -> None:
            this_worker = Worker(services, idle_seconds=until_idle, poll_seconds=poll)
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, this_worker.stop)
            say.print(f"Worker {this_worker.id} looks for work.")
            if beside_app:
                threading.Thread(target=_listen, args=(loop, this_worker), name="listen", daemon=True).start()
            await this_worker.run()

        if beside_app:
            # From here on; before, somebody may wait for it. Whoever clicks in the app goes first.
            os.nice(GIVE_WAY)
        asyncio.run(work())


def work_at(services: Services, batch: Batch) -> None:
    """Work at all that waits, and say how far this batch is, with those of judges that were asked together.

    Raises typer.Exit where something of them failed.
    """
    from comparator.jobs import manage_batches
    from comparator.jobs.worker import Worker

    def look() -> list[BatchReport]:
        every = manage_batches.reports(services, project_id=batch.project_id)
        return [
            report
            for report in every
            if report.batch.id == batch.id or (batch.panel and report.batch.panel == batch.panel)
        ]

    async def work() -> None:
        working, printed = asyncio.create_task(Worker(services, idle_seconds=0).run()), ""
        while not working.done():
            await asyncio.wait({working}, timeout=0.5)
            if (lines := "\n".join(map(_line, await asyncio.to_thread(look)))) != printed:
                say.print(printed := lines)
        working.result()

    asyncio.run(work())
    reports = look()
    failures = [
        failure for report in reports for failure in manage_batches.failures(services, report.batch.id)
    ]
    for problem in dict.fromkeys(failure.problem for failure in failures):
        say.print(problem)
    if any(report.counts.done < report.counts.total for report in reports):
        raise typer.Exit(NO_JUDGMENT)


def _listen(loop: asyncio.AbstractEventLoop, worker: Worker) -> None:
    """What the app writes means that somebody waits for a pair; its end, that the app is gone."""
    # Not through sys.stdin: a thread that reads it keeps the interpreter from ending.
    while os.read(0, 1024):
        loop.call_soon_threadsafe(worker.wake)
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(worker.stop)


def _line(report: BatchReport) -> str:
    batch, counts, remaining = report.batch, report.counts, ""
    if report.waits_for_worker:
        remaining = ", no worker is running"
    elif counts.left:
        seconds = report.seconds_left
        remaining = ", time unknown" if seconds is None else f", about {lasting(seconds)} left"
    return (
        f"{batch.id[:8]} {report.project}, {batch.name}: {batch.state}, {counts.done:,} of {counts.total:,} done, "
        f"{counts.failed:,} failed, {counts.left:,} waiting, {_paid(report)}{remaining}"
        f"{f'. {report.waits_for or batch.problem}' if report.waits_for or batch.problem else ''}"
    )


def _as_json(report: BatchReport) -> dict[str, Any]:
    return {
        "id": report.batch.id,
        "name": report.batch.name,
        "project": report.project,
        "state": report.batch.state,
        "problem": report.batch.problem,
        "via": report.batch.via,
        "judge": report.batch.judge.model,
        "total": report.counts.total,
        "done": report.counts.done,
        "failed": report.counts.failed,
        "waiting": report.counts.left,
        "cancelled": report.counts.cancelled,
        "cost": None if report.cost is None else float(report.cost),
        "seconds_left": report.seconds_left,
        "workers": report.workers,
        "waits_for": report.waits_for or None,
    }


def _paid(report: BatchReport) -> str:
    from comparator.workflow.judging.paying import paid

    return "free" if report.batch.judge.kind == "offline" else paid(report.batch, report.cost)


def money(text: str) -> Decimal | None:
    """A sum of US dollars; None for an empty text. Raises InputError for anything else."""
    if not text:
        return None
    with suppress(InvalidOperation):
        if (amount := Decimal(text)).is_finite():
            return amount
    raise InputError(f"--budget is {text[:40]!r}, which is no sum in US dollars. Write it like 12.50.")


def _batch(services: Services, id: str) -> str:
    with services.read() as connection:
        ids = batches.ids_like(connection, id)
    if len(ids) != 1:
        what = "is no batch" if not ids else "fits several batches"
        raise InputError(f"{id!r} {what}. `comparator batch list` shows them.")
    return ids[0]


def _move(id: str, state: BatchState, *, ceiling: Decimal | None = None) -> None:
    with opened() as services:
        from comparator.jobs import manage_batches

        batch = manage_batches.move(services, _batch(services, id), state, ceiling=ceiling)
        say.print(f"The batch {batch.name!r} is {batch.state}.")
