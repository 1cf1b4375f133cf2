"""Judging in bulk against a bare AsyncAnthropic loop: 500 pairs of 3 kB, three calls each, 32 slots of 200 ms."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.figures import Figure, at_least, at_most, below, plain
from comparator.jobs import orders
from comparator.settings import Settings
from comparator.store import answers, people
from comparator.store.batches import BatchState
from comparator.workflow.services import Services, open_services
from tests.loopback.bulk import Model, model_server, seed

PAIRS = int(os.environ.get("BENCH_PAIRS", "500"))
MANY = int(os.environ.get("BENCH_MANY", "0"))
"""Pairs of the long figure of memory; 0 leaves it out. `make bench` with BENCH_MANY=10000 takes some minutes."""
SLOTS, LATENCY, SIZE, CALLS = 32, 0.2, 3_000, 3


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
            ours, saving = _batch(home / "ours", model, pairs=PAIRS, saves=True, bodies=bodies)
            bare = _bare(model, calls=PAIRS * CALLS, bodies=bodies)
            figures = _figures(ours, bare, saving)
            if MANY:
                large, _ = _batch(home / "many", model, pairs=MANY, saves=False, bodies=None)
                figures.append(
                    at_most(
                        f"memory for {MANY:,} pairs",
                        large.memory,
                        unit="MB",
                        floor=ours.memory,
                        times=1.3,
                        n=1,
                        of=f"that for {PAIRS}",
                    )
                )
    return figures


def _figures(ours: Run, bare: Run, saving: tuple[list[float], list[float]]) -> list[Figure]:
    ideal = PAIRS * CALLS / SLOTS * LATENCY
    idle, busy = saving
    calls = PAIRS * CALLS
    return [
        plain("batch, ideal time", ideal, unit="s", n=1),
        plain("batch, bare loop against the ideal", bare.seconds / ideal, unit="times", n=1),
        plain("batch, ours against the ideal", ours.seconds / ideal, unit="times", n=1),
        at_most("batch, first request to last reply", ours.seconds, unit="s", floor=bare.seconds,
                times=1.05, n=1, of="the bare loop"),
        at_least("batch, mean requests in flight", ours.in_flight, unit="requests", floor=bare.in_flight,
                 times=0.95, n=calls, of="the bare loop's"),
        plain("batch, CPU a call of the bare loop", bare.cpu, unit="ms", n=calls),
        below("batch, CPU a call above the bare loop", ours.cpu - bare.cpu, unit="ms", limit=4, n=calls),
        plain(f"batch, memory of the worker for {PAIRS} pairs", ours.memory, unit="MB", n=1),
        at_most("saving a reviewer's answer during a batch", statistics.median(busy) * 1000, unit="ms",
                floor=statistics.median(idle) * 1000, times=2, n=len(busy), of="idle"),
    ]  # fmt: skip


def _batch(
    home: Path, model: Model, *, pairs: int, saves: bool, bodies: Path | None
) -> tuple[Run, tuple[list[float], list[float]]]:
    os.environ.update(model.environment)
    services = open_services(Settings(home=home, slots=SLOTS, model="claude-sonnet-5-5"))
    seeded = seed(services, pairs=pairs, size=SIZE)
    other = seed(services, pairs=60, project="Saved to").comparison_ids
    save = _saver(services, other)
    before = len(model.calls())
    idle = [save() for _ in range(40)] if saves else []
    batch = orders.start(services, orders.BatchOrder(project_id=seeded.project_id), person_id=None)
    environment = {
        **os.environ, **model.environment, "COMPARATOR_HOME": str(home), "COMPARATOR_SLOTS": str(SLOTS),
    }  # fmt: skip
    worker = subprocess.Popen(
        [sys.executable, "-m", "bench.batch_worker"], env=environment, stdout=subprocess.PIPE
    )
    busy: list[float] = []
    while orders.report(services, batch.id).batch.state is BatchState.RUNNING and worker.poll() is None:
        if saves and len(model.calls()) > before:
            busy.append(save())
        time.sleep(0.05 if saves else 0.5)
    said, _ = worker.communicate(timeout=120)
    told = json.loads(said)
    if bodies is not None:
        bodies.write_text(json.dumps(_requests(model)), "utf-8")
    tally = orders.report(services, batch.id).tally
    services.close()
    if tally.done != pairs:
        raise RuntimeError(f"the batch ended with {tally}")
    return _run(model, before, cpu=told["cpu"], memory=told["memory"]), (idle, busy or [0.0])


def _saver(services: Services, comparison_ids: Sequence[str]) -> Any:
    numbers = iter(range(10**9))
    with services.database.write() as connection:
        person = people.ensure_person(
            connection, "local:bench", name="Bench", new_id=services.new_id, at=services.now()
        ).id

    def save() -> float:
        number = next(numbers)
        began = time.perf_counter()
        with services.database.write() as connection:
            answers.add(
                connection,
                comparison_ids[number % len(comparison_ids)],
                person_id=person,
                kind=answers.AnswerKind.FLAG,
                reason=f"number {number}",
                new_id=services.new_id,
                at=services.now(),
            )
        return time.perf_counter() - began

    return save


def _requests(model: Model) -> list[dict[str, Any]]:
    kept = model.log.with_suffix(".bodies")
    return [json.loads(line) for line in kept.read_text("utf-8").splitlines()]


def _bare(model: Model, *, calls: int, bodies: Path) -> Run:
    """The same questions through the SDK's client and a semaphore, nothing else, in a process of its own."""
    before = len(model.calls())
    said = subprocess.run(
        [sys.executable, "-m", "bench.batch_bare", str(bodies), str(calls), str(SLOTS)],
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
