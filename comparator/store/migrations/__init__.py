"""The schema's history: which revisions there are, and running them; no alembic.ini is needed."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from comparator.store.tables import metadata, triggers

REVISIONS = ("first",)
"""All revisions, oldest first. There has been no release: the first one is edited in place until there is."""
HEAD = REVISIONS[-1]
FOLDER = Path(__file__).parent

_version = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def run(connection: Connection, *, to: str = "head") -> None:
    """Run the migrations that the database lacks, inside the connection's transaction."""
    from alembic import command  # Only an upgrade pays for this import.
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def create(connection: Connection) -> None:
    """All tables and triggers at once, in an empty database."""
    metadata.create_all(connection)
    triggers.create(connection)


def stamp(connection: Connection) -> None:
    """Note that the schema is that of the newest revision."""
    _version.create(connection)
    connection.execute(_version.insert().values(version_num=HEAD))
