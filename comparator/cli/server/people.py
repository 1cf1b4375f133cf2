"""`invite` and `audit`: outside reviewers by link, and who did what."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Annotated

import typer

from comparator.cli.frame import app, me, opened, project_named, say


@app.command()
def invite(
    project: Annotated[str, typer.Argument(help="Name of the project in which the person reviews")],
    name: Annotated[str, typer.Argument(help="Whom the link is for")] = "",
    days: Annotated[int, typer.Option(help="How long the link can be used")] = 7,
    show: Annotated[bool, typer.Option("--list", help="Show the project's invitations instead")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --list: print JSON")] = False,
    revoke: Annotated[
        str, typer.Option(help="End this invitation, by the id that --list shows, and its sessions")
    ] = "",
) -> None:
    """Make a link by which one outside person reviews in one project; it works once."""
    with opened() as services:
        from comparator.domain.errors import SettingsError
        from comparator.settings import HOW_TO_SIGN_IN
        from comparator.web.invitation_route import link_of
        from comparator.workflow.people import invitations

        if not services.settings.signs_in:
            raise SettingsError(
                "To invite somebody, you have to sign in with an identity provider (OIDC); the guest needs only the "
                f"link. To turn sign-in on, {HOW_TO_SIGN_IN}."
            )
        by, found = me(services), project_named(services, project)
        if revoke:
            invitations.revoke_invitation(services, revoke, by=by)
            say.print("Revoked. Anyone who signed in with it is signed out.")
        elif show:
            listed = invitations.invitations_of(services, found, by=by)
            if as_json:
                rows = [(one.invitation.id, one.invitation.name, one.state.value) for one in listed]
                print(json.dumps([dict(zip(("id", "name", "state"), row, strict=True)) for row in rows]))
                return
            for one in listed:
                print(f"{one.invitation.id}  {one.invitation.name}  {one.state.value}")
        else:
            made = invitations.invite(services, found, name=name, by=by, valid=timedelta(days=days))
            print(link_of(services.settings.public_url, made.token))
            say.print(f"Send it to {made.invitation.name} only. It works once, and is shown only now.")


@app.command()
def audit(
    limit: Annotated[int, typer.Option(help="Maximum number of entries, newest first")] = 1000,
    before: Annotated[str | None, typer.Option(help="Only entries before this one (its id)")] = None,
) -> None:
    """Print who did what and when, as one JSON object a line."""
    with opened() as services:
        from comparator.workflow.people.audit_log import audit_log

        for entry in audit_log(services, by=me(services), limit=limit, before=before):
            event = entry.event.model_dump(mode="json")
            print(json.dumps({**event, "person": entry.person, "project": entry.project}))
