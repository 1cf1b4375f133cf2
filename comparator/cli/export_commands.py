"""`export`: comparisons go out in the formats that other tools read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from comparator.cli.frame import app, plain_errors, say
from comparator.domain.errors import InputError
from comparator.interop.exported import ExportFormat, Written
from comparator.settings import Settings


@app.command()
def export(
    format: Annotated[ExportFormat, typer.Argument(help="What to write")],  # noqa: A002  # the option's name
    project: Annotated[str, typer.Option(help="Only this project's comparisons")] = "",
    comparison: Annotated[list[str], typer.Option(help="Only these, by id; repeat")] = [],  # noqa: B006  # typer copies
    search: Annotated[str, typer.Option(help="Only those with these words in title or task")] = "",
    tag: Annotated[str, typer.Option(help="Only those of tasks with this tag")] = "",
    reviewed: Annotated[bool, typer.Option("--reviewed", help="Only what a person has reviewed")] = False,
    candidate: Annotated[str, typer.Option(help="Whose losses a fix list tells, by name")] = "",
    out: Annotated[Path | None, typer.Option(help="File to write; by default named after the format")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON")] = False,
) -> None:
    """Write comparisons with their verdicts; each says whose verdict it is.

    Before the reveal candidates are not named, and outputs are written as judge and reviewer got them. `workspace`
    writes comparison-N.json back beside each eval of the workspace that was imported.
    """
    with plain_errors():
        from comparator.reporting.history import all_projects, found_ids
        from comparator.reporting.history_conditions import HistoryFilter
        from comparator.workflow.exporting import ExportRequest, file_name, write_export
        from comparator.workflow.exporting_workspace import write_back
        from comparator.workflow.services import open_services

        services = open_services(Settings.load())
        try:
            ids = {each.name: each.id for each in all_projects(services.database)}
            if project and project not in ids:
                raise InputError(
                    f"There is no project {project!r}. There are: {', '.join(ids) or 'none yet'}."
                )
            wanted = HistoryFilter(project_id=ids.get(project), text=search, tag=tag or None)
            asked = ExportRequest(
                format=format,
                comparisons=tuple(comparison) or found_ids(services.database, wanted),
                reviewed_only=reviewed,
                candidate=candidate,
                title=project or "Comparisons",
            )
            target = out or Path(file_name(asked))
            if format is ExportFormat.WORKSPACE:
                written = write_back(services, asked)
            else:
                written = write_export(services, asked, target)
        finally:
            services.close()
        place = "" if format is ExportFormat.WORKSPACE else str(target)
        if as_json:
            print(
                json.dumps({"written": written.written, "left_out": written.left_out, "file": place or None})
            )
        for line in summary(written, place):
            say.print(line)


def summary(written: Written, place: str) -> tuple[str, ...]:
    """What was written, and what was left out for which reason."""
    first = f"{written.written} comparisons written" + (f": {place}" if place else ", each beside its eval")
    return (first, *(f"Left out: {count} {reason}" for reason, count in written.left_out.items()))
