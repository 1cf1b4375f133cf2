"""What every command shares: the application, plain errors, progress, exit codes, and what goes to a terminal."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer
from pydantic import BaseModel, TypeAdapter
from rich.console import Console
from typer.core import TyperCommand

from comparator import __version__
from comparator.domain.errors import ComparatorError, InputError, JudgeError

if TYPE_CHECKING:
    from comparator.workflow.services import Services

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tab and line end, and those that change the direction of writing."""


OUR_STEERING = "\x1b\r"
"""What our own colours and progress bars need of them: escape and carriage return."""


def harmless(text: str, *, keep: str = "") -> str:
    """The text with a replacement character for each sign that would steer a terminal, but those to `keep`."""
    return _STEERING.sub(lambda sign: sign[0] if sign[0] in keep else "\ufffd", text)


def json_text(value: object, *, indent: int | None = None) -> str:
    """A value as JSON in ASCII, models as their fields."""
    return json.dumps(TypeAdapter(Any).dump_python(value, mode="json"), indent=indent)


class HarmlessStream:
    """A text stream that writes harmless text, but for signs to `keep`; everything else is the stream's own."""

    def __init__(self, stream: TextIO, *, keep: str = "") -> None:
        self.stream, self._keep = stream, keep

    def write(self, text: str) -> int:
        """Write the text, made harmless."""
        return self.stream.write(harmless(text, keep=self._keep))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class Messages(Console):
    """Messages on standard error."""

    def __init__(self) -> None:
        super().__init__(stderr=True, highlight=False, markup=False, soft_wrap=True)

    def print(self, *objects: Any, **options: Any) -> None:
        """Print texts, made harmless."""
        super().print(*(harmless(part) if isinstance(part, str) else part for part in objects), **options)


STANDARD = Path("-")
"""Stands for standard input or output wherever a path is taken."""


def read_text(path: Path, what: str) -> str:
    """The text of a file, or of standard input for "-". Raises InputError, which says `what` was to be read."""
    data = sys.stdin.buffer.read() if path == STANDARD else path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        name = "standard input" if path == STANDARD else path
        raise InputError(f"The {what}, {name}, cannot be read: it is not UTF-8 text.") from error


@contextmanager
def input_file(path: Path) -> Iterator[Path]:
    """The path itself; for "-" a file with what standard input holds, for as long as the context is open."""
    if path != STANDARD:
        path.lstat()
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        # Its name becomes the project's where an import is given no other.
        file = Path(folder) / "standard-input"
        file.write_bytes(sys.stdin.buffer.read())
        yield file


@contextmanager
def output_file(path: Path) -> Iterator[Path]:
    """Where to write: the path itself, or for "-" and for devices a file that is copied there when all went well.

    A device or a pipe would else be replaced by a file of its name.
    """
    if path != STANDARD and (path.is_file() or not path.exists()):
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "output"
        yield file
        with (
            file.open("rb") as buffered_reader,
            nullcontext(sys.stdout.buffer) if path == STANDARD else path.open("wb") as out,
        ):
            shutil.copyfileobj(buffered_reader, out)


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

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on standard output")]
ProjectName = Annotated[str, typer.Argument(help="The project's name")]


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
        return [
            *own,
            *(option for option in ctx.find_root().command.params if option.name == "quiet"),
            help_option,
        ]

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


def opened() -> AbstractContextManager[Services]:
    """The services, for acts of the person at this machine."""
    from comparator.api.opened import opened as by_settings

    return by_settings(None)


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Shows the present step on a terminal, and one line a step elsewhere."""
    if not say.is_terminal:
        yield say.print
        return
    with say.status("Starting") as status:
        yield lambda step: status.update(harmless(step))


class OptionsOf:
    """Stands in the annotation of a command's `**options`: an option for each field of a request but those `without`.

    A field's docstring is the help; `flags` are options that are called otherwise than their field. Lists repeat.
    """

    def __init__(self, request: type[BaseModel], *, without: Collection[str] = (), **flags: str) -> None:
        self._request, self._without, self._flags = request, without, flags

    def parameters(self) -> Iterator[inspect.Parameter]:
        """The options as typer reads them from a signature."""
        for name, field in self._request.model_fields.items():
            if name in self._without:
                continue
            default, kind = field.get_default(call_default_factory=True), field.annotation
            if isinstance(default, Collection) and not isinstance(default, str):
                default, kind = [], list[str]
            flag = self._flags.get(name, f"--{name.replace('_', '-')}")
            option = typer.Option(flag, help=field.description)
            yield inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
            )


def described(command: Callable[..., None]) -> None:
    """Give a command the help of its own parameters, which its docstring tells under `Args`, and those of OptionsOf.

    What only a keyword can give is an option, the rest are arguments. A switch that is off by default has no opposite.
    """
    about, _, argument_help = (inspect.getdoc(command) or "").partition("\n\nArgs:\n")
    argument_help = re.sub(r"\n {5,}", " ", argument_help)
    helps = dict(re.findall(r"^ {4}(\w+): (.+)$", argument_help, re.MULTILINE))
    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            parameters += parameter.annotation.__metadata__[0].parameters()
            continue
        if about_it := helps.get(parameter.name):
            info = typer.Argument(help=about_it)
            if parameter.kind is parameter.KEYWORD_ONLY:
                name = parameter.name.replace("_", "-")
                flag = f"--{name}/--no-{name}" if parameter.default is True else f"--{name}"
                info = typer.Option(flag, help=about_it)
            parameter = parameter.replace(annotation=Annotated[parameter.annotation, info])
        parameters.append(parameter)
    command.__doc__ = about
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # read by typer
