"""The command line; importing it makes all commands known."""

from __future__ import annotations

import sys
from typing import NoReturn

from comparator.cli import (
    app_commands,
    batch_commands,
    database_commands,
    decide_commands,
    export_commands,
    import_commands,
    judge_commands,
    people_commands,
    removal_commands,
)
from comparator.cli.frame import app

COMMANDS = (
    app_commands,
    judge_commands,
    import_commands,
    export_commands,
    batch_commands,
    database_commands,
    decide_commands,
    people_commands,
    removal_commands,
)
"""The rooms of the commands."""

__all__ = ["COMMANDS", "app", "main"]


def main() -> NoReturn:
    """Entry point of the console script."""
    app()
    sys.exit(0)
