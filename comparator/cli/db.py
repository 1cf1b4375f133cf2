"""`db`: the database is kept up to date, backed up, restored and moved."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from comparator.cli.frame import app, plain_errors, progress, say
from comparator.domain.counted import counted
from comparator.settings import Settings

database_commands = typer.Typer(
    help="The database: bring it up to date, back it up, restore it, move it.", no_args_is_help=True
)
app.add_typer(database_commands, name="db")


@database_commands.command("upgrade")
def database_upgrade() -> None:
    """Bring the database's schema up to date; a copy of what was there before is kept.

    Finalised verdicts that change with it are listed, one a line, on the standard output.
    """
    with plain_errors():
        from comparator.store.core.database import Database
        from comparator.store.upkeep.changed_verdicts import changed_verdicts, report

        began = datetime.now(UTC)
        with closing(Database.open(Settings.load().database)) as database:
            kept = database.upgrade()
            with database.read() as connection:
                changed = changed_verdicts(connection, since=began)
        say.print("The database is up to date.")
        if changed:
            print(report(changed), end="")
            say.print("The audit log keeps this list. Open a review again to score what nobody assessed.")
        if kept is not None:
            say.print(f"The database of before is kept as {kept}. Delete it when you no longer need it.")


@database_commands.command("backup")
def database_backup(
    file: Annotated[Path, typer.Argument(help="The archive to write; it must not be there yet")],
) -> None:
    """Write database and files into one archive, as they are at one moment; the app may go on running."""
    with plain_errors():
        from comparator.store.core.blobs import BlobStore
        from comparator.store.core.database import Database
        from comparator.store.upkeep.backup import back_up

        settings = Settings.load()
        with closing(Database.open(settings.database)) as database, progress() as step:
            moved = back_up(database, BlobStore.at(settings.blobs), file, at=datetime.now(UTC), on_step=step)
        _told(f"Written: {file}", moved.total, moved.blobs, len(moved.missing))


@database_commands.command("restore")
def database_restore(
    file: Annotated[Path, typer.Argument(help="An archive that `comparator db backup` wrote")],
) -> None:
    """Bring a backup back into an empty database; every row and file is checked against the archive."""
    with plain_errors():
        from comparator.store.core.blobs import BlobStore
        from comparator.store.core.database import Database
        from comparator.store.core.ids import new_id
        from comparator.store.upkeep.backup import restore

        settings = Settings.load()
        with closing(Database.open(settings.database)) as database, progress() as step:
            restored = restore(
                database,
                BlobStore.at(settings.blobs),
                file,
                new_id=new_id,
                at=datetime.now(UTC),
                on_step=step,
            )
        moved = restored.moved
        _told("Restored", moved.total, moved.blobs, len(moved.missing))
        say.print(
            f"Everybody has to sign in again. Ended: {counted(restored.signed_out, 'session')} by invitation, "
            f"{counted(restored.links, 'unused invitation')}."
        )
        for name in restored.switched_off:
            say.print(f"Switched off in {name}: live pages and the command for pictures. Settings has them.")


@database_commands.command("copy")
def database_copy(
    source: Annotated[
        str, typer.Argument(help="Database to copy from: sqlite:///… or postgresql+psycopg://…")
    ],
    target: Annotated[str, typer.Argument(help="Empty database to copy into")],
    blobs_from: Annotated[str, typer.Option(help="Where the files lie now, if they move as well")] = "",
    blobs_to: Annotated[str, typer.Option(help="Where the files shall lie")] = "",
) -> None:
    """Copy a whole database into an empty one, such as SQLite to PostgreSQL, and check that all arrived.

    Stop the app first: what is stored meanwhile is not copied.
    """
    with plain_errors():
        from comparator.domain.errors import InputError
        from comparator.store.core.blobs import BlobStore
        from comparator.store.core.database import Database
        from comparator.store.upkeep.backup import copy

        if bool(blobs_from) != bool(blobs_to):
            raise InputError("To move the files as well, give both --blobs-from and --blobs-to.")
        if source == target:
            raise InputError("Source and target are the same database. Give two.")
        blobs = (BlobStore.at(blobs_from), BlobStore.at(blobs_to)) if blobs_from else None
        with (
            closing(Database.open(source)) as first,
            closing(Database.open(target)) as second,
            progress() as step,
        ):
            moved = copy(first, second, blobs=blobs, on_step=step)
        _told("Copied", moved.total, moved.blobs if blobs else None, len(moved.missing))


def _told(what: str, rows: int, blobs: int | None, missing: int) -> None:
    files = "the files stay where they are" if blobs is None else counted(blobs, "file")
    say.print(f"{what}: {counted(rows, 'row')}, {files}, all checked.")
    if missing:
        say.print(f"Not there any more (purged, or lost before): {counted(missing, 'file')}.")
