"""What every command shares: the application, errors in plain words, progress, exit codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from comparator import __version__
from comparator.cli.terminal import Messages, harmless
from comparator.domain.errors import ComparatorError, JudgeError
from comparator.domain.scoring.judgment import Tools
from comparator.settings import JudgeKind

if TYPE_CHECKING:
    from comparator.workflow.services import Services

app = typer.Typer(
    name="comparator",
    help="Which of two outputs does the task better? Blind comparison, judged and reviewed.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
say = Messages()
"""Progress and messages; silent with --quiet."""
complain = Messages()
"""Errors; never silent."""
FIRST_STEPS = """Which of two outputs does the task better?

  comparator serve                             open the app, with six example pairs
  comparator judge --a A --b B --prompt @TASK  judge one pair here
  comparator import FOLDER --dry-run           see what an experiment holds
  comparator doctor                            check the set-up

comparator --help lists every command."""

EXIT_CODES = """\b
Exit codes: 0 done; 1 a bug in this program; 2 wrong input, settings or set-up;
3 the judge gave no complete answer (the pair is stored and can be judged again)."""
BAD_INPUT, NO_JUDGMENT, STOPPED = 2, 3, 130

JudgeOption = Annotated[
    JudgeKind | None, typer.Option("--judge", help="Which judge; by default the settings say")
]

NamedOption = Annotated[
    list[str],
    typer.Option(
        help="A judge by its name, in place of --judge and --model; repeat for several judges. By default the project "
        "says"
    ),
]

QuorumOption = Annotated[
    int | None, typer.Option(min=1, help="How many of several judges must reach a verdict; by default most")
]

ToolsOption = Annotated[
    Tools | None,
    typer.Option(
        "--tools", help="Whether the judge opens files with tools; by default the project or the settings say"
    ),
]


@app.callback()
def frame(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version")] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Say nothing but errors and results"),
    ] = False,
) -> None:
    """Which of two outputs does the task better? Blind comparison, judged and reviewed."""
    say.quiet = quiet
    if version:
        print(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(FIRST_STEPS)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Our own errors are one sentence on standard error; anything else is a bug and looks like one."""
    try:
        yield
    except JudgeError as error:
        complain.print(str(error))
        raise typer.Exit(NO_JUDGMENT) from error
    except ComparatorError as error:
        complain.print(str(error))
        raise typer.Exit(BAD_INPUT) from error
    except OSError as error:
        # Of a file that was named on the command line; standard output has no name.
        if error.filename is None:
            raise
        complain.print(f"{str(error.filename)[-300:]} cannot be used: {error.strerror}. Choose another one.")
        raise typer.Exit(BAD_INPUT) from error
    except KeyboardInterrupt as error:
        complain.print("Stopped. What was stored is kept; run the same command again to go on.")
        raise typer.Exit(STOPPED) from error


class CliCommand(TyperCommand):
    """A command that takes --quiet after its name, too."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its own parameters, with the option --quiet of the frame before --help."""
        *own, help_option = super().get_params(ctx)
        return [*own, *(each for each in ctx.find_root().command.params if each.name == "quiet"), help_option]

    def invoke(self, ctx: Any) -> Any:
        """Run it."""
        if ctx.params.pop("quiet", False):
            say.quiet = True
        with plain_errors():
            if Path(".env").is_file():
                from comparator.bootstrap import ignored_file, load_settings

                if ignored := ignored_file(load_settings(), with_keys=not ctx.params.get("keys_here")):
                    complain.print(ignored)
            return super().invoke(ctx)


@contextmanager
def opened() -> Iterator[Services]:
    """The services, for acts of the person at this machine; our own errors are one sentence on standard error."""
    with plain_errors():
        from comparator.bootstrap import load_settings, open_services
        from comparator.workflow.people.people import local_person

        with closing(open_services(load_settings())) as services:
            yield services.by(local_person(services).id)


def project_named(services: Services, name: str) -> str:
    """The id of the project of this name or id. Raises InputError with those there are."""
    from comparator.api.opened import project_named as named

    return named(services.database, name)


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Shows the present step on a terminal, and one line a step elsewhere."""
    if not say.is_terminal:
        yield say.print
        return
    with say.status("Starting") as status:
        yield lambda step: status.update(harmless(step))
