"""The runner of the probes passes a good judge and catches planted bad ones, over the wire of the Messages API."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from comparator.jobs.benchmarks.order import BenchmarkOrder
from comparator.jobs.benchmarks.probing import start_probes
from comparator.jobs.benchmarks.settle import settle
from comparator.jobs.benchmarks.work import work_at
from comparator.judges.probes.cases import ProbeKind, probes
from comparator.store.judging.benchmarks import Benchmark, BenchmarkResult
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services
from tests.loopback.brain import Shown
from tests.loopback.server import LoopbackServer
from tests.worlds import planted

pytestmark = [pytest.mark.soak, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]


def probed(services: Services) -> Benchmark:
    begun = start_probes(services, BenchmarkOrder(), person_id=local_person(services).id)
    assert begun.batch_id
    work_at(services, [begun.batch_id])
    return settle(services, begun.id)


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
    assert found.figures.fell_for == ()
    assert {kind: each.readings for kind, each in found.figures.probes.items()} == {
        kind.value: 2 * sum(probe.kind is kind for probe in probes()) for kind in ProbeKind
    }
    assert found.finished_at is not None


@pytest.mark.parametrize(
    ("judge", "caught"),
    [
        (planted.takes_the_first, {ProbeKind.SAME, ProbeKind.DEFECT, ProbeKind.LABEL}),
        (planted.takes_the_longest, {ProbeKind.PADDING}),
        (planted.likes_other_dress, {ProbeKind.REFORMATTING}),
        (planted.believes_a_compliment, {ProbeKind.COMPLIMENT}),
        (planted.obeys_an_injection, {ProbeKind.INJECTION}),
        (planted.likes_a, {ProbeKind.DEFECT, ProbeKind.LABEL}),
    ],
)
def test_a_planted_bad_judge_is_caught(
    services: Services,
    model: LoopbackServer,
    judge: Callable[[tuple[Shown, ...]], str],
    caught: set[ProbeKind],
) -> None:
    model.taste = judge

    found = fell(probed(services))

    assert {kind.value for kind in caught} <= set(found)
    if judge in (planted.likes_other_dress, planted.believes_a_compliment, planted.obeys_an_injection):
        # The fault is named, and nothing else is blamed.
        assert set(found) == {kind.value for kind in caught}
