"""`person`: what is kept about somebody, and erasing it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from comparator.cli.frame import app, me, opened, say
from comparator.cli.paths import STANDARD, write_text
from comparator.cli.projects import AsJson, print_table
from comparator.cli.server.purge import Reason, Yes, sure

person_commands = typer.Typer(
    help="People: list them, export what is kept about a person, erase a person.", no_args_is_help=True
)
app.add_typer(person_commands, name="person")
Who = Annotated[str, typer.Argument(metavar="PERSON", help="Name, address or id")]


@person_commands.command("list")
def list_people(as_json: AsJson = False) -> None:
    """List everybody whom the database knows."""
    with opened() as services:
        from comparator.workflow.people.personal_data import all_people

        found = all_people(services, by=me(services))
    if as_json:
        print(json.dumps([each.model_dump(mode="json") for each in found], indent=2))
        return
    print_table(("Id", "Name", "Address"), [[each.id, each.name, each.email or ""] for each in found])


@person_commands.command("export")
def export(
    person: Who,
    out: Annotated[Path, typer.Option(help="File to write, or - for standard output")] = STANDARD,
) -> None:
    """Write everything that the database holds about a person, as JSON by table."""
    with opened() as services:
        from comparator.workflow.people.personal_data import export_person, person_named

        by = me(services)
        exported = export_person(services, person_named(services, person, by=by).id, by=by)
        text = json.dumps(exported, indent=2) + "\n"
        if write_text(text, out):
            say.print(f"Written: {out}")


@person_commands.command("erase")
def erase(person: Who, reason: Reason, yes: Yes = False) -> None:
    """Take a person's name, address and sign-in out for good; their reviews stay, without a name."""
    with opened() as services:
        from comparator.workflow.people.personal_data import erase_person, person_named

        by = me(services)
        found = person_named(services, person, by=by)
        sure(f"Erase {found.name!r} for good? Their reviews stay, without a name.", yes=yes)
        erase_person(services, found.id, reason=reason, by=by)
        say.print("Erased. Older backups still hold the name.")
