"""`projects` and `reveal`: what there is, how it is reviewed, and who made what."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from comparator.cli.frame import app, opened, plain_errors, project_named, say
from comparator.cli.terminal import results
from comparator.domain.counted import counted
from comparator.domain.errors import InputError

if TYPE_CHECKING:
    from comparator.workflow.services import Services

projects_commands = typer.Typer(
    help="Projects: list them, and change the settings of one.", no_args_is_help=True
)
app.add_typer(projects_commands, name="projects")
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON")]
Name = Annotated[str, typer.Argument(help="Name of the project")]


@projects_commands.command("list")
def list_projects(as_json: AsJson = False) -> None:
    """List the projects with what waits in each."""
    with opened() as services:
        from comparator.reporting.history.listing import all_projects

        found = [_overview(services, each.id) for each in all_projects(services.database)]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    shown = ("name", "to_judge", "to_review", "done", "closed")
    print_table(
        ("Project", "To judge", "To review", "Done", "Closed"),
        [[each[name] for name in shown] for each in found],
    )


@projects_commands.command("set")
def change(
    name: Name,
    values: Annotated[
        list[str],
        typer.Argument(help="SETTING=VALUE, such as mode=blind_first or reviews_needed=2"),
    ],
) -> None:
    """Change settings of a project; values that are no plain text are JSON."""
    with opened() as services:
        from comparator.workflow.projects.settings import change_settings, project_settings

        project_id = project_named(services, name)
        # Those that are left out of the stored settings while they are not set among them.
        known = type(project_settings(services, project_id)).model_fields
        changes: dict[str, Any] = {}
        for each in values:
            setting, equals, value = each.partition("=")
            if not equals or setting not in known:
                raise InputError(f"{each!r} is no SETTING=VALUE. Settings: {', '.join(sorted(known))}.")
            changes[setting] = _value(value)
        change_settings(services, project_id, **changes)
        say.print(f"Changed in {name}: {', '.join(changes)}.")


@app.command()
def reveal(
    project: Name,
    candidates: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Only the pairs of these two; by default all that the project has"),
    ] = None,
    note: Annotated[str, typer.Option(help="Why now; kept with the reveal")] = "",
    as_json: AsJson = False,
) -> None:
    """Say who made what, for good: refused while a review of one of the pairs is open."""
    with plain_errors():
        from comparator import api
        from comparator.api.deciding import some_pairs

        done = api.reveal(project, candidates=candidates, note=note)
    if as_json:
        print(json.dumps({"revealed": done.comparisons, "candidates": done.candidates}))
    say.print(f"Revealed: {counted(done.comparisons, 'comparison')}.")
    for line in some_pairs(done.candidates, most=9):
        say.print(f"  {line}")


def print_table(heads: tuple[str, ...], rows: list[list[Any]]) -> None:
    """A table on standard output, as wide as its content."""
    table = Table(*heads, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(_short(value) for value in row))
    results().print(table)


def _overview(services: Services, project_id: str) -> dict[str, Any]:
    from comparator.reporting.history.listing import all_projects, counts

    project = next(each for each in all_projects(services.database) if each.id == project_id)
    return {
        "name": project.name,
        "id": project.id,
        "created": project.created_at.isoformat(),
        "closed": project.closed_at.isoformat() if project.closed_at else None,
        "mode": project.settings.mode.value,
        **counts(services.database, project_id=project_id).model_dump(),
    }


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _short(value: object) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value)
