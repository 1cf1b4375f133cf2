"""`import`: workspaces, results and preference sets come in."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from comparator.cli.frame import (
    EXIT_CODES,
    NO_JUDGMENT,
    app,
    input_file,
    json_text,
    plain_errors,
    progress,
    say,
)
from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.interop.imported import Format
from comparator.workflow.importing.pairs import Pairing


class JudgeWhen(StrEnum):
    """What happens to imported pairs."""

    NOW = "now"
    QUEUE = "queue"
    NONE = "none"


@app.command("import", epilog=EXIT_CODES)
def import_(
    path: Annotated[
        Path,
        typer.Argument(help="A workspace folder, or a file of results or preferences (- for standard input)"),
    ],
    format: Annotated[Format | None, typer.Option(help="Its format; recognised by default")] = None,  # noqa: A002  # the option's name
    project: Annotated[
        str,
        typer.Option(
            help="Project to import into. By default: the skill's name if the workspace has only one skill, else the "
            "name of the file or folder (of its parent, if the folder is called workspace, results, runs or evals)"
        ),
    ] = "",
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Two candidates: NAME, or ITERATION/NAME to compare across iterations"),
    ] = None,
    pairs: Annotated[
        Pairing, typer.Option(help="Which pairs: siblings are candidates of one iteration")
    ] = Pairing.SIBLINGS,
    baseline: Annotated[
        str,
        typer.Option(help="With --pairs baseline: the candidate to compare the others with, as in --compare"),
    ] = "",
    iterations: Annotated[str, typer.Option(help="all, last, N or N..M")] = "all",
    workspace: Annotated[
        str, typer.Option(help="Only this workspace, by its path within PATH, where there are several")
    ] = "",
    column: Annotated[list[str], typer.Option(help="OURS=THEIRS: a column's name in a table; repeat")] = [],  # noqa: B006  # typer copies
    label_values: Annotated[
        str, typer.Option(help="What the values of a table's label mean, like 1=B,0=tie,-1=A")
    ] = "",
    keep: Annotated[list[str], typer.Option(help="A revealing word to keep; repeat")] = [],  # noqa: B006  # typer copies
    redact: Annotated[list[str], typer.Option(help="A word to neutralise wherever it occurs; repeat")] = [],  # noqa: B006  # typer copies
    judge_file: Annotated[
        list[str], typer.Option(help="A file to judge although it reports on a run; repeat")
    ] = [],  # noqa: B006  # typer copies
    set_aside: Annotated[list[str], typer.Option(help="An expectation to leave unchecked; repeat")] = [],  # noqa: B006  # typer copies
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
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON")] = False,
) -> None:
    """Import a skill-creator workspace, a promptfoo run, a preference set or a table of pairs."""
    with plain_errors():
        from comparator import api
        from comparator.api.opened import opened
        from comparator.jobs import start_batches
        from comparator.workflow.importing import run
        from comparator.workflow.importing.pairs import label_meanings

        now = when is JudgeWhen.NOW and not dry_run
        if now:
            with opened(None) as services:
                services.judge()
        judged = queued = None
        void = 0
        with progress() as step, input_file(path) as file:
            work = api.look_through if dry_run else api.import_workspace
            done = work(
                file,
                on_step=step,
                format=format,
                project=project,
                compare=compare,
                pairs=pairs,
                baseline=baseline,
                iterations=iterations,
                workspace=workspace,
                columns=dict(map(_column, column)),
                label_values=label_meanings(label_values),
                keep=keep,
                redact=redact,
                set_aside=set_aside,
                take_back=judge_file,
            )
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
            say.print(
                f"Not judged: {counted(void, 'pair')} with an unusable output. --all-runs takes them in."
            )
        if queued is not None:
            say.print(f"Batch {queued.id} waits for a worker: comparator worker, or the app.")
        if judged is not None and judged.failed:
            raise typer.Exit(NO_JUDGMENT)


def _column(text: str) -> tuple[str, str]:
    """Our name of a column and theirs. Raises InputError."""
    ours, separator, theirs = (part.strip() for part in text.partition("="))
    if not separator or not ours or not theirs:
        raise InputError(f"--column {text} is not understood. Write it like prompt=question.")
    return ours, theirs
