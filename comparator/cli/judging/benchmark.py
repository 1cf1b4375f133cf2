"""`benchmark` and `probe`: a judge is measured on labelled pairs, and on pairs that a good judge cannot miss."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from rich.table import Table

from comparator.cli.frame import QuorumOption, ToolsOption, app, me, opened, progress, say
from comparator.cli.judging.batch import NOT_ALL, AsJson, money
from comparator.cli.paths import input_file
from comparator.cli.terminal import results
from comparator.domain.errors import InputError
from comparator.settings import JudgeKind

if TYPE_CHECKING:
    from comparator.store.judging.benchmarks import Benchmark
    from comparator.workflow.services import Services

ModelOption = Annotated[str, typer.Option(help="Model of the judge")]
BudgetOption = Annotated[str, typer.Option(help="Limit in US dollars")]
TokensOption = Annotated[int | None, typer.Option(help="Limit in tokens")]
NoWait = Annotated[
    bool,
    typer.Option("--no-wait", help="Queue it for a worker or the app; the page Judge shows the result"),
]


@app.command()
def benchmark(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SET|PROJECT",
            help="A labelled set (a file, a folder of them, or - for standard input), or a project",
        ),
    ],
    judge: Annotated[
        list[str],
        typer.Option(
            "--judge",
            help="anthropic, offline, or the name of a judge; repeat the names of several judges to measure them "
            "together too",
        ),
    ] = [],  # noqa: B006  # typer copies
    model: ModelOption = "",
    quorum: QuorumOption = None,
    tools: ToolsOption = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Use this many pairs, drawn by their content")
    ] = None,
    budget: BudgetOption = "",
    budget_tokens: TokensOption = None,
    answers: Annotated[
        Path | None, typer.Option(help="Score another judge's answers: JSON lines of pair, order and winner")
    ] = None,
    answered_by: Annotated[str, typer.Option(help="What to call that judge")] = "another judge",
    no_wait: NoWait = False,
    as_json: AsJson = False,
) -> None:
    """Measure a judge on labelled pairs: LLMBar, JudgeBench, RewardBench 2, MT-Bench, AlpacaEval, or a project's."""
    with opened() as services:
        from comparator.api.benchmarks import begin, score
        from comparator.jobs.benchmarks.start import BenchmarkRequest

        if answers is not None:
            with input_file(answers) as file:
                begun = score(services, source, answers=file, judge=answered_by)
        else:
            kind, names = _judges(judge, model)
            request = BenchmarkRequest(
                kind=kind,
                model=model or None,
                judges=names,
                quorum=quorum,
                tools=tools,
                sample=sample,
                money=money(budget),
                tokens=budget_tokens,
            )
            with progress() as step, input_file(Path(source)) as file:
                begun = begin(services, str(file), request, on_step=step)
        _finish(services, begun, wait=not no_wait, as_json=as_json)


@app.command()
def probe(
    judge: Annotated[
        str, typer.Option(help="anthropic, offline, or the name of a judge; by default the settings say")
    ] = "",
    model: ModelOption = "",
    tools: ToolsOption = None,
    budget: BudgetOption = "",
    budget_tokens: TokensOption = None,
    no_wait: NoWait = False,
    as_json: AsJson = False,
) -> None:
    """Measure a judge on pairs that a good one cannot miss: ties, planted defects, padding, flattery, injections."""
    with opened() as services:
        from comparator.jobs.benchmarks.probing import start_probes
        from comparator.jobs.benchmarks.start import BenchmarkRequest

        kind, names = _judges([judge] if judge else [], model)
        request = BenchmarkRequest(
            kind=kind,
            model=model or None,
            judges=names,
            tools=tools,
            money=money(budget),
            tokens=budget_tokens,
        )
        with progress() as step:
            begun = start_probes(services, request, person_id=me(services), on_step=step)
        _finish(services, (begun,), wait=not no_wait, as_json=as_json)


def _judges(given: Sequence[str], model: str) -> tuple[JudgeKind | None, tuple[str, ...]]:
    """Which judge is meant by its kind, or which ones by name. Raises InputError for a mixture."""
    kinds: dict[str, JudgeKind] = {each: each for each in get_args(JudgeKind)}
    if len(given) == 1 and given[0] in kinds:
        return kinds[given[0]], ()
    if given and model:
        raise InputError(
            f"--model goes with --judge {' or '.join(kinds)} only. A judge's name says its model."
        )
    if mixed := next((each for each in given if each in kinds), None):
        raise InputError(f"--judge {mixed} cannot be one of several judges. Give several names of judges.")
    return None, tuple(dict.fromkeys(given))


def _finish(services: Services, begun: Sequence[Benchmark], *, wait: bool, as_json: bool) -> None:
    """Wait until it is read, count it, and print what came out."""
    from comparator.api.benchmarks import finish
    from comparator.jobs.benchmarks.results import count_result

    if wait:
        with progress() as step:
            done = finish(services, begun, on_step=step)
    else:
        done = tuple(count_result(services, each.id) for each in begun)
    if as_json:
        print(json.dumps([_as_json(each) for each in done]))
    elif wait:
        for each in done:
            results().print(_table(each))
            for line in _published_lines(each):
                say.print(line)
    else:
        say.print("The page Judge shows the result once a worker or the app has read the pairs.")
    if wait and any(each.figures is None or each.finished_at is None for each in done):
        say.print("Not everything was read: see comparator batch list. Run the same command to go on.")
        raise typer.Exit(NOT_ALL)


def _table(found: Benchmark) -> Table:
    from comparator.judges.protocol import judge_called
    from comparator.reporting.trust.benchmarks import lines_of

    who = judge_called(found.judge_kind, found.judge_model)
    table = Table("figure", "value", title=f"{found.name}: {who}, {found.mode}", title_justify="left")
    for name, value in lines_of(found):
        table.add_row(name, value)
    return table


def _published_lines(found: Benchmark) -> list[str]:
    from comparator.reporting.trust.published import figures_on

    return [each.in_words for each in figures_on(found.name)]


def _as_json(found: Benchmark) -> dict[str, Any]:
    from comparator.stats.raters.accuracy import accuracy

    figures = found.figures
    return {
        **json.loads(found.model_dump_json()),
        "accuracy": json.loads(accuracy(figures.counts).model_dump_json()) if figures else None,
    }
