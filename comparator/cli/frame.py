"""What every command shares: the application, errors in plain words, progress, exit codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from comparator.domain.errors import ComparatorError, InputError, JudgeError
from comparator.settings import JudgeKind, Settings

if TYPE_CHECKING:
    from comparator.workflow.services import Services

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
def opened() -> Iterator[Services]:
    """The services; our own errors are one sentence on standard error."""
    with plain_errors():
        from comparator.workflow.services import open_services

        with closing(open_services(Settings.load())) as services:
            yield services


def me(services: Services) -> str:
    """The id of the person at this machine."""
    from comparator.workflow.people.people import local_person

    return local_person(services).id


def project_named(services: Services, name: str) -> str:
    """The id of the project of this name or id. Raises InputError with those there are."""
    from comparator.reporting.history.listing import all_projects

    every = all_projects(services.database)
    found = next((each for each in every if name in (each.name, each.id)), None)
    if found is None:
        known = ", ".join(each.name for each in every[:20]) or "none yet"
        raise InputError(f"There is no project {name!r}. There are: {known}.")
    return found.id


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Shows the present step on a terminal, and one line a step elsewhere."""
    if not say.is_terminal:
        yield say.print
        return
    with say.status("Starting") as status:
        yield lambda step: status.update(step)
