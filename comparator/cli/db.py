"""`db`: upgrade, back up, and restore into either kind of database."""

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
    help="The database: upgrade it, back it up, restore it.", no_args_is_help=True
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
        _report(f"Written: {file}", moved.total, moved.blobs, len(moved.missing))


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
        _report("Restored", moved.total, moved.blobs, len(moved.missing))
        say.print(
            f"Everybody has to sign in again. Ended: {counted(restored.signed_out, 'session')} by invitation, "
            f"{counted(restored.links, 'unused invitation')}."
        )
        for name in restored.switched_off:
            say.print(f"Switched off in {name}: live pages and the command for pictures. Settings has them.")


def _report(what: str, rows: int, blobs: int, missing: int) -> None:
    say.print(f"{what}: {counted(rows, 'row')}, {counted(blobs, 'file')}, all checked.")
    if missing:
        say.print(f"Not there any more (purged, or lost before): {counted(missing, 'file')}.")
