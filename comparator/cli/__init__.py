"""The command line; importing it makes all commands known."""

from __future__ import annotations

import sys
from typing import NoReturn

from comparator.cli import batch, db, decide, export, imports, judge, people, purge, serve
from comparator.cli.frame import app

COMMANDS = (
    serve,
    judge,
    imports,
    export,
    batch,
    db,
    decide,
    people,
    purge,
)
"""The rooms of the commands."""

__all__ = ["COMMANDS", "app", "main"]


def main() -> NoReturn:
    """Entry point of the console script."""
    app()
    sys.exit(0)
