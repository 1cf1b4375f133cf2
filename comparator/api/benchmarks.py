"""A judge is measured: on labelled pairs of a file or a project, and on probes."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from comparator.api.opened import OnStep, opened, project_named, quiet
from comparator.domain.errors import InputError
from comparator.domain.scoring.judgment import Tools
from comparator.jobs.benchmarks.answers import score_project, score_set
from comparator.jobs.benchmarks.probing import start_probes
from comparator.jobs.benchmarks.results import count_result
from comparator.jobs.benchmarks.sets import read_sets
from comparator.jobs.benchmarks.start import BenchmarkRequest, start_project, start_set
from comparator.jobs.benchmarks.work import work_at
from comparator.settings import JudgeKind, Settings
from comparator.store.judging.benchmarks import Benchmark
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services


def probe(
    *,
    judge: JudgeKind | None = None,
    model: str | None = None,
    tools: Tools | None = None,
    budget: Decimal | float | str | None = None,
    budget_tokens: int | None = None,
    settings: Settings | None = None,
    on_step: OnStep = quiet,
) -> Benchmark:
    """Have a judge read the probes here; `figures.probes` says how often it passed, `fell_for` where it did not.

    Raises JudgeNotAllowed for a budget where no price is known.
    """
    request = BenchmarkRequest(
        kind=judge,
        model=model,
        tools=tools,
        money=None if budget is None else Decimal(str(budget)),
        tokens=budget_tokens,
    )
    with opened(settings) as services:
        begun = start_probes(services, request, person_id=local_person(services).id, on_step=on_step)
        return finish(services, (begun,), on_step=on_step)[0]


def begin(
    services: Services, source: str, request: BenchmarkRequest, *, on_step: OnStep = quiet
) -> tuple[Benchmark, ...]:
    """Start the benchmark of a file or folder, or of a project, for the person at this machine. Raises InputError."""
    path, me = Path(source), local_person(services).id
    if not path.exists():
        return start_project(services, _project(services, source), request, person_id=me)
    return tuple(
        begun
        for each in read_sets(path)
        for begun in start_set(services, each, request, path=path, person_id=me, on_step=on_step)
    )


def score(services: Services, source: str, *, answers: Path, judge: str) -> tuple[Benchmark, ...]:
    """Keep another judge's answers as a record, for the person at this machine. Raises InputError."""
    path, me = Path(source), local_person(services).id
    if not path.exists():
        project_id = _project(services, source)
        return (score_project(services, project_id, name=source, answers=answers, judge=judge, person_id=me),)
    return tuple(
        score_set(services, each, answers=answers, judge=judge, person_id=me) for each in read_sets(path)
    )


def finish(
    services: Services, begun: Sequence[Benchmark], *, on_step: OnStep = quiet
) -> tuple[Benchmark, ...]:
    """Work at them here until each has ended or is paused, and count what was read."""
    batches = [each.batch_id for each in begun if each.batch_id]
    if batches:
        work_at(services, batches, on_step=on_step)
    return tuple(count_result(services, each.id) for each in begun)


def _project(services: Services, name: str) -> str:
    try:
        return project_named(services.database, name)
    except InputError as error:
        raise InputError(f"{name!r} is neither a file or folder nor a project. {error}") from error
