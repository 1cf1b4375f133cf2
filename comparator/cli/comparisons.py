"""`import`, `list`, `show`, `export` and `review import`: comparisons come in, are shown, and go out in formats."""

from __future__ import annotations

import json
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from comparator.cli.batch import work_at
from comparator.cli.frame import (
    EXIT_CODES,
    STANDARD,
    AsJson,
    OptionsOf,
    app,
    input_file,
    json_text,
    opened,
    output_file,
    progress,
    read_text,
    say,
)
from comparator.cli.projects import print_table
from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.labels import Label, Winner
from comparator.domain.scoring.result import ComparisonResult
from comparator.domain.scoring.rubric import form_in_words
from comparator.interop.exported import ExportChoice, ExportFormat, doubt, summary
from comparator.store.facts.fact import Status
from comparator.store.pairs.comparison_list import ListOrder
from comparator.store.people.projects import project_named
from comparator.workflow.importing.pairs import ImportRequest


class JudgeWhen(StrEnum):
    """What happens to imported pairs."""

    NOW = "now"
    QUEUE = "queue"
    NONE = "none"


@app.command("import", epilog=EXIT_CODES)
def import_(
    path: Path,
    when: Annotated[
        JudgeWhen,
        typer.Option("--judge", help="Judge the new pairs now, by workers in the background (queue), or not"),
    ] = JudgeWhen.NONE,
    *,
    all_runs: bool = False,
    dry_run: bool = False,
    as_json: AsJson = False,
    **options: Annotated[
        Any,
        OptionsOf(
            ImportRequest, without=("path", "left_out", "mode"), columns="--column", take_back="--judge-file"
        ),
    ],
) -> None:
    """Import a skill-creator workspace, a promptfoo run, a preference set or a table of pairs.

    Args:
        path: A workspace folder, or a file of results or preferences (- for standard input)
        all_runs: With --judge: pairs with an unusable output too, which are left out otherwise
        dry_run: Show what would be imported, and import nothing
    """
    from comparator import api
    from comparator.api.opened import opened
    from comparator.jobs import start_batches
    from comparator.workflow.importing import run

    if when is JudgeWhen.NOW and not dry_run:
        with opened(None) as services:
            services.judge()
    with progress() as step, input_file(path) as file:
        work = api.look_through if dry_run else api.import_workspace
        done = work(file, on_step=step, **options)
    report = done.report if isinstance(done, api.Imported) else done
    if as_json:
        print(json_text(report, indent=2))
    for line in run.summary(report, done=not dry_run):
        say.print(line)
    if when is JudgeWhen.NONE or not isinstance(done, api.Imported):
        if report.new and not dry_run:
            say.print("To judge and review them: comparator serve")
        return
    with opened(None) as services:
        chosen = run.to_judge(services, done.unjudged, all_runs=all_runs)
        if left := len(done.unjudged) - len(chosen):
            say.print(
                f"Not judged: {counted(left, 'pair')} with an unusable or replaced output. --all-runs takes them in."
            )
        if not chosen:
            return
        batch = start_batches.start_for(services, chosen)
        if when is JudgeWhen.QUEUE:
            say.print(f"Batch {batch.id} waits for a worker: comparator worker, or the app.")
        else:
            work_at(services, batch)


if TYPE_CHECKING:
    from comparator.reporting.history.listing import HistoryRow

HIDDEN = "hidden until you have scored it"


@app.command("list")
def list_comparisons(
    *,
    project: str = "",
    status: Status | None = None,
    winner: Winner | None = None,
    search: str = "",
    tag: str = "",
    order: ListOrder = ListOrder.NEWEST,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most")] = 50,
    as_json: AsJson = False,
) -> None:
    """List comparisons, as the History page does; candidates are named once revealed.

    Args:
        project: Only this project's
        status: Only those with this status
        winner: Only those with this winner
        search: Only those with these words in title or task
        tag: Only those of tasks with this tag
        order: Sort order
    """
    with opened() as services:
        from comparator.reporting.history.conditions import HistoryFilter
        from comparator.reporting.history.listing import history

        page = history(
            services.database,
            HistoryFilter(
                project_id=project_named(services.database, project) if project else None,
                status=status,
                winner=winner,
                text=search,
                tag=tag or None,
                order=order,
                reader=services.who,
            ),
            limit=limit,
        )
    rows = [_row(row) for row in page.rows]
    if as_json:
        print(json.dumps({"total": page.total, "comparisons": rows}, indent=2))
        return
    fields = ("id", "title", "status", "winner", "a", "b")
    for row in rows:
        # What the offline check found stands where a winner would.
        row["winner"] = row["winner"] or (f"form: {row['form']}" if row["form"] else None)
    print_table(
        ("Id", "Title", "Status", "Winner", "A", "B"), [[row[name] for name in fields] for row in rows]
    )
    if page.total > len(rows):
        say.print(f"{len(rows)} of {page.total}; --limit shows more.")


