"""The schema's history: which revisions there are, and running them; no alembic.ini is needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

REVISIONS = (
    *("0006", "0007", "0008", "0009", "0010", "0011"),
    *("0012", "0013", "0014", "0015", "0016", "0017", "0018", "0019", "0020", "0021", "0022", "0023", "0024"),
    *("0025", "0026", "0027", "0028", "0029", "0030"),
)
"""All revisions that an upgrade can begin at, oldest first; a database without tables is created at the newest.

Their files are in `versions`, in the folder of the subject that they change.
"""
TOO_OLD = ("0001", "0002", "0003", "0004", "0005")
"""Revisions from before those."""
HEAD = REVISIONS[-1]

_version = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def run(connection: sa.Connection, *, to: str = "head") -> None:
    """Run the migrations that the database lacks, inside the connection's transaction.

    A revision that rewrites stored rows by the program's own code adds that step to `afterwards`: such code works with
    the newest schema only, so it runs when all revisions have run.
    """
    from alembic import command  # Only an upgrade pays for this import.
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("recursive_version_locations", "true")
    config.attributes["connection"] = connection
    afterwards: list[Callable[[sa.Connection], None]] = []
    config.attributes["afterwards"] = afterwards
    command.upgrade(config, to)
    for step in afterwards:
        step(connection)


def stamp(connection: sa.Connection) -> None:
    """Note that the schema is that of the newest revision."""
    _version.create(connection)
    connection.execute(_version.insert().values(version_num=HEAD))
