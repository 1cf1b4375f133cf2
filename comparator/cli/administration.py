"""`db`, `purge`, `merge`, `people` and `audit`: the commands for whoever runs an installation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comparator.cli.frame import (
    BAD_INPUT,
    STANDARD,
    AsJson,
    ProjectName,
    app,
    complain,
    input_file,
    json_text,
    opened,
    output_file,
    progress,
    say,
)
from comparator.domain.counted import counted
from comparator.domain.errors import InputError
from comparator.domain.labels import Label
from comparator.domain.rights import Role
from comparator.store.people.projects import project_named

if TYPE_CHECKING:
    from comparator.store.core.blobs import BlobStore
    from comparator.store.core.database import Database
    from comparator.store.upkeep.backup import Moved

MOST_NAMED = 20
"""Lost files that are named."""

database_commands = typer.Typer(
    help="The database: upgrade it, back it up, restore it.", no_args_is_help=True
)
app.add_typer(database_commands, name="db")


@database_commands.command("upgrade")
def database_upgrade() -> None:
    """Bring the database's schema up to date, all or nothing; back it up before."""
    from comparator.bootstrap import load_settings
    from comparator.store.core.database import Database

    with closing(Database.open(load_settings().database)) as database:
        database.upgrade()
    say.print("The database is up to date.")


@contextmanager
def _storage() -> Iterator[tuple[Database, BlobStore]]:
    """The database, whatever its schema, and the files."""
    from comparator.bootstrap import load_settings
    from comparator.store.core.blobs import BlobStore
    from comparator.store.core.database import Database

    settings = load_settings()
    blobs = BlobStore.at(settings.blobs)
    with closing(Database.open(settings.database)) as database:
        yield database, blobs


@database_commands.command("backup")
def database_backup(
    file: Path,
) -> None:
    """Write database and files into one archive, as they are at one moment; the app may go on running.

    Args:
        file: Archive to write, which must not exist yet, or - for standard output
    """
    from comparator.store.upkeep.backup import back_up

    with _storage() as (database, blobs), progress() as step, output_file(file) as archive:
        moved = back_up(database, blobs, archive, at=datetime.now(UTC), on_step=step)
    _report(f"Written: {'standard output' if file == STANDARD else file}", moved)


@database_commands.command("restore")
def database_restore(
    file: Path,
) -> None:
    """Bring a backup back into an empty database; every row and file is checked against the archive.

    Args:
        file: An archive that `comparator db backup` wrote, or - for standard input
    """
    from comparator.store.core.sql import new_id
    from comparator.store.upkeep.backup import restore

    with _storage() as (database, blobs), progress() as step, input_file(file) as archive:
        restored = restore(database, blobs, archive, new_id=new_id, at=datetime.now(UTC), on_step=step)
    say.print(
        f"Everybody has to sign in again. Ended: {counted(restored.signed_out, 'session')} by invitation, "
        f"{counted(restored.links, 'unused invitation')}."
    )
    _report("Restored", restored.moved)


def _report(what: str, moved: Moved) -> None:
    """Say what was moved. Raises typer.Exit where a file was lost."""
    say.print(f"{what}: {counted(moved.total, 'row')}, {counted(moved.blobs, 'file')}, all checked.")
    if moved.purged:
        say.print(f"Purged meanwhile: {counted(len(moved.purged), 'file')}.")
    if moved.lost:
        complain.print(
            f"Lost, and not in this backup: {counted(len(moved.lost), 'file')}. An older backup may hold them: keep it."
        )
        for digest, name in list(moved.lost.items())[:MOST_NAMED]:
            complain.print(f"  {digest[:12]} {name}")
        raise typer.Exit(BAD_INPUT)


