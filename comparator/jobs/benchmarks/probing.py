"""Having a judge read the probes: they come in once as a project of their own, closed for review."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from comparator.interop.imported import (
    Attachment,
    Files,
    Findings,
    Format,
    FoundLabel,
    FoundPair,
    FoundRun,
    LabelSource,
    Side,
)
from comparator.jobs.benchmarks.start import BenchmarkRequest, begin, bring_in
from comparator.judges.probes.cases import Probe, ProbeKind, probes
from comparator.store.judging.benchmarks import Benchmark, BenchmarkSource
from comparator.workflow.services import Services

PROJECT = "Probes"
CANDIDATES = ("first", "second")


def start_probes(
    services: Services,
    request: BenchmarkRequest,
    *,
    person_id: str,
    on_step: Callable[[str], None] = lambda _: None,
) -> Benchmark:
    """Have all probes read. Raises what starting a batch raises."""
    every = probes()
    ids: list[str] = []
    project_id = ""
    # Which output is A is part of a probe, not drawn: a label that is changed must not move the judge.
    for turned, coin in ((False, lambda: False), (True, lambda: True)):
        drawn = replace(services, coin=coin)
        found = as_found(every, turned=turned)
        project_id, own = bring_in(
            drawn, (found,), path=Path("probes"), project=PROJECT, person_id=person_id, on_step=on_step
        )
        ids += own
    # Only the first reading in each order counts; a pair that must tie would be read again and again for being close.
    once = replace(services, settings=services.settings.model_copy(update={"repetitions": 1}))
    begun = begin(
        once,
        request,
        ids,
        project_id=project_id,
        source=BenchmarkSource.PROBES,
        name=PROJECT,
        set_digest=digest(every),
        person_id=person_id,
    )
    return begun[-1]


def digest(every: Sequence[Probe]) -> str:
    """Which probes, byte by byte."""
    found = hashlib.sha256()
    for probe in every:
        for part in (probe.name, probe.task.prompt, *probe.first, *probe.second):
            found.update(part if isinstance(part, bytes) else part.encode())
    return found.hexdigest()


def as_found(every: Sequence[Probe], *, turned: bool) -> Findings:
    """The probes whose first output is A (or, `turned`, B), as an import finds pairs; names tell nothing."""
    runs: dict[tuple[str, str, str | bytes, str], FoundRun] = {}
    numbers: Counter[tuple[str, str]] = Counter()
    stated, labels = [], []
    for probe in every:
        # Counted over all probes, so that a run has one number whichever way its pair is shown.
        sides = []
        for candidate, (name, content) in zip(CANDIDATES, (probe.first, probe.second), strict=True):
            # A pair is a pair of runs: the same two answers under other labels are other runs.
            key = (probe.task.name, candidate, content, f"{name}/{probe.kind is ProbeKind.LABEL}")
            if key not in runs:
                numbers[key[:2]] += 1
                runs[key] = _run(probe, candidate, name, content, number=numbers[key[:2]])
            sides.append(runs[key].address)
        if probe.turned is not turned:
            continue
        stated.append(FoundPair(first=sides[0], second=sides[1]))
        labels.append(
            FoundLabel(
                first=sides[0],
                second=sides[1],
                kind=LabelSource.GOLD,
                author="probes",
                winner=Side.TIE if probe.kind is ProbeKind.SAME else Side.FIRST,
                value={"name": probe.name, "probe": probe.kind.value, "base": probe.base},
            )
        )
    used = {address for pair in stated for address in (pair.first, pair.second)}
    return Findings(
        format=Format.JSONL,
        runs=tuple(run for run in runs.values() if run.address in used),
        stated=tuple(stated),
        labels=tuple(labels),
    )


def _run(probe: Probe, candidate: str, name: str, content: str | bytes, *, number: int) -> FoundRun:
    data = content if isinstance(content, bytes) else content.encode()
    key = f"probe-{probe.task.name}"
    return FoundRun(
        address=f"probes#{key}/{candidate}/{number}",
        task_key=key,
        title=f"Probe: {probe.task.name}",
        prompt=probe.task.prompt,
        configuration=candidate,
        factors=(candidate,),
        files=Files(folder=False, name=name, files=(Attachment(name=name, data=data),)),
        repetition=number,
    )
