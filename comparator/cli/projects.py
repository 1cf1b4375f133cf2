"""`projects`, `project` and `reveal`: what there is, how it is reviewed, and who made what."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from comparator.cli.frame import app, me, opened, project_named, say
from comparator.cli.terminal import results
from comparator.domain.counted import counted
from comparator.domain.errors import InputError

if TYPE_CHECKING:
    from comparator.reporting.results.candidates import Meeting
    from comparator.workflow.services import Services

project_commands = typer.Typer(
    help="One project: show it, change its settings, close it.", no_args_is_help=True
)
app.add_typer(project_commands, name="project")
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON")]
Name = Annotated[str, typer.Argument(help="Name of the project")]


@app.command()
def projects(as_json: AsJson = False) -> None:
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


@project_commands.command("show")
def show(name: Name, as_json: AsJson = False) -> None:
    """Show a project: what waits, how it is reviewed, and which candidates met in it."""
    with opened() as services:
        from comparator.reporting.results.candidates import project_state
        from comparator.reporting.tally import refresh
        from comparator.workflow.projects.settings import project_settings

        project_id = project_named(services, name)
        overview = _overview(services, project_id)
        settings = project_settings(services, project_id).model_dump(mode="json")
        refresh.bring_up(services.database)
        meetings = project_state(services.database, project_id).meetings
    met = [
        {
            "candidates": [each.one_name, each.two_name],
            "pairs": each.pairs,
            "judged": each.judged,
            "reviewed": each.reviewed,
            "revealed": each.revealed,
        }
        for each in meetings
    ]
    if as_json:
        print(json.dumps({**overview, "settings": settings, "candidates": met}, indent=2))
        return
    for key, value in (*overview.items(), *settings.items()):
        print(f"{key.replace('_', ' ')}: {_short(value)}")
    print_table(
        ("Candidates", "Pairs", "Judged", "Reviewed", "Revealed"),
        [
            [f"{each.one_name} and {each.two_name}", each.pairs, each.judged, each.reviewed, each.revealed]
            for each in meetings
        ],
    )


@project_commands.command("set")
def change(
    name: Name,
    values: Annotated[
        list[str],
        typer.Argument(help="SETTING=VALUE, such as mode=blind_first or reviews_needed=2; see `show`"),
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
        change_settings(services, project_id, person_id=me(services), **changes)
        say.print(f"Changed in {name}: {', '.join(changes)}.")


@project_commands.command("close")
def close(
    name: Name,
    note: Annotated[str, typer.Option(help="Why; kept with the reveal")] = "",
    close_out: Annotated[bool, typer.Option(help="End open reviews without a verdict")] = False,
) -> None:
    """End review in a project and reveal all its comparisons, in one act."""
    with opened() as services:
        from comparator.workflow.projects.closing import close_project

        done = close_project(
            services, project_named(services, name), person_id=me(services), reason=note, close_out=close_out
        )
        say.print(
            f"Closed {name}: {counted(done.comparisons, 'comparison')} revealed, "
            f"{counted(done.closed_out, 'open review')} ended."
        )


@project_commands.command("open")
def open_again(name: Name) -> None:
    """Open a closed project for review again; what is revealed stays so."""
    with opened() as services:
        from comparator.workflow.projects.closing import open_again

        open_again(services, project_named(services, name), person_id=me(services))
        say.print(f"{name} is open again. Reviews from now on do not count as blind.")


@app.command()
def reveal(
    project: Name,
    candidates: Annotated[
        tuple[str, str] | None,
        typer.Option(
            help="Only the pairs of these two, as `comparator project show` names them; by default all"
        ),
    ] = None,
    note: Annotated[str, typer.Option(help="Why now; kept with the reveal")] = "",
    as_json: AsJson = False,
) -> None:
    """Say who made what, for good: refused while a review of one of the pairs is open."""
    with opened() as services:
        from comparator.reporting.results.candidates import project_state
        from comparator.reporting.tally import refresh
        from comparator.workflow.projects.reveal import reveal_sets

        project_id = project_named(services, project)
        refresh.bring_up(services.database)
        state = project_state(services.database, project_id)
        wanted = [
            met for met in (*state.meetings, *state.repeated) if met.unrevealed and _meant(met, candidates)
        ]
        if not wanted:
            known = _named([(met.one_name, met.two_name) for met in state.meetings], most=5)
            raise InputError(
                f"Nothing is left to reveal for these candidates. In {project}, these met: "
                f"{'; '.join(known) or 'none'}."
            )
        number = reveal_sets(
            services, project_id, [(met.one, met.two) for met in wanted], person_id=me(services), reason=note
        )
        after = project_state(services.database, project_id)
        ids = {(met.one, met.two) for met in wanted}
        names = [
            [met.one_name, met.two_name]
            for met in (*after.meetings, *after.repeated)
            if (met.one, met.two) in ids
        ]
    if as_json:
        print(json.dumps({"revealed": number, "candidates": names}))
    say.print(f"Revealed: {counted(number, 'comparison')}.")
    for line in _named(names, most=9):
        say.print(f"  {line}")


def _named(pairs: Sequence[Sequence[str]], *, most: int) -> list[str]:
    """Two candidates a line, and how many more there are."""
    lines = [" and ".join(two) for two in pairs[:most]]
    return [*lines, f"and {counted(len(pairs) - most, 'more pair')}"] if len(pairs) > most else lines


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


def _meant(met: Meeting, candidates: tuple[str, str] | None) -> bool:
    return candidates is None or {met.one_name, met.two_name} == set(candidates)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _short(value: object) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value)
