"""Judging in bulk against a bare AsyncAnthropic loop, with and without tools; one pair on its own; saving meanwhile."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.browser import app
from bench.figures import Figure, figure
from bench.reviewers import Reviewer, judged_examples, targets, work
from comparator.bootstrap import open_services
from comparator.domain.scoring.judgment import Tools
from comparator.jobs import manage_batches, start_batches
from comparator.jobs.child import WorkerChild
from comparator.settings import Settings
from comparator.store.bulk.batches import BatchRequest
from comparator.workflow.judging import asking
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services
from tests.loopback.bulk import Model, model_server, seed

PAIRS, SLOTS, SIZE = 96, 32, 3_000
LATENCY = 2.0
"""Seconds; the least that a real answer of this length takes. An answer keeps its slot until it is stored."""
CALLS, CALLS_WITH_TOOLS = 3, 5
"""A pair's: its rubric and two readings, each of which asks for tools once or not at all."""
RUNS = 2
FEW, MANY, QUICK = 400, 800, 0.02
"""Pairs of the figure of memory, and the latency there: what it measures does not depend on it."""
WARM, COLD, PATIENCE = 8, 2, 60.0
MODEL = "claude-sonnet-5-5"


class Run(NamedTuple):
    """Seconds from the first request to the last reply, mean requests in flight, CPU seconds, peak memory in MB."""

    seconds: float
    in_flight: float
    cpu: float
    memory: float


def measure() -> Sequence[Figure]:
    """Medians of both by turns, as a machine is not equally quick all the time."""
    with tempfile.TemporaryDirectory(prefix="comparator-bench-") as folder:
        home = Path(folder)
        with model_server(home, latency=LATENCY, options=(f"--keep={PAIRS * CALLS}",)) as model:
            ours, bare = _by_turns(home / "plain", model, calls=CALLS)
            saved = _saving(home / "app", model)
        with model_server(
            home, latency=LATENCY, options=("--careful", f"--keep={PAIRS * CALLS_WITH_TOOLS}")
        ) as model:
            tools, bare_tools = _by_turns(home / "tools", model, calls=CALLS_WITH_TOOLS, tools=Tools.ALWAYS)
        with model_server(home, latency=QUICK) as model:
            nothing, few, many = (_batch(home / str(pairs), model, pairs=pairs) for pairs in (0, FEW, MANY))
        with model_server(home, latency=QUICK) as model:
            warm, cold = _single(home / "single", model)
    ideal = PAIRS * CALLS / SLOTS * LATENCY
    return (
        figure("batch, bare loop against the ideal", bare.seconds / ideal, "times"),
        figure("batch, first request to last reply", ours.seconds, "s", floor=bare.seconds, times=1.05,
               of="the bare loop"),
        figure("batch, mean requests in flight", ours.in_flight, "requests", floor=bare.in_flight),
        figure("batch with tools, first request to last reply", tools.seconds, "s", floor=bare_tools.seconds,
               times=1.05, of="the bare loop with the same calls"),
        figure("batch, CPU a call", (many.cpu - few.cpu) / (MANY - FEW) / CALLS * 1000, "ms", limit=20),
        figure(f"batch, memory of the worker for {MANY} pairs", many.memory, "MB", floor=few.memory, times=1.15,
               of=f"that for {FEW}"),
        figure("batch, memory of a worker with nothing to do", nothing.memory, "MB"),
        figure("saving a score during a batch", saved[1], "ms", floor=statistics.median(saved[0]), times=2,
               of="with nothing else to do"),
        figure("asking to first request, worker running", warm, "s", limit=0.3),
        figure("asking to first request, no worker", cold, "s", limit=3),
    )  # fmt: skip


def _by_turns(home: Path, model: Model, *, calls: int, tools: Tools | None = None) -> tuple[Run, Run]:
    ours, bare = [], []
    for number in range(RUNS):
        before = len(model.calls())
        ours.append(_batch(home / str(number), model, pairs=PAIRS, tools=tools))
        lines = model.log.with_suffix(".bodies").read_text("utf-8").splitlines()
        bodies = home / "bodies.json"
        bodies.write_text(f"[{','.join(lines[: len(model.calls()) - before])}]", "utf-8")
        # The same questions through the SDK's client and a semaphore, nothing else, in a process of its own.
        told = ["-m", "bench.bare_loop", str(bodies), str(PAIRS * calls), str(SLOTS)]
        bare.append(_measured(told, dict(model.environment), model))
    return _median(ours), _median(bare)


