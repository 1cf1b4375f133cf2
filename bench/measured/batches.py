"""Judging in bulk against a bare AsyncAnthropic loop: 160 pairs of 3 kB, three calls each, 32 slots of 2 s; and with
tools, where a reading takes two calls."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.figures import Figure, at_least, at_most, below, plain
from bench.made.batch_saving import Saving, saving
from comparator.bootstrap import open_services
from comparator.domain.scoring.judgment import Tools
from comparator.jobs.batches import manage_batches, start_batches
from comparator.settings import Settings
from tests.loopback.bulk import Model, model_server, seed

PAIRS = int(os.environ.get("BENCH_PAIRS", "160"))
MANY = int(os.environ.get("BENCH_MANY", "10000"))
"""Pairs of the long figure of memory, which takes some minutes; 0 leaves it out."""
QUICK = 0.02
"""Seconds of latency for the long figure: what it measures does not depend on it."""
RUNS = 3
"""Of ours and of the bare loop by turns; medians count, as a machine is not equally quick all the time."""
SLOTS, LATENCY, SIZE, CALLS = 32, 2.0, 3_000, 3
"""Two seconds is the least that a real answer of this length takes; an answer keeps its slot until it is stored."""


CALLS_WITH_TOOLS = 5
"""A pair's, where each of its two readings asks for tools once."""


class Run(NamedTuple):
    """Seconds from the first request to the last reply, mean requests in flight, CPU ms a call, peak memory in MB."""

    seconds: float
    in_flight: float
    cpu: float
    memory: float


def measure() -> Sequence[Figure]:
    """Print both against the ideal, and return the figures."""
    with tempfile.TemporaryDirectory(prefix="comparator-bench-") as folder:
        home = Path(folder)
        with model_server(home, latency=LATENCY, options=("--keep=40",)) as model:
            bodies = home / "bodies.json"
            both = []
            for number in range(RUNS):
                ours = _batch(home / f"ours-{number}", model, pairs=PAIRS, bodies=bodies)
                both.append((ours, _bare(model, calls=PAIRS * CALLS, bodies=bodies)))
            ours, bare = (_median(runs) for runs in zip(*both, strict=True))
            figures = _figures(ours, bare, saving(home / "app", model, slots=SLOTS, size=SIZE))
        figures.append(_with_tools(home))
        if MANY:
            # Caches are full after some 3,000; from then on memory may not grow with the pairs.
            few = MANY // 2
            with model_server(home, latency=QUICK) as model:
                small = _batch(home / "few", model, pairs=few)
                large = _batch(home / "many", model, pairs=MANY)
            figures.append(
                at_most(f"batch, memory of the worker for {MANY:,} pairs", large.memory, unit="MB",
                        floor=small.memory, times=1.3, n=1, of=f"that for {few:,}")
            )  # fmt: skip
    return figures


def _with_tools(home: Path) -> Figure:
    """The span where each reading asks for three tools and then decides: a rubric and four calls a pair."""
    bodies, both = home / "bodies-tools.json", []
    calls = PAIRS * CALLS_WITH_TOOLS
    with model_server(home, latency=LATENCY, options=("--careful", f"--keep={calls}")) as model:
        for number in range(RUNS):
            place = home / f"tools-{number}"
            ours = _batch(place, model, pairs=PAIRS, bodies=bodies, tools=Tools.ALWAYS)
            both.append((ours, _bare(model, calls=calls, bodies=bodies)))
    ours, bare = (_median(runs) for runs in zip(*both, strict=True))
    return at_most("batch with tools, first request to last reply", ours.seconds, unit="s", floor=bare.seconds,
                   times=1.05, n=RUNS, of="the bare loop with the same calls")  # fmt: skip


def _median(runs: Sequence[Run]) -> Run:
    return Run(*(statistics.median(values) for values in zip(*runs, strict=True)))


def _figures(ours: Run, bare: Run, saved: Saving) -> list[Figure]:
    ideal = PAIRS * CALLS / SLOTS * LATENCY
    idle, busy = saved
    calls = RUNS * PAIRS * CALLS
    return [
        plain("batch, ideal time", ideal, unit="s", n=1),
        plain("batch, bare loop against the ideal", bare.seconds / ideal, unit="times", n=RUNS),
        plain("batch, ours against the ideal", ours.seconds / ideal, unit="times", n=RUNS),
        at_most("batch, first request to last reply", ours.seconds, unit="s", floor=bare.seconds,
                times=1.05, n=RUNS, of="the bare loop"),
        at_least("batch, mean requests in flight", ours.in_flight, unit="requests", floor=bare.in_flight,
                 times=0.95, n=calls, of="the bare loop's"),
        plain("batch, CPU a call of the bare loop", bare.cpu, unit="ms", n=calls),
        below("batch, CPU a call above the bare loop", ours.cpu - bare.cpu, unit="ms", limit=8, n=calls),
        plain(f"batch, memory of the worker for {PAIRS} pairs", ours.memory, unit="MB", n=RUNS),
        at_most("saving a score in the app during a batch", statistics.median(busy) * 1000, unit="ms",
                floor=statistics.median(idle) * 1000, times=2, n=len(busy), of="idle"),
    ]  # fmt: skip


def _batch(
    home: Path, model: Model, *, pairs: int, bodies: Path | None = None, tools: Tools | None = None
) -> Run:
    os.environ.update(model.environment)
    services = open_services(Settings(home=home, slots=SLOTS, model="claude-sonnet-5-5"))
    seeded = seed(services, pairs=pairs, size=SIZE)
    before = len(model.calls())
    batch = start_batches.start(
        services, start_batches.BatchRequest(project_id=seeded.project_id, tools=tools), person_id=None
    )
    environment = {
        **os.environ, **model.environment, "COMPARATOR_HOME": str(home), "COMPARATOR_SLOTS": str(SLOTS),
    }  # fmt: skip
    said = subprocess.run(
        [sys.executable, "-m", "bench.made.batch_worker"],
        env=environment, stdout=subprocess.PIPE, check=True, timeout=900,
    ).stdout  # fmt: skip
    told = json.loads(said)
    if bodies is not None:
        bodies.write_text(json.dumps(_requests(model)), "utf-8")
    counts = manage_batches.report(services, batch.id).counts
    services.close()
    if counts.done != pairs:
        raise RuntimeError(f"the batch ended with {counts}")
    return _run(model, before, cpu=told["cpu"], memory=told["memory"])


def _requests(model: Model) -> list[dict[str, Any]]:
    kept = model.log.with_suffix(".bodies")
    return [json.loads(line) for line in kept.read_text("utf-8").splitlines()]


def _bare(model: Model, *, calls: int, bodies: Path) -> Run:
    """The same questions through the SDK's client and a semaphore, nothing else, in a process of its own."""
    before = len(model.calls())
    said = subprocess.run(
        [sys.executable, "-m", "bench.floors.batch_bare", str(bodies), str(calls), str(SLOTS)],
        env={**os.environ, **model.environment},
        stdout=subprocess.PIPE,
        check=True,
        timeout=300,
    ).stdout
    told = json.loads(said)
    return _run(model, before, cpu=told["cpu"], memory=told["memory"])


def _run(model: Model, before: int, *, cpu: float, memory: float) -> Run:
    calls = [call for call in model.calls()[before:] if call.sent is not None]
    first, last = min(call.came for call in calls), max(call.sent or 0.0 for call in calls)
    seconds = last - first
    flown = sum((call.sent or 0.0) - call.came for call in calls)
    return Run(seconds, flown / seconds, cpu / len(calls) * 1000, memory)
