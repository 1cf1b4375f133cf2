"""The command line: serve the app, judge a pair, print the schema, check the set-up, keep the database up to date."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from comparator import __version__
from comparator.domain.errors import ComparatorError, InputError, JudgeError, SettingsError
from comparator.domain.labels import PerOutput
from comparator.domain.result import ComparisonResult
from comparator.domain.task import worded
from comparator.interop.model import Format
from comparator.settings import JudgeKind, Settings

app = typer.Typer(
    name="comparator",
    help="Which of two outputs does the task better? Blind comparison, judged and reviewed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
database_commands = typer.Typer(help="The database: bring it up to date.", no_args_is_help=True)
app.add_typer(database_commands, name="db")
say = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)

EXIT_CODES = """\b
Exit codes: 0 done; 1 a bug in this program; 2 wrong input, settings or set-up;
3 the judge gave no complete answer (the pair is stored and can be judged again)."""
BAD_INPUT, NO_JUDGMENT = 2, 3
LONGEST_NAME = 200


class JudgeWhen(StrEnum):
    """What happens to imported pairs."""

    NOW = "now"
    QUEUE = "queue"
    NONE = "none"


JudgeOption = Annotated[
    JudgeKind | None, typer.Option("--judge", help="Which judge; by default the settings say")
]


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Our own errors are one sentence on standard error; anything else is a bug and looks like one."""
    try:
        yield
    except JudgeError as error:
        say.print(str(error))
        raise typer.Exit(NO_JUDGMENT) from error
    except ComparatorError as error:
        say.print(str(error))
        raise typer.Exit(BAD_INPUT) from error


@app.command()
def serve(
    port: Annotated[int, typer.Option(help="Port on this machine")] = 8501,
    host: Annotated[str, typer.Option(help="Address to listen on")] = "127.0.0.1",
    allow_network: Annotated[
        bool, typer.Option(help="Listen on an address that other machines reach, without sign-in")
    ] = False,
    examples: Annotated[bool, typer.Option(help="Load the example pairs on the first start")] = True,
) -> None:
    """Open the app in the browser's reach, with the examples loaded on the first start."""
    with _plain_errors():
        settings = Settings.load()
        if host not in ("127.0.0.1", "localhost", "::1") and not (settings.signs_in or allow_network):
            raise SettingsError(
                f"{host} can be reached by other machines, and nobody has to sign in. Set up sign-in "
                "(COMPARATOR_OIDC_*), or add --allow-network if whoever reaches it may do everything."
            )
        from comparator.ui.start import run_app

        run_app(settings, host=host, port=port, examples=examples, say=say.print)


@app.command(epilog=EXIT_CODES)
def judge(
    a: Annotated[Path, typer.Option("--a", help="Output A: a file or a folder")],
    b: Annotated[Path, typer.Option("--b", help="Output B: a file or a folder")],
    prompt: Annotated[str, typer.Option(help="What was asked: the text, or @FILE")],
    expectation: Annotated[list[str], typer.Option(help="An expectation; repeat for more")] = [],  # noqa: B006  # typer copies
    expectations: Annotated[
        Path | None, typer.Option(help="File with one expectation a line, or a JSON list")
    ] = None,
    input: Annotated[list[Path], typer.Option(help="An input file or folder of the task; repeat")] = [],  # noqa: A002,B006  # the option's name
    reference: Annotated[Path | None, typer.Option(help="The reference answer")] = None,
    candidate_a: Annotated[str | None, typer.Option(help="Who made A (kept sealed)")] = None,
    candidate_b: Annotated[str | None, typer.Option(help="Who made B (kept sealed)")] = None,
    draw: Annotated[bool, typer.Option("--draw", help="Let chance decide which becomes A")] = False,
    kind: JudgeOption = None,
    model: Annotated[str, typer.Option(help="Model of the judge")] = "",
    project: Annotated[str, typer.Option(help="Project to put the comparison into")] = "",
    out: Annotated[str, typer.Option(help="File to write, or a folder (ending in /)")] = "comparison.json",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON on standard output")
    ] = False,
) -> None:
    """Judge two outputs of one task; write comparison.json and, beside it, its provenance."""
    with _plain_errors():
        from comparator.workflow.once import Request, judge_once
        from comparator.workflow.services import open_services

        if len(project) > LONGEST_NAME:
            raise InputError(f"The project's name has {len(project)} characters; {LONGEST_NAME} are allowed.")
        services = open_services(Settings.load())
        try:
            request = Request(
                task=worded(_prompt(prompt), (*expectation, *_expectations(expectations))),
                outputs=PerOutput[Path](A=a, B=b),
                candidates=PerOutput[str | None](A=candidate_a, B=candidate_b),
                inputs=tuple(input),
                reference=reference,
                draw=draw,
                project=project,
                out=_target(out),
            )
            with _progress() as step:
                done = asyncio.run(
                    judge_once(services, request, judge=services.judge(kind, model or None), on_step=step)
                )
        finally:
            services.close()
        if as_json:
            print(done.result.to_json(), end="")
        for line in done.summary():
            say.print(line)


