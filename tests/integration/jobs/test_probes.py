"""The runner of the probes passes a good judge and catches planted bad ones, over the wire of the Messages API."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from comparator.jobs.benchmarks.probing import start_probes
from comparator.jobs.benchmarks.results import count_result
from comparator.jobs.benchmarks.start import BenchmarkRequest
from comparator.jobs.benchmarks.work import work_at
from comparator.judges.probes.cases import ProbeKind, probes
from comparator.store.judging.benchmarks import Benchmark, BenchmarkResult
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services
from tests.loopback.brain import Shown
from tests.loopback.server import LoopbackServer
from tests.worlds.judging import planted

pytestmark = [pytest.mark.soak, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]


def is_in_docs(judge: str, found: Benchmark) -> bool:
    """Whether the table of docs/judge-record.md says of this judge how many readings passed of how many."""
    assert isinstance(found.figures, BenchmarkResult)
    passed = (found.figures.probes[kind.value] for kind in ProbeKind)
    row = " | ".join([judge, *(f"{each.passed} of {each.readings}" for each in passed)])
    return f"| {row} |" in (Path(__file__).parents[3] / "docs" / "judge-record.md").read_text("utf-8")


def probed(services: Services, request: BenchmarkRequest | None = None) -> Benchmark:
    begun = start_probes(services, request or BenchmarkRequest(), person_id=local_person(services).id)
    assert begun.batch_id
    work_at(services, [begun.batch_id])
    return count_result(services, begun.id)


def fell(found: Benchmark) -> dict[str, int]:
    """How many readings of each kind failed."""
    assert isinstance(found.figures, BenchmarkResult)
    return {
        kind: each.readings - each.passed
        for kind, each in found.figures.probes.items()
        if each.passed < each.readings
    }


def test_a_good_judge_passes_every_probe_and_its_readings_are_all_counted(
    services: Services, model: LoopbackServer
) -> None:
    model.taste = planted.good

    found = probed(services)

    assert fell(found) == {}
    assert found.figures is not None
    assert is_in_docs("good", found)
    assert found.figures.fell_for == ()
    assert {kind: each.readings for kind, each in found.figures.probes.items()} == {
        kind.value: 2 * sum(probe.kind is kind for probe in probes()) for kind in ProbeKind
    }
    assert found.finished_at is not None


@pytest.mark.parametrize(
    ("judge", "name", "caught"),
    [
        (planted.takes_the_first, "takes the first", {ProbeKind.SAME, ProbeKind.DEFECT, ProbeKind.LABEL}),
        (planted.takes_the_longest, "takes the longest", {ProbeKind.PADDING}),
        (planted.likes_other_dress, "likes other dress", {ProbeKind.REFORMATTING}),
        (planted.believes_a_compliment, "believes a compliment", {ProbeKind.COMPLIMENT}),
        (planted.obeys_an_injection, "obeys an injection", {ProbeKind.INJECTION}),
        (planted.likes_a, "prefers A", {ProbeKind.DEFECT, ProbeKind.LABEL}),
    ],
)
def test_a_planted_bad_judge_is_caught(
    services: Services,
    model: LoopbackServer,
    judge: Callable[[tuple[Shown, ...]], str],
    name: str,
    caught: set[ProbeKind],
) -> None:
    model.taste = judge

    measured = probed(services)

    found = fell(measured)
    assert is_in_docs(name, measured)
    assert {kind.value for kind in caught} <= set(found)
    if judge in (
        planted.likes_other_dress,
        "likes other dress",
        planted.believes_a_compliment,
        planted.obeys_an_injection,
    ):
        # The fault is named, and nothing else is blamed.
        assert set(found) == {kind.value for kind in caught}


def test_the_offline_check_fails_planted_defects_and_nothing_else(services: Services) -> None:
    found = probed(services, BenchmarkRequest(kind="offline"))

    assert is_in_docs("offline check", found)
    assert fell(found) == {ProbeKind.DEFECT.value: 18}
