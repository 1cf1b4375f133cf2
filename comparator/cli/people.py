"""`people` and `audit`: who may do what here, what is kept about them, and who did what."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from comparator.cli.frame import app, opened, project_named, say
from comparator.cli.purge import Reason, Yes, sure
from comparator.cli.terminal import STANDARD, write_text
from comparator.domain.counted import counted
from comparator.domain.rights import Role

people_commands = typer.Typer(
    help="People: give and remove roles, invite by link, and export or erase a person's data.",
    no_args_is_help=True,
)
app.add_typer(people_commands, name="people")
Who = Annotated[str, typer.Argument(metavar="PERSON", help="Name, address or id")]


@people_commands.command("add")
def add(
    person: Who,
    role: Annotated[Role, typer.Argument(help="The role to give")],
    project: Annotated[str, typer.Option(help="Only in this project; by default everywhere")] = "",
) -> None:
    """Give a role to somebody who has signed in before."""
    with opened() as services:
        from comparator.workflow.people.people import give_role, person_named

        found = person_named(services, person)
        project_id = project_named(services, project) if project else None
        give_role(services, found.id, role, project_id=project_id)
        say.print(f"{found.name} is {role.value} {f'in {project}' if project else 'everywhere'}.")


@people_commands.command("remove")
def remove(
    person: Who,
    project: Annotated[
        str, typer.Option(help="Only in this project; by default everywhere, which also ends all sign-ins")
    ] = "",
) -> None:
    """Remove a person's roles; their work stays. A role that sign-in assigns returns at the next sign-in."""
    with opened() as services:
        from comparator.workflow.people.people import person_named, take_all_roles
        from comparator.workflow.people.sign_in import end_sign_ins

        found = person_named(services, person)
        project_id = project_named(services, project) if project else None
        taken = take_all_roles(services, found.id, project_id=project_id)
        if not project:
            end_sign_ins(services, found.id)
        say.print(f"Removed: {counted(taken, 'role')} of {found.name}.")


@people_commands.command("invite")
def invite(
    project: Annotated[str, typer.Argument(help="Name of the project in which the person reviews")],
    name: Annotated[str, typer.Argument(help="Whom the link is for")],
    days: Annotated[int, typer.Option(help="How long the link can be used")] = 7,
) -> None:
    """Make a link by which one outside person reviews in one project; it works once."""
    with opened() as services:
        from comparator.domain.errors import SettingsError
        from comparator.settings import HOW_TO_SIGN_IN
        from comparator.web.sign_in_pages import link_of
        from comparator.workflow.people import sign_in

        if not services.settings.signs_in:
            raise SettingsError(
                "To invite somebody, you have to sign in with an identity provider (OIDC); the guest needs only the "
                f"link. To turn sign-in on, {HOW_TO_SIGN_IN}."
            )
        made = sign_in.invite(
            services, project_named(services, project), name=name, valid=timedelta(days=days)
        )
        print(link_of(services.settings.public_url, made.token))
        say.print(f"Send this link only to {made.invitation.name}. It works once and is not shown again.")


@people_commands.command("export")
def export(
    person: Who,
    out: Annotated[Path, typer.Option(help="File to write, or - for standard output")] = STANDARD,
) -> None:
    """Write everything that the database holds about a person, as JSON by table."""
    with opened() as services:
        from comparator.workflow.people.people import export_person, person_named

        exported = export_person(services, person_named(services, person).id)
        text = json.dumps(exported, indent=2) + "\n"
        if write_text(text, out):
            say.print(f"Written: {out}")


@people_commands.command("erase")
def erase(person: Who, reason: Reason, yes: Yes = False) -> None:
    """Permanently erase a person's name, address and sign-in; their reviews stay, without a name."""
    with opened() as services:
        from comparator.workflow.people.people import erase_person, person_named

        found = person_named(services, person)
        sure(f"Erase {found.name!r} for good? Their reviews stay, without a name.", yes=yes)
        erase_person(services, found.id, reason=reason)
        say.print("Erased. Older backups still hold the name.")


@app.command()
def audit(
    limit: Annotated[int, typer.Option(help="Maximum number of entries, newest first")] = 1000,
    before: Annotated[str | None, typer.Option(help="Only entries before this one (its id)")] = None,
) -> None:
    """Print who did what and when, as one JSON object a line."""
    with opened() as services:
        from comparator.workflow.people.people import audit_log

        for entry in audit_log(services, limit=limit, before=before):
            event = entry.event.model_dump(mode="json")
            print(json.dumps({**event, "person": entry.person, "project": entry.project}))
