"""From asking for one pair to its first request at the model: with the app's worker running, and without one."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.figures import Figure, below
from comparator.bootstrap import open_services
from comparator.jobs.child import WorkerChild
from comparator.settings import Settings
from comparator.workflow.judging import registry, single
from comparator.workflow.services import Services
from tests.loopback.bulk import Model, model_server, seed

WARM, COLD = 10, 3
PATIENCE = 60.0


def measure() -> Sequence[Figure]:
    """Medians in seconds, on SQLite."""
    with tempfile.TemporaryDirectory(prefix="comparator-bench-") as folder:
        home = Path(folder)
        with model_server(home) as model:
            os.environ.update(model.environment)
            services = open_services(Settings(home=home / "app", model="claude-sonnet-5-5"))
            pairs = list(seed(services, pairs=WARM + COLD).comparison_ids)
            cold = [_cold(services, model, pairs.pop()) for _ in range(COLD)]
            child = WorkerChild(services)
            child.start()
            child.wake()
            _until(lambda: _workers(services) == 1)
            # One look at the queue later it is at rest.
            time.sleep(1.0)
            warm = [_asked(services, model, child, pair) for pair in pairs]
            child.stop()
            services.close()
    return (
        below(
            "asking to first request, worker running", statistics.median(warm), unit="s", limit=0.3, n=WARM
        ),
        below("asking to first request, no worker", statistics.median(cold), unit="s", limit=3, n=COLD),
    )


def _cold(services: Services, model: Model, pair: str) -> float:
    child = WorkerChild(services)
    child.start()
    took = _asked(services, model, child, pair)
    child.stop()
    return took


def _asked(services: Services, model: Model, child: WorkerChild, pair: str) -> float:
    """Seconds from asking until the first request came; returns once all three have been answered."""
    before, began = len(model.calls()), time.time()
    single.ask(services, pair, person_id=None)
    child.wake()
    _until(lambda: len(model.calls()) >= before + 3)
    return min(call.came for call in model.calls()[before:]) - began


def _workers(services: Services) -> int:
    with services.database.read() as connection:
        return registry.number(services, connection)


def _until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not reached():
        if time.monotonic() > deadline:
            raise RuntimeError("no request came within a minute")
        time.sleep(0.02)
