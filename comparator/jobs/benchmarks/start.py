"""Beginning a benchmark: its pairs come in as any import, and a batch has them read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import Tools
from comparator.interop.imported import Findings
from comparator.jobs.batches import start_batches
from comparator.jobs.batches.start_batches import BatchRequest
from comparator.jobs.benchmarks.sets import LabelledSet, digest_of, sampled
from comparator.reporting.trust.labelled import labelled
from comparator.settings import JudgeKind
from comparator.store.bulk.batches import Batch
from comparator.store.judging import benchmarks
from comparator.store.judging.benchmarks import TOGETHER, Benchmark, BenchmarkSource, NewBenchmark
from comparator.store.judging.judgments import Identity
from comparator.store.people import projects
from comparator.workflow.importing.plan import plan_found
from comparator.workflow.importing.request import ImportRequest
from comparator.workflow.importing.store import carry_out
from comparator.workflow.judging.project_judge import identity_by
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services

OnStep = Callable[[str], None]
PREFIX = "Benchmark: "
"""Projects of labelled sets begin with this; they are closed for review."""


class Together(Frozen):
    """Several judges as one."""

    kind: str = "anthropic"
    model: str
    digest: str


class BenchmarkRequest(Frozen):
    """Which judges are measured, on how many pairs at most, and what each may spend at most."""

    kind: JudgeKind | None = None
    model: str | None = None
    judges: tuple[str, ...] = ()
    """Judges by name, in place of kind and model; several are measured one by one and together."""
    quorum: int | None = None
    """How many of several judges must reach a verdict; None means most."""
    tools: Tools | None = None
    sample: int | None = None
    money: Decimal | None = None
    tokens: int | None = None


def start_set(
    services: Services,
    given: LabelledSet,
    request: BenchmarkRequest,
    *,
    path: Path,
    person_id: str,
    on_step: OnStep = lambda _: None,
) -> tuple[Benchmark, ...]:
    """Have a labelled set read, or a sample of it: one benchmark a judge, and last that of several together.

    Raises InputError, and what starting a batch raises.
    """
    found = sampled(given.found, request.sample)
    name = f"{PREFIX}{given.name}"
    project_id, ids = bring_in(
        services, (found,), path=path, project=name, person_id=person_id, on_step=on_step
    )
    return begin(
        services,
        request,
        ids,
        project_id=project_id,
        source=BenchmarkSource.SET,
        name=given.name,
        set_digest=digest_of(found),
        person_id=person_id,
    )


def start_project(
    services: Services, project_id: str, request: BenchmarkRequest, *, person_id: str
) -> tuple[Benchmark, ...]:
    """Have a project's labelled pairs read: gold and people's labels, and reviews that were made blind first.

    One benchmark a judge, and last that of several together.

    Raises InputError where it has none, and what starting a batch raises.
    """
    truths = truths_of(services, project_id)
    ids = sorted(truths, key=lambda id: hashlib.sha256(id.encode()).hexdigest())[: request.sample]
    with services.database.read() as connection:
        name = projects.get(connection, project_id).name
    return begin(
        services,
        request,
        ids,
        project_id=project_id,
        source=BenchmarkSource.PROJECT,
        name=name,
        set_digest=truths_digest({id: truths[id] for id in ids}),
        person_id=person_id,
    )


def truths_of(services: Services, project_id: str) -> dict[str, Winner]:
    """The winner of each labelled pair of a project by its id. Raises InputError where there is none."""
    with services.database.read() as connection:
        found = {each.comparison_id: each.winner for each in labelled(connection, project_id)}
    if not found:
        raise InputError(
            "No pair of this project has a label. Reviews count where the reviewer answered before the judge's "
            "values opened (blind first); imported gold and human labels count too."
        )
    return found


def truths_digest(truths: Mapping[str, Winner]) -> str:
    """Which pairs of this database with which labels."""
    lines = [f"{id} {winner.value}" for id, winner in sorted(truths.items())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def bring_in(
    services: Services,
    parts: Sequence[Findings],
    *,
    path: Path,
    project: str,
    person_id: str,
    on_step: OnStep = lambda _: None,
) -> tuple[str, tuple[str, ...]]:
    """The project's id and those of its comparisons of these pairs; what is there already is left alone.

    The project is closed for review, so that nobody's queue fills with a benchmark's pairs. Raises InputError.
    """
    request = ImportRequest(path=path, project=project, mode=ReviewMode.BLIND_FIRST)
    with services.database.read() as connection:
        there = next((each for each in projects.all_projects(connection) if each.name == project), None)
    if there is not None:
        _close(services, there.id, closed=False)
    ids: list[str] = []
    called = project
    for found in parts:
        plan = plan_found(services, request, found, on_step=on_step)
        new = carry_out(services, plan, person_id=person_id, on_step=on_step, mode=request.mode)
        ids += [pair.known for pair in plan.pairs if pair.known is not None]
        ids += new.comparisons
        called = plan.project
    with services.database.read() as connection:
        (project_id,) = (each.id for each in projects.all_projects(connection) if each.name == called)
    _close(services, project_id, closed=True)
    return project_id, tuple(dict.fromkeys(ids))


def begin(
    services: Services,
    request: BenchmarkRequest,
    comparison_ids: Sequence[str],
    *,
    project_id: str,
    source: BenchmarkSource,
    name: str,
    set_digest: str,
    person_id: str,
) -> tuple[Benchmark, ...]:
    """Start the batches and note the benchmarks: one a judge, and last that of several together.

    Raises InputError, SettingsError, JudgeNotAllowed, RightsError.
    """
    batches = start_batches.start_all(
        services,
        (
            BatchRequest(
                project_id=project_id,
                name=f"{PREFIX}{name}" if source is not BenchmarkSource.PROBES else name,
                comparison_ids=tuple(comparison_ids),
                kind=request.kind,
                model=request.model,
                named=request.judges[0] if len(request.judges) == 1 else None,
                judges=request.judges if len(request.judges) > 1 else (),
                quorum=request.quorum,
                money=request.money,
                tokens=request.tokens,
                tools=request.tools,
                # What is measured must not become the verdict of pairs that people are at work on.
                trial=source is BenchmarkSource.PROJECT,
            ),
        ),
        person_id=person_id,
    )
    measured: list[tuple[Batch, Identity, str]] = [
        (batch, identity_by(services, batch.judge, project_id=batch.project_id), "one request")
        for batch in batches
    ]
    if (several := batches[0].panel) is not None:
        measured.append((batches[0], Together(model=several.called, digest=several.digest), TOGETHER))
    with services.write() as unit:
        for batch, judge, _ in measured:
            authorise(
                unit,
                Act.JUDGE,
                "benchmark_started",
                person_id=person_id,
                project_id=project_id,
                subject_id=batch.id,
                detail={"name": name, "pairs": len(comparison_ids), "model": judge.model},
            )
        return tuple(
            benchmarks.add(
                unit,
                NewBenchmark(
                    project_id=project_id,
                    batch_id=batch.id,
                    source=source,
                    name=name,
                    set_digest=set_digest,
                    mode=mode,
                    sample=request.sample,
                ),
                judge=judge,
                created_by=person_id,
            )
            for batch, judge, mode in measured
        )


def _close(services: Services, project_id: str, *, closed: bool) -> None:
    with services.write() as unit:
        projects.set_closed(unit.connection, project_id, unit.at if closed else None)