purge_commands = typer.Typer(
    help="Remove an output or a project for good; the audit log records it.", no_args_is_help=True
)
app.add_typer(purge_commands, name="purge")
Reason = Annotated[str, typer.Option(help="Why; kept in the audit log")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask")]


@purge_commands.command("output")
def purge_output(
    comparison: str,
    label: Label,
    reason: Reason,
    yes: Yes = False,
) -> None:
    """Remove the files of one output. Scores and judgments stay, with what they quote.

    Args:
        comparison: The comparison's id, as its address shows it
        label: Which of its outputs
    """
    with opened() as services:
        from comparator.workflow.projects import settings

        sure(f"Remove the files of output {label} for good?", yes=yes)
        purged = settings.purge_output(services, comparison, label, reason=reason)
        say.print(f"Removed: {counted(purged.removed, 'file')}. Older backups still hold them.")


@purge_commands.command("project")
def purge_project(project: ProjectName, reason: Reason, yes: Yes = False) -> None:
    """Remove a project with its tasks, outputs, judgments and reviews."""
    with opened() as services:
        from comparator.workflow.projects import settings

        project_id = project_named(services.database, project)
        sure(f"Remove the project {project!r} with all its comparisons and reviews for good?", yes=yes)
        purged = settings.purge_project(services, project_id, reason=reason)
        say.print(f"Removed: {counted(purged.removed, 'comparison')}. Older backups still hold them.")


@purge_commands.command("expired")
def purge_expired(
    yes: Yes = False,
    *,
    dry_run: bool = False,
    as_json: AsJson = False,
) -> None:
    """Remove the files of settled comparisons that their projects need not keep any more.

    `comparator projects set NAME keep_outputs_days=90` says how long that is; without it a project keeps all.

    Args:
        dry_run: Show what would be removed, and remove nothing
    """
    with opened() as services:
        from comparator.workflow.projects import settings

        outputs_by_project = settings.expired_outputs(services)
        number = sum(map(len, outputs_by_project.values()))
        if number and not dry_run:
            sure(f"Remove the files of {counted(number, 'output')} for good?", yes=yes)
            settings.purge_expired(services)
        if as_json:
            print(json.dumps({name: len(outputs) for name, outputs in outputs_by_project.items()}, indent=2))
        say.print(f"{'Would remove' if dry_run else 'Removed'}: the files of {counted(number, 'output')}.")


@app.command()
def merge(
    project: ProjectName,
    candidate: str = "",
    *,
    into: str = "",
    undo: bool = False,
    as_json: AsJson = False,
) -> None:
    """Say that two candidates are one, such as the same skill in two iterations.

    Args:
        candidate: Name or id; without it, all are listed
        into: The candidate that its results are to count for
        undo: Let its results count as its own again
    """
    with opened() as services:
        from comparator.workflow.projects import settings

        project_id = project_named(services.database, project)
        if not candidate:
            listed = settings.all_candidates(services, project_id)
            if as_json:
                print(json_text(listed, indent=2))
                return
            for row in listed:
                parts = (
                    row.name,
                    row.iteration,
                    row.model,
                    row.merged_into and f"counts for {row.merged_into}",
                )
                print(row.id, *(part for part in parts if part), sep="  ")
        elif undo:
            one, _ = settings.merge_candidates(services, project_id, candidate, into=None)
            say.print(f"The results of {one.name!r} count as its own again.")
        elif into:
            one, other = settings.merge_candidates(services, project_id, candidate, into=into)
            say.print(f"The results of {one.name!r} count for {other.name if other else into!r} from now on.")
        else:
            raise InputError(
                "Name the candidate that its results are to count for with --into, or use --undo."
            )


def sure(question: str, *, yes: bool) -> None:
    """Ask, unless that was answered beforehand; ends the command on a no."""
    if not yes:
        typer.confirm(question, abort=True, err=True)


people_commands = typer.Typer(
    help="People: give and remove roles, invite by link, and export or erase a person's data.",
    no_args_is_help=True,
)
app.add_typer(people_commands, name="people")
Who = Annotated[str, typer.Argument(metavar="PERSON", help="Name, address or id")]


@people_commands.command("add")
def add(
    person: Who,
    role: Role,
    *,
    project: str = "",
) -> None:
    """Give a role to somebody who has signed in before.

    Args:
        role: The role to give
        project: Only in this project; by default everywhere
    """
    with opened() as services:
        from comparator.workflow.people.people import give_role, person_named

        account = person_named(services, person)
        project_id = project_named(services.database, project) if project else None
        give_role(services, account.id, role, project_id=project_id)
        say.print(f"{account.name} is {role} {f'in {project}' if project else 'everywhere'}.")


@people_commands.command("remove")
def remove(
    person: Who,
    *,
    project: str = "",
) -> None:
    """Remove a person's roles; their work stays. A role that sign-in assigns returns at the next sign-in.

    Args:
        project: Only in this project; by default everywhere, which also ends all sign-ins
    """
    with opened() as services:
        from comparator.workflow.people.people import person_named, take_all_roles
        from comparator.workflow.people.sign_in import end_sign_ins

        account = person_named(services, person)
        project_id = project_named(services.database, project) if project else None
        roles = take_all_roles(services, account.id, project_id=project_id)
        if not project:
            end_sign_ins(services, account.id)
        say.print(f"Removed: {counted(roles, 'role')} of {account.name}.")


@people_commands.command("invite")
def invite(
    project: ProjectName,
    name: str,
    *,
    days: int = 7,
) -> None:
    """Make a link by which one outside person reviews in one project; it works once.

    Args:
        name: Whom the link is for
        days: How long the link can be used
    """
    with opened() as services:
        from comparator.domain.errors import SettingsError
        from comparator.settings import HOW_TO_SIGN_IN
        from comparator.web.sign_in import link_of
        from comparator.workflow.people import sign_in

        if not services.settings.signs_in:
            raise SettingsError(
                "To invite somebody, you have to sign in with an identity provider (OIDC); the guest needs only the "
                f"link. To turn sign-in on, {HOW_TO_SIGN_IN}."
            )
        invited = sign_in.invite(
            services, project_named(services.database, project), name=name, valid=timedelta(days=days)
        )
        print(link_of(services.settings.public_url, invited.token))
        say.print(f"Send this link only to {invited.invitation.name}. It works once and is not shown again.")


@people_commands.command("export")
def export(
    person: Who,
    *,
    out: Path = STANDARD,
) -> None:
    """Write everything that the database holds about a person, as JSON by table.

    Args:
        out: File to write, or - for standard output
    """
    with opened() as services:
        from comparator.workflow.people.people import export_person, person_named

        exported = export_person(services, person_named(services, person).id)
        with output_file(out) as file:
            file.write_text(json.dumps(exported, indent=2) + "\n", encoding="utf-8")
        if out != STANDARD:
            say.print(f"Written: {out}")


@people_commands.command("erase")
def erase(person: Who, reason: Reason, yes: Yes = False) -> None:
    """Permanently erase a person's name, address and sign-in; their reviews stay, without a name."""
    with opened() as services:
        from comparator.workflow.people.people import erase_person, person_named

        account = person_named(services, person)
        sure(f"Erase {account.name!r} for good? Their reviews stay, without a name.", yes=yes)
        erase_person(services, account.id, reason=reason)
        say.print("Erased. Older backups still hold the name.")


@app.command()
def audit(
    *,
    limit: int = 1000,
    before: str | None = None,
) -> None:
    """Print who did what and when, as one JSON object a line.

    Args:
        limit: Maximum number of entries, newest first
        before: Only entries before this one (its id)
    """
    with opened() as services:
        from comparator.workflow.people.people import audit_log

        for entry in audit_log(services, limit=limit, before=before):
            print(json_text({**dict(entry.event), "person": entry.person, "project": entry.project}))
