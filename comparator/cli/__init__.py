"""The command line; importing it makes all commands known."""

import errno
import os
import sys
from typing import NoReturn, TextIO, cast

import typer

from comparator.cli import administration, batch, comparisons, judge, projects, serve
from comparator.cli.frame import BAD_INPUT, OUR_STEERING, CliCommand, HarmlessStream, app, complain, described

COMMANDS = (serve, judge, comparisons, projects, batch, administration)
"""The modules of the commands."""

__all__ = ["COMMANDS", "app", "main"]


def _as_ours(group: typer.Typer) -> None:
    """Make every command in it one of ours."""
    for command in group.registered_commands:
        command.cls = CliCommand
        if command.callback is not None:
            described(command.callback)
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _as_ours(inner.typer_instance)


_as_ours(app)


def main() -> NoReturn:
    """Entry point of the console script. Whoever reads its output may stop reading, and a disk may be full."""
    sys.stdout = cast("TextIO", HarmlessStream(sys.stdout))
    # Errors of usage are panels with colours, which repeat what was typed.
    sys.stderr = cast("TextIO", HarmlessStream(sys.stderr, keep=OUR_STEERING))
    code: int | str | None = 0
    try:
        app()
    except SystemExit as ended:
        # Click ends with 1 where nobody reads on, which is no fault.
        unread = type(sys.stdout).__name__ == "PacifyFlushWrapper"
        code = 0 if unread else ended.code
    except OSError as error:
        code = _unwritten(error)
    try:
        sys.stdout.flush()
    except OSError as error:
        code = _unwritten(error)
    sys.exit(code)


def _unwritten(error: OSError) -> int:
    """The exit code where standard output takes nothing more; any other error is a bug."""
    if error.errno not in (errno.EPIPE, errno.ENOSPC):
        raise error
    # What is left in the buffer would fail again when Python ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:
        return 0
    complain.print("The output could not be written: the disk is full.")
    return BAD_INPUT
