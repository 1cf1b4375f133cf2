"""`invite` and `audit`: outside reviewers by link, and who did what."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Annotated

import typer

from comparator.cli.frame import app, plain_errors, say
from comparator.settings import Settings


@app.command()
def invite(
    project: Annotated[str, typer.Argument(help="Name of the project in which the person reviews")],
    name: Annotated[str, typer.Argument(help="Whom the link is for")] = "",
    days: Annotated[int, typer.Option(help="How long the link can be used")] = 7,
    show: Annotated[bool, typer.Option("--list", help="Show the project's invitations instead")] = False,
    revoke: Annotated[
        str, typer.Option(help="End this invitation, by the id that --list shows, and its sessions")
    ] = "",
) -> None:
    """Make a link by which one outside person reviews in one project; it works once."""
    with plain_errors():
        from comparator.domain.errors import NotFound, SettingsError
        from comparator.reporting.history import all_projects
        from comparator.ui.invitation_route import link_of
        from comparator.workflow import invitations
        from comparator.workflow.people import local_person
        from comparator.workflow.services import open_services

        settings = Settings.load()
        if not settings.signs_in:
            raise SettingsError(
                "Nobody signs in here. Set COMPARATOR_PUBLIC_URL and COMPARATOR_OIDC_* first."
            )
        services = open_services(settings)
        try:
            me = local_person(services).id
            found = next((p.id for p in all_projects(services.database) if p.name == project), None)
            if found is None:
                raise NotFound(f"There is no project {project!r}. The app's project list has the names.")
            if revoke:
                invitations.revoke_invitation(services, revoke, by=me)
                say.print("Revoked; whoever came by it is signed out.")
            elif show:
                for one in invitations.invitations_of(services, found, by=me):
                    print(f"{one.invitation.id}  {one.invitation.name}  {one.state.value}")
            else:
                made = invitations.invite(services, found, name=name, by=me, valid=timedelta(days=days))
                print(link_of(settings.public_url, made.token))
                say.print(f"Send it to {made.invitation.name} only. It works once, and is shown only now.")
        finally:
            services.close()


@app.command()
def audit(
    limit: Annotated[int, typer.Option(help="How many acts at most, the newest first")] = 1000,
) -> None:
    """Print who did what and when, as one JSON object a line."""
    with plain_errors():
        from comparator.workflow.audit import audit_log
        from comparator.workflow.people import local_person
        from comparator.workflow.services import open_services

        services = open_services(Settings.load())
        try:
            for entry in audit_log(services, by=local_person(services).id, limit=limit):
                told = entry.event.model_dump(mode="json")
                print(
                    json.dumps({**told, "person": entry.person, "project": entry.project}, ensure_ascii=False)
                )
        finally:
            services.close()
