"""`db`: upgrade, back up, and restore into either kind of database."""

from __future__ import annotations

import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comparator.cli.frame import BAD_INPUT, app, complain, plain_errors, progress, say
from comparator.cli.terminal import STANDARD, input_file, output_file
from comparator.domain.counted import counted
from comparator.domain.errors import InputError

if TYPE_CHECKING:
    from comparator.store.upkeep.backup import Moved

KEPT = 14
"""Archives of a folder, unless told otherwise."""
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
        Path | None,
        typer.Argument(help="Archive to write, which must not exist yet, or - for standard output"),
    ] = None,
    into: Annotated[
        Path | None, typer.Option(help="Folder for archives that are named by their time")
    ] = None,
    keep: Annotated[
        int | None, typer.Option(min=1, help="With --into: how many archives to keep (usually 14)")
    ] = None,
    every: Annotated[
        float | None,
        typer.Option(
            min=0.01, help="With --into: keep running, and write an archive at this interval, in hours"
        ),
    ] = None,
) -> None:
    """Write database and files into one archive, as they are at one moment; the app may go on running."""
    with plain_errors():
        from comparator.bootstrap import load_settings
        from comparator.store.core.blobs import BlobStore
        from comparator.store.core.database import Database
        from comparator.store.upkeep.backup import back_up, back_up_into

        if (file is None) == (into is None):
            raise InputError("Name a file to write, or a folder with --into.")
        if into is None and (keep is not None or every is not None):
            raise InputError("--keep and --every need a folder with --into: one file replaces no other.")
        settings = load_settings()
        blobs = BlobStore.at(settings.blobs)
        while True:
            now = datetime.now(UTC)
            old: tuple[Path, ...] = ()
            with closing(Database.open(settings.database)) as database, progress() as step:
                if file is not None:
                    with output_file(file) as archive:
                        written, moved = file, back_up(database, blobs, archive, at=now, on_step=step)
                else:
                    assert into is not None
                    written, moved, old = back_up_into(
                        database, blobs, into, keep=keep or KEPT, at=now, on_step=step
                    )
            where = "standard output" if written == STANDARD else written
            lost = _report(f"Written: {where}", moved)
            if old:
                say.print(f"Removed: {counted(len(old), 'older backup')}.")
            if every is None and lost:
                raise typer.Exit(BAD_INPUT)
            if every is None:
                return
            time.sleep(every * 3600)


@database_commands.command("restore")
def database_restore(
    file: Annotated[
        Path, typer.Argument(help="An archive that `comparator db backup` wrote, or - for standard input")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Try it in a temporary place; nothing here changes")
    ] = False,
) -> None:
    """Bring a backup back into an empty database; every row and file is checked against the archive."""
    with plain_errors():
        from comparator.bootstrap import load_settings
        from comparator.store.core.blobs import BlobStore
        from comparator.store.core.database import Database
        from comparator.store.core.sql import new_id
        from comparator.store.upkeep.backup import restore, try_restoring

        if check:
            with progress() as step, input_file(file) as archive:
                tried = try_restoring(archive, new_id=new_id, at=datetime.now(UTC), on_step=step).moved
            if _report(f"{file} can be restored", tried):
                raise typer.Exit(BAD_INPUT)
            return
        settings = load_settings()
        with (
            closing(Database.open(settings.database)) as database,
            progress() as step,
            input_file(file) as archive,
        ):
            restored = restore(
                database,
                BlobStore.at(settings.blobs),
                archive,
                new_id=new_id,
                at=datetime.now(UTC),
                on_step=step,
            )
        lost = _report("Restored", restored.moved)
        say.print(
            f"Everybody has to sign in again. Ended: {counted(restored.signed_out, 'session')} by invitation, "
            f"{counted(restored.links, 'unused invitation')}."
        )
        if lost:
            raise typer.Exit(BAD_INPUT)


def _report(what: str, moved: Moved) -> bool:
    """Say what was moved, and whether a file was lost."""
    say.print(f"{what}: {counted(moved.total, 'row')}, {counted(moved.blobs, 'file')}, all checked.")
    if moved.purged:
        say.print(f"Purged meanwhile: {counted(len(moved.purged), 'file')}.")
    if moved.lost:
        complain.print(
            f"Lost, and not in this backup: {counted(len(moved.lost), 'file')}. "
            "An older backup may hold them: keep it, and none was removed."
        )
        for digest, name in list(moved.lost.items())[:MOST_NAMED]:
            complain.print(f"  {digest[:12]} {name}")
    return bool(moved.lost)
