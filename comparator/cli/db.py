"""`db`: upgrade, back up, and restore into either kind of database."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comparator.cli.frame import BAD_INPUT, app, complain, plain_errors, progress, say
from comparator.cli.terminal import STANDARD, input_file, output_file
from comparator.domain.counted import counted

if TYPE_CHECKING:
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
    with plain_errors():
        from comparator.bootstrap import load_settings
        from comparator.store.core.database import Database

        with closing(Database.open(load_settings().database)) as database:
            database.upgrade()
        say.print("The database is up to date.")


@database_commands.command("backup")
def database_backup(
    file: Annotated[
        Path, typer.Argument(help="Archive to write, which must not exist yet, or - for standard output")
    ],
) -> None:
    """Write database and files into one archive, as they are at one moment; the app may go on running."""
    with plain_errors():
        from comparator.bootstrap import load_settings
        from comparator.store.core.blobs import BlobStore
        from comparator.store.core.database import Database
        from comparator.store.upkeep.backup import back_up

        settings = load_settings()
        blobs, now = BlobStore.at(settings.blobs), datetime.now(UTC)
        with (
            closing(Database.open(settings.database)) as database,
            progress() as step,
            output_file(file) as archive,
        ):
            moved = back_up(database, blobs, archive, at=now, on_step=step)
        _report(f"Written: {'standard output' if file == STANDARD else file}", moved)


@database_commands.command("restore")
def database_restore(
    file: Annotated[
        Path, typer.Argument(help="An archive that `comparator db backup` wrote, or - for standard input")
    ],
) -> None:
    """Bring a backup back into an empty database; every row and file is checked against the archive."""
    with plain_errors():
        from comparator.bootstrap import load_settings
        from comparator.store.core.blobs import BlobStore
        from comparator.store.core.database import Database
        from comparator.store.core.sql import new_id
        from comparator.store.upkeep.backup import restore

        settings = load_settings()
        blobs, now = BlobStore.at(settings.blobs), datetime.now(UTC)
        with (
            closing(Database.open(settings.database)) as database,
            progress() as step,
            input_file(file) as archive,
        ):
            restored = restore(database, blobs, archive, new_id=new_id, at=now, on_step=step)
        say.print(
            f"Everybody has to sign in again. Ended: {counted(restored.signed_out, 'session')} by invitation, "
            f"{counted(restored.links, 'unused invitation')}."
        )
        _report("Restored", restored.moved)


def _report(what: str, moved: Moved) -> None:
    """Say what was moved; end non-zero where a file was lost."""
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