@app.command("import", epilog=EXIT_CODES)
def import_(
    path: Annotated[Path, typer.Argument(help="A workspace folder, or a file of results or preferences")],
    format: Annotated[str, typer.Option(help=f"auto, {', '.join(Format)}")] = "auto",  # noqa: A002  # the option's name
    project: Annotated[str, typer.Option(help="Project to import into; by default named after PATH")] = "",
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Two candidates: NAME, or ITERATION/NAME to compare across iterations"),
    ] = None,
    pairs: Annotated[str, typer.Option(help="siblings, baseline or all")] = "siblings",
    iterations: Annotated[str, typer.Option(help="all, last, N or N..M")] = "all",
    column: Annotated[list[str], typer.Option(help="OURS=THEIRS: a column's name in a table; repeat")] = [],  # noqa: B006  # typer copies
    when: Annotated[
        JudgeWhen, typer.Option("--judge", help="Judge the new pairs now, or leave them in the queue")
    ] = JudgeWhen.QUEUE,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be imported")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON")] = False,
) -> None:
    """Import a skill-creator workspace, a promptfoo run, a preference set or a table of pairs."""
    with _plain_errors():
        from comparator.workflow import importing_run
        from comparator.workflow.importing import ImportRequest
        from comparator.workflow.services import open_services

        services = open_services(Settings.load())
        try:
            request = ImportRequest.of(
                path,
                format=format,
                project=project,
                compare=compare,
                pairs=pairs,
                iterations=iterations,
                columns=column,
            )
            judge = services.judge() if when is JudgeWhen.NOW and not dry_run else None
            judged = None
            with _progress() as step:
                if dry_run:
                    report = importing_run.dry_run(services, request, on_step=step)
                else:
                    imported = importing_run.import_path(services, request, on_step=step)
                    report = imported.report
                    if judge is not None:
                        judged = asyncio.run(
                            importing_run.judge_all(services, judge, imported.comparisons, on_step=step)
                        )
        finally:
            services.close()
        if as_json:
            print(report.model_dump_json(indent=2))
        for line in importing_run.summary(report, judged=judged, done=not dry_run):
            say.print(line)
        if judged is not None and judged.failed:
            raise typer.Exit(NO_JUDGMENT)


@app.command()
def schema() -> None:
    """Print the JSON Schema of comparison.json."""
    print(json.dumps(ComparisonResult.json_schema(), indent=2))


@app.command(epilog="Exit codes: 0 all is well; 2 something is not, and the line says what.")
def doctor(
    kind: JudgeOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON")] = False,
) -> None:
    """Check the set-up: settings, database, blobs, judge."""
    with _plain_errors():
        settings = Settings.load()
        from comparator.workflow.doctor import check_up

        findings = asyncio.run(check_up(settings, kind=kind))
    if as_json:
        print(json.dumps([f.model_dump() for f in findings], indent=2))
    else:
        for finding in findings:
            print(f"{'ok  ' if finding.ok else 'FAIL'}  {finding.name}: {finding.text}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(BAD_INPUT)


@database_commands.command("upgrade")
def database_upgrade() -> None:
    """Bring the database's schema up to date. Make a backup first."""
    with _plain_errors():
        from comparator.store.database import Database

        database = Database.open(Settings.load().database)
        database.upgrade()
        database.close()
        say.print("The database is up to date.")


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Shows the present step on a terminal, and one line a step elsewhere."""
    if not say.is_terminal:
        yield say.print
        return
    with say.status("Starting") as status:
        yield lambda step: status.update(step)


def _target(out: str) -> Path:
    """Where to write: a folder that ends in a slash is created, any other must be there."""
    path = Path(out)
    if out.endswith("/"):
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"The folder {out} cannot be created: {error.strerror}.") from error
    elif not path.parent.is_dir():
        raise InputError(f"The folder {path.parent} does not exist. Create it, or choose another one.")
    return path


def _prompt(text: str) -> str:
    return _read(Path(text[1:]), "prompt") if text.startswith("@") else text


def _expectations(path: Path | None) -> tuple[str, ...]:
    if path is None:
        return ()
    text = _read(path, "expectations")
    if text.lstrip().startswith("["):
        try:
            found: Any = json.loads(text)
        except ValueError as error:
            raise InputError(f"{path} starts like a JSON list but is none: {error}. Mend it.") from error
        if not all(isinstance(line, str) for line in found):
            raise InputError(f"{path} must be a JSON list of strings, or one expectation a line.")
        return tuple(found)
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _read(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"The file with the {what}, {path}, cannot be read: {reason}.") from error


def main() -> NoReturn:
    """Entry point of the console script."""
    app()
    sys.exit(0)