def _median(runs: Sequence[Run]) -> Run:
    return Run(*(statistics.median(values) for values in zip(*runs, strict=True)))


def _batch(home: Path, model: Model, *, pairs: int, tools: Tools | None = None) -> Run:
    os.environ.update(model.environment)
    services = open_services(Settings(home=home, slots=SLOTS, model=MODEL))
    batch = None
    if pairs:
        seeded = seed(services, pairs=pairs, size=SIZE)
        request = BatchRequest(project_id=seeded.project_id, tools=tools)
        batch = start_batches.start(services, request)
    settings = {"COMPARATOR_HOME": str(home), "COMPARATOR_SLOTS": str(SLOTS), "COMPARATOR_MODEL": MODEL}
    command = ["-m", "comparator", "worker", "--until-idle", "0"]
    found = _measured(command, {**model.environment, **settings}, model)
    if batch and (counts := manage_batches.report(services, batch.id).counts).done != pairs:
        raise RuntimeError(f"the batch ended with {counts}")
    services.close()
    return found


def _measured(command: Sequence[str], environment: dict[str, str], model: Model) -> Run:
    before = len(model.calls())
    process = subprocess.Popen(
        [sys.executable, *command], env={**os.environ, **environment}, stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    calls = [call for call in model.calls()[before:] if call.sent is not None]
    memory = used.ru_maxrss / 1024
    if not calls:
        return Run(0, 0, used.ru_utime + used.ru_stime, memory)
    seconds = max(call.sent or 0.0 for call in calls) - min(call.came for call in calls)
    flown = sum((call.sent or 0.0) - call.came for call in calls)
    return Run(seconds, flown / seconds, used.ru_utime + used.ru_stime, memory)


def _saving(home: Path, model: Model) -> tuple[list[float], list[float]]:
    """Milliseconds until the real app on SQLite has saved a score, while a batch is paused and while it runs."""
    settings = {"COMPARATOR_SLOTS": str(SLOTS), "COMPARATOR_MODEL": MODEL, "COMPARATOR_CHROMIUM": "off"}
    with app(home, **model.environment, **settings) as url:
        services = open_services(Settings(home=home, slots=SLOTS, model=MODEL))
        pair = judged_examples(services)[1][0]
        me = local_person(services).id
        made = seed(services, pairs=1_000, size=SIZE)
        request = BatchRequest(project_id=made.project_id, judge="anthropic")
        batch = start_batches.start(services, request)
        took: dict[bool, list[float]] = {False: [], True: []}
        for judging in (False, True, False, True):
            if judging:
                wanted = len(model.calls()) + SLOTS
                manage_batches.resume(services, batch.id)
                _until(lambda wanted=wanted: len(model.calls()) >= wanted)  # type: ignore[misc]
            else:
                manage_batches.pause(services, batch.id)
                _until(lambda: all(call.sent for call in model.calls()))
            reviewer = Reviewer(url, "", me, pair, targets(services, pair, me), pace=0.15)
            work([reviewer], 4.0)
            took[judging] += [each.seconds * 1000 for each in reviewer.sent]
        manage_batches.cancel(services, batch.id)
        services.close()
    return took[False], took[True]


def _single(home: Path, model: Model) -> tuple[list[float], list[float]]:
    """Seconds from asking for one pair to its first request, with the app's worker running and without one."""
    os.environ.update(model.environment)
    services = open_services(Settings(home=home, model=MODEL))
    pairs = list(seed(services, pairs=1 + WARM + COLD).comparison_ids)
    cold = []
    for _ in range(COLD):
        child = WorkerChild(services)
        child.start()
        cold.append(_asked(services, model, child, pairs.pop()))
        child.stop()
    child = WorkerChild(services)
    child.start()
    _asked(services, model, child, pairs.pop())
    warm = [_asked(services, model, child, pair) for pair in pairs]
    child.stop()
    services.close()
    return warm, cold


def _asked(services: Services, model: Model, child: WorkerChild, pair: str) -> float:
    before, began = len(model.calls()), time.time()
    asking.ask(services, pair)
    child.wake()
    _until(lambda: len(model.calls()) >= before + CALLS)
    # One look at the queue later the worker is at rest.
    time.sleep(1.0)
    return min(call.came for call in model.calls()[before:]) - began


def _until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not reached():
        if time.monotonic() > deadline:
            raise RuntimeError("it did not come within a minute")
        time.sleep(0.02)
