"""`db`: the database is kept up to date."""

from __future__ import annotations

import typer

from comparator.cli.frame import app, plain_errors, say
from comparator.settings import Settings

database_commands = typer.Typer(help="The database: bring it up to date.", no_args_is_help=True)
app.add_typer(database_commands, name="db")


@database_commands.command("upgrade")
def database_upgrade() -> None:
    """Bring the database's schema up to date. Make a backup first."""
    with plain_errors():
        from comparator.store.database import Database

        database = Database.open(Settings.load().database)
        database.upgrade()
        database.close()
        say.print("The database is up to date.")
