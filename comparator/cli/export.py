"""`export`: comparisons go out in the formats that other tools read."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from comparator.cli.frame import app, plain_errors, say
from comparator.cli.paths import STANDARD, output_file
from comparator.domain.errors import InputError
from comparator.interop.exported import ExportFormat, doubt, summary


@app.command()
def export(
    format: Annotated[ExportFormat, typer.Argument(help="What to write")],  # noqa: A002  # the option's name
    project: Annotated[str, typer.Option(help="Only this project's comparisons")] = "",
    comparison: Annotated[list[str], typer.Option(help="Only these, by id; repeat")] = [],  # noqa: B006  # typer copies
    search: Annotated[str, typer.Option(help="Only those with these words in title or task")] = "",
    tag: Annotated[str, typer.Option(help="Only those of tasks with this tag")] = "",
    reviewed: Annotated[bool, typer.Option("--reviewed", help="Only what a person has reviewed")] = False,
    scores: Annotated[
        str,
        typer.Option(
            help="For one --comparison that was decided without scores: four whole numbers from 1 to 5, content and "
            "structure of A, then of B, such as 4,3,2,3"
        ),
    ] = "",
    why: Annotated[
        str, typer.Option(help="With --scores: why the winner wins, if the review does not say")
    ] = "",
    candidate: Annotated[str, typer.Option(help="Candidate whose losses a fix list covers, by name")] = "",
    out: Annotated[
        Path | None,
        typer.Option(help="File to write, or - for standard output; by default named after the format"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON")] = False,
) -> None:
    """Write comparisons with their verdicts; each says whose verdict it is.

    Before the reveal candidates are not named, and outputs are written as judge and reviewer got them. `workspace`
    writes comparison-N.json back beside each eval of the workspace that was imported.
    """
    with plain_errors():
        from comparator import api
        from comparator.workflow.exporting.formats import file_name

        written_back = format is ExportFormat.WORKSPACE
        target = out or Path(file_name(format))
        if target == STANDARD and as_json:
            raise InputError("--out - and --json both write to standard output. Use only one.")
        with nullcontext(target) if written_back else output_file(target) as file:
            written = api.export(
                format,
                project=project,
                comparisons=comparison,
                search=search,
                tag=tag,
                reviewed=reviewed,
                candidate=candidate,
                scores=scores,
                why=why,
                out=file,
            )
        place = "" if written_back else str(target)
        if as_json:
            counts = {"written": written.written, "verdicts": written.verdicts, "left_out": written.left_out}
            print(json.dumps({**counts, "file": place or None}))
        for line in summary(written, "standard output" if target == STANDARD else place):
            say.print(line)
        if warning := doubt(written, format):
            say.print(f"Warning: {warning} --reviewed leaves them out.")
