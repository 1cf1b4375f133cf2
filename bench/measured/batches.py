"""Judging in bulk against a bare AsyncAnthropic loop, with and without tools; one pair on its own; saving meanwhile."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure, figure
from bench.measured.load import Reviewer, judged_examples, targets, work
from comparator.bootstrap import open_services
from comparator.domain.scoring.judgment import Tools
from comparator.jobs import manage_batches, start_batches
from comparator.jobs.child import WorkerChild
from comparator.settings import Settings
from comparator.store.bulk.batches import BatchRequest, BatchState
from comparator.workflow.judging import asking
from comparator.workflow.people.people import local_person
from comparator.workflow.services import Services
from tests.browser.servers.real_app import App
from tests.loopback.bulk import Model, model_server, seed
from tests.worlds.process import wait_until

PAIRS, SLOTS, SIZE = 96, 32, 3_000
LATENCY = 2.0
"""Seconds; the least that a real answer of this length takes. An answer keeps its slot until it is stored."""
CALLS, CALLS_WITH_TOOLS = 3, 5
"""A pair's: its rubric and two readings, each of which asks for tools once or not at all."""
FEW, MANY, QUICK = 400, 800, 0.02
"""Pairs of the figure of memory, and the latency there: what it measures does not depend on it."""
RUNS, WARM, COLD = 2, 8, 2
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
            quiet, busy = _saving(home / "app", model)
        options = ("--careful", f"--keep={PAIRS * CALLS_WITH_TOOLS}")
        with model_server(home, latency=LATENCY, options=options) as model:
            tools, bare_tools = _by_turns(home / "tools", model, calls=CALLS_WITH_TOOLS, tools=Tools.ALWAYS)
        with model_server(home, latency=QUICK) as model:
            few, many = (_batch(home / str(pairs), model, pairs=pairs) for pairs in (FEW, MANY))
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
        figure("saving a score during a batch", busy, "ms", floor=statistics.median(quiet), times=2,
               of="with nothing else to do"),
        figure("asking to first request, worker running", warm, "s", limit=0.3),
        figure("asking to first request, no worker", cold, "s", limit=3),
    )  # fmt: skip


def _by_turns(home: Path, model: Model, *, calls: int, tools: Tools | None = None) -> Sequence[Run]:
    """The medians of our runs and of the bare loop's."""
    ours, bare = [], []
    for number in range(RUNS):
        before = len(model.calls())
        ours.append(_batch(home / str(number), model, pairs=PAIRS, tools=tools))
        lines = model.log.with_suffix(".bodies").read_text("utf-8").splitlines()
        bodies = home / "bodies.json"
        bodies.write_text(f"[{','.join(lines[: len(model.calls()) - before])}]", "utf-8")
        # The same questions through the SDK's client and a semaphore, nothing else, in a process of its own.
        bare.append(_measured(model, "bench.bare_loop", str(bodies), str(PAIRS * calls), str(SLOTS)))
    return [Run(*map(statistics.median, zip(*runs, strict=True))) for runs in (ours, bare)]


def _services(home: Path, model: Model) -> closing[Services]:
    """The services on this home; the processes that are started from now on have the same settings."""
    settings = {"COMPARATOR_HOME": str(home), "COMPARATOR_SLOTS": str(SLOTS), "COMPARATOR_MODEL": MODEL}
    os.environ.update(model.environment | settings)
    return closing(open_services(Settings(home=home, slots=SLOTS, model=MODEL)))


def _batch(home: Path, model: Model, *, pairs: int, tools: Tools | None = None) -> Run:
    with _services(home, model) as services:
        project_id = seed(services, pairs=pairs, size=SIZE).project_id
        batch = start_batches.start(services, BatchRequest(project_id=project_id, tools=tools))
        run = _measured(model, "comparator", "worker", "--until-idle", "0")
        if (counts := manage_batches.report(services, batch.id).counts).done != pairs:
            raise RuntimeError(f"the batch ended with {counts}")
    return run


def _measured(model: Model, *command: str) -> Run:
    """Run a module to its end."""
    before = len(model.calls())
    process = subprocess.Popen([sys.executable, "-m", *command], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    calls = [(call.came, call.sent) for call in model.calls()[before:] if call.sent is not None]
    seconds = max(sent for _, sent in calls) - min(came for came, _ in calls) if calls else 0.0
    in_flight = sum(sent - came for came, sent in calls) / seconds if calls else 0.0
    return Run(seconds, in_flight, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def _saving(home: Path, model: Model) -> tuple[list[float], list[float]]:
    """Milliseconds until the real app on SQLite has saved a score, while a batch is paused and while it runs."""
    took: dict[bool, list[float]] = {False: [], True: []}
    with _services(home, model) as services, App(home, examples=False, COMPARATOR_CHROMIUM="off") as server:
        pair = judged_examples(services)[1][0]
        me = local_person(services).id
        project_id = seed(services, pairs=1_000, size=SIZE).project_id
        batch = start_batches.start(services, BatchRequest(project_id=project_id, judge="anthropic"))
        for judging in (False, True, False, True):
            if judging:
                busy = len(model.calls()) + SLOTS
                manage_batches.move(services, batch.id, BatchState.RUNNING)
                _wait_for_calls(model, busy)
            else:
                manage_batches.move(services, batch.id, BatchState.PAUSED)
                wait_until(lambda: all(call.sent for call in model.calls()))
            reviewer = Reviewer(server.url, "", me, pair, targets(services, pair, me), pace=0.15)
            work([reviewer], 4.0)
            took[judging] += reviewer.milliseconds
        manage_batches.move(services, batch.id, BatchState.CANCELLED)
    return took[False], took[True]


def _single(home: Path, model: Model) -> tuple[list[float], list[float]]:
    """Seconds from asking for one pair to its first request, with the app's worker running and without one."""

    def timings(pairs: Sequence[str]) -> list[float]:
        took = []
        child = WorkerChild(services)
        child.start()
        for pair in pairs:
            before, began = len(model.calls()), time.time()
            asking.ask(services, pair)
            child.wake()
            _wait_for_calls(model, before + CALLS)
            # One look at the queue later the worker is at rest.
            time.sleep(1.0)
            took.append(min(call.came for call in model.calls()[before:]) - began)
        child.stop()
        return took

    with _services(home, model) as services:
        pairs = seed(services, pairs=COLD + 1 + WARM).comparison_ids
        cold = [timings([pair])[0] for pair in pairs[:COLD]]
        return timings(pairs[COLD:])[1:], cold


def _wait_for_calls(model: Model, count: int) -> None:
    wait_until(lambda: len(model.calls()) >= count)
