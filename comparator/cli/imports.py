"""`import`: workspaces, results and preference sets come in."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from comparator.cli.frame import (
    EXIT_CODES,
    NO_JUDGMENT,
    AsJson,
    app,
    input_file,
    json_text,
    options_of,
    progress,
    say,
)
from comparator.domain.counted import counted
from comparator.workflow.importing.pairs import ImportRequest


class JudgeWhen(StrEnum):
    """What happens to imported pairs."""

    NOW = "now"
    QUEUE = "queue"
    NONE = "none"


@app.command("import", epilog=EXIT_CODES)
@options_of(ImportRequest, without=("path", "left_out", "mode"), columns="--column", take_back="--judge-file")
def import_(
    path: Annotated[
        Path,
        typer.Argument(help="A workspace folder, or a file of results or preferences (- for standard input)"),
    ],
    when: Annotated[
        JudgeWhen,
        typer.Option("--judge", help="Judge the new pairs now, by workers in the background (queue), or not"),
    ] = JudgeWhen.NONE,
    all_runs: Annotated[
        bool,
        typer.Option(
            "--all-runs", help="With --judge: pairs with an unusable output too, which are left out otherwise"
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be imported, and import nothing")
    ] = False,
    as_json: AsJson = False,
    **asked: Any,
) -> None:
    """Import a skill-creator workspace, a promptfoo run, a preference set or a table of pairs."""
    from comparator import api
    from comparator.api.opened import opened
    from comparator.jobs import start_batches
    from comparator.workflow.importing import run

    now = when is JudgeWhen.NOW and not dry_run
    if now:
        with opened(None) as services:
            services.judge()
    judged = queued = None
    void = 0
    with progress() as step, input_file(path) as file:
        work = api.look_through if dry_run else api.import_workspace
        done = work(file, on_step=step, **asked)
        report = done.report if isinstance(done, api.Imported) else done
        if isinstance(done, api.Imported):
            with opened(None) as services:
                chosen = run.to_judge(services, done.unjudged, all_runs=all_runs)
                void = len(done.unjudged) - len(chosen)
                if when is JudgeWhen.QUEUE and chosen:
                    queued = start_batches.start_for(services, chosen)
                if now:
                    judged = asyncio.run(run.judge_new(services, chosen, on_step=step))
    if as_json:
        print(json_text(report, indent=2))
    for line in run.summary(report, judged=judged, done=not dry_run):
        say.print(line)
    if void and when is not JudgeWhen.NONE:
        say.print(f"Not judged: {counted(void, 'pair')} with an unusable output. --all-runs takes them in.")
    if queued is not None:
        say.print(f"Batch {queued.id} waits for a worker: comparator worker, or the app.")
    if judged is not None and judged.failed:
        raise typer.Exit(NO_JUDGMENT)