@app.command("show")
def show_comparison(
    comparison: Annotated[str, typer.Argument(metavar="ID", help="Id of the comparison")],
    as_json: AsJson = False,
) -> None:
    """Show a comparison's verdict with what led to it, as comparison.json and its provenance hold it."""
    from comparator import api

    details = api.show(comparison)
    result = details.result
    if as_json:
        document = json.loads(result.to_json()) if result else None
        print(json.dumps({"result": document, "provenance": details.provenance}, indent=2))
        return
    scored = None if details.form else result
    if details.form:
        print(f"Offline check: {form_in_words(details.form)}.")
    elif scored is None:
        print(f"{details.winner}  (no scores)")
    else:
        print(f"{scored.winner}  {scored.rubric.A.overall_score} : {scored.rubric.B.overall_score}")
    print(details.prose.reasoning)
    for label in Label:
        print(f"\nOutput {label}" + (f": {scored.output_quality[label].score}" if scored else ""))
        for sign, lines in (("+", details.prose.strengths[label]), ("-", details.prose.weaknesses[label])):
            for line in lines:
                print(f"  {sign} {line}")


def _row(row: HistoryRow) -> dict[str, Any]:
    from comparator.api.exporting import row_of

    cells = row_of(row)
    name = cells.pop("winner_name")
    if row.covered:
        cells["winner"] = HIDDEN
    elif name:
        cells["winner"] = f"{cells['winner']} ({name})"
    named = {"A": cells.pop("candidate_a"), "B": cells.pop("candidate_b")}
    return {**cells, "candidates": None if row.made_by is None else named}


@app.command()
def export(
    format: ExportFormat,  # noqa: A002  # the option's name
    *,
    out: Path | None = None,
    as_json: AsJson = False,
    **chosen: Annotated[Any, OptionsOf(ExportChoice, comparisons="--comparison")],
) -> None:
    """Write comparisons with their verdicts; each says whose verdict it is.

    Before the reveal candidates are not named, and outputs are written as judge and reviewer got them. `workspace`
    writes comparison-N.json back beside each eval of the workspace that was imported.

    Args:
        format: What to write
        out: File to write, or - for standard output; by default named after the format
    """
    from comparator import api
    from comparator.workflow.exporting.formats import file_name

    written_back = format is ExportFormat.WORKSPACE
    target = out or Path(file_name(format))
    if target == STANDARD and as_json:
        raise InputError("--out - and --json both write to standard output. Use only one.")
    with nullcontext(target) if written_back else output_file(target) as file:
        written = api.export(format, out=file, **chosen)
    place = "" if written_back else str(target)
    if as_json:
        counts = {"written": written.written, "verdicts": written.verdicts, "left_out": written.left_out}
        print(json.dumps({**counts, "file": place or None}))
    for line in summary(written, "standard output" if target == STANDARD else place):
        say.print(line)
    if warning := doubt(written, format):
        say.print(f"Warning: {warning} --reviewed leaves them out.")


review_commands = typer.Typer(help="Reviews: import one that was made elsewhere.", no_args_is_help=True)
app.add_typer(review_commands, name="review")


@review_commands.command("import")
def import_review(
    comparison: Annotated[str, typer.Argument(metavar="ID", help="Id of the comparison")],
    file: Path,
    *,
    reason: str = "",
    finalise: bool = False,
    as_json: AsJson = False,
) -> None:
    """Take over a review made elsewhere: a comparison.json that you corrected becomes your review.

    The same file again changes nothing.

    Args:
        file: A comparison.json with the reviewer's values, or -
        reason: Why values differ from the judge's
        finalise: Settle the review with these values
    """
    from comparator import api

    result = ComparisonResult.from_json(read_text(file, "review"))
    changed = api.import_review(comparison, result, reason=reason, finalise=finalise)
    if as_json:
        print(json.dumps({"comparison": comparison, "values": changed, "finalised": finalise}))
    say.print(
        f"Stored: {counted(changed, 'value')}. "
        + ("The review is finalised." if finalise else "The review is open: --finalise settles it.")
    )
