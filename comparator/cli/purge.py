"""`purge` and `merge`: what goes for good, and candidates that are one."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from comparator.cli.frame import app, opened, project_named, say
from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.labels import Label

purge_commands = typer.Typer(
    help="Remove an output or a project for good; the audit log records it.", no_args_is_help=True
)
app.add_typer(purge_commands, name="purge")
Reason = Annotated[str, typer.Option(help="Why; kept in the audit log")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask")]


@purge_commands.command("output")
def purge_output(
    comparison: Annotated[str, typer.Argument(help="The comparison's id, as its address shows it")],
    label: Annotated[Label, typer.Argument(help="Which of its outputs")],
    reason: Reason,
    yes: Yes = False,
) -> None:
    """Remove the files of one output. Scores and judgments stay, with what they quote."""
    with opened() as services:
        from comparator.workflow.projects import settings

        sure(f"Remove the files of output {label.value} for good?", yes=yes)
        purged = settings.purge_output(services, comparison, label, reason=reason)
        say.print(f"Removed: {counted(purged.removed, 'file')}. Older backups still hold them.")


@purge_commands.command("project")
def purge_project(
    project: Annotated[str, typer.Argument(help="The project's name")], reason: Reason, yes: Yes = False
) -> None:
    """Remove a project with its tasks, outputs, judgments and reviews."""
    with opened() as services:
        from comparator.workflow.projects import settings

        project_id = project_named(services, project)
        sure(f"Remove the project {project!r} with all its comparisons and reviews for good?", yes=yes)
        purged = settings.purge_project(services, project_id, reason=reason)
        say.print(f"Removed: {counted(purged.removed, 'comparison')}. Older backups still hold them.")


@purge_commands.command("expired")
def purge_expired(
    yes: Yes = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be removed, and remove nothing")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print how many outputs of each project")] = False,
) -> None:
    """Remove the files of settled comparisons that their projects need not keep any more.

    `comparator projects set NAME keep_outputs_days=90` says how long that is; without it a project keeps all.
    """
    with opened() as services:
        from comparator.workflow.projects import settings

        found = settings.expired_outputs(services)
        number = sum(map(len, found.values()))
        if number and not dry_run:
            sure(f"Remove the files of {counted(number, 'output')} for good?", yes=yes)
            settings.purge_expired(services)
        if as_json:
            print(json.dumps({name: len(outputs) for name, outputs in found.items()}, indent=2))
        say.print(f"{'Would remove' if dry_run else 'Removed'}: the files of {counted(number, 'output')}.")


@app.command()
def merge(
    project: Annotated[str, typer.Argument(help="The project's name")],
    candidate: Annotated[str, typer.Argument(help="Name or id; without it, all are listed")] = "",
    into: Annotated[str, typer.Option(help="The candidate for which its results are to count")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Let its results count for itself again")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON")] = False,
) -> None:
    """Say that two candidates are one, such as the same skill in two iterations."""
    with opened() as services:
        from comparator.workflow.projects import settings

        project_id = project_named(services, project)
        if not candidate:
            listed = settings.all_candidates(services, project_id)
            if as_json:
                print(json.dumps([each.model_dump(mode="json") for each in listed], indent=2))
                return
            for each in listed:
                parts = (
                    each.name,
                    each.iteration,
                    each.model,
                    each.merged_into and f"counts for {each.merged_into}",
                )
                print(each.id, *(part for part in parts if part), sep="  ")
        elif undo:
            one, _ = settings.merge_candidates(services, project_id, candidate, into=None)
            say.print(f"The results of {one.name!r} count for itself again.")
        elif into:
            one, other = settings.merge_candidates(services, project_id, candidate, into=into)
            say.print(f"The results of {one.name!r} count for {other.name if other else into!r} from now on.")
        else:
            raise InputError("Say with --into for which candidate its results are to count, or --undo.")


def sure(question: str, *, yes: bool) -> None:
    """Ask, unless that was answered beforehand; ends the command on a no."""
    if not yes:
        typer.confirm(question, abort=True, err=True)
