"""What every command shares: the application, errors in plain words, progress, exit codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console

from comparator.domain.errors import ComparatorError, JudgeError
from comparator.settings import JudgeKind

app = typer.Typer(
    name="comparator",
    help="Which of two outputs does the task better? Blind comparison, judged and reviewed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
say = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)

EXIT_CODES = """\b
Exit codes: 0 done; 1 a bug in this program; 2 wrong input, settings or set-up;
3 the judge gave no complete answer (the pair is stored and can be judged again)."""
BAD_INPUT, NO_JUDGMENT = 2, 3

JudgeOption = Annotated[
    JudgeKind | None, typer.Option("--judge", help="Which judge; by default the settings say")
]


@contextmanager
def plain_errors() -> Iterator[None]:
    """Our own errors are one sentence on standard error; anything else is a bug and looks like one."""
    try:
        yield
    except JudgeError as error:
        say.print(str(error))
        raise typer.Exit(NO_JUDGMENT) from error
    except ComparatorError as error:
        say.print(str(error))
        raise typer.Exit(BAD_INPUT) from error


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Shows the present step on a terminal, and one line a step elsewhere."""
    if not say.is_terminal:
        yield say.print
        return
    with say.status("Starting") as status:
        yield lambda step: status.update(step)
