"""Dashboards and history of a revealed project at 100 and 10,000 comparisons, and the figures of 100,000.

The floor of a load is Streamlit's hello page, of a filter a button's click, both in the same run.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from multiprocessing import get_context
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Browser

from bench.browser import CLICK, HELLO, ROOT, chromium, click, floors, load, memory, tab, wait
from bench.figures import Figure, figure, seconds
from bench.generator import NAME, generate
from comparator.reporting.history.listing import all_projects
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.result import result
from comparator.reporting.scope import By, ResultFilter, Verdicts, Within
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.ui.frame.lists.filters import PARTS
from tests.browser.servers.real_app import App
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World

KEPT = ROOT / "build" / "bench-dashboards"
"""The databases stay here for the next time."""
LOADS = 2
LARGE = 100_000
ITERATIONS, TASKS = 35, 60
"""Of the experiment over time."""
ANSWER = ".st-key-dashboards_answer"
CHIP = ".st-key-chip_0 button"
DRAWN = "document.querySelectorAll('.js-plotly-plot .main-svg').length >= 3"
WORDS = "[...document.querySelectorAll('.js-plotly-plot')].at(-1)?.textContent"
LISTED = "window.benchAll('tbody tr').length >= 20"


def measure() -> Sequence[Figure]:
    """Medians in milliseconds of loads and of filters, and what one process pays for the figures of 100,000."""
    with chromium() as browser:
        button, hello = floors(browser)
        figures = [button, hello]
        for comparisons, times in ((100, 2.0), (10_000, 2.5)):
            named = f"dashboards, {comparisons:,} comparisons"
            with _served(comparisons) as address:
                figures += _loads(browser, address, named, hello, times)
                figures += [
                    _filtered(browser, address, part, named, button) for part in ("why", "where", "differ")
                ]
        with _served(0) as address:
            named = f"dashboards, {TASKS} tasks in {ITERATIONS} iterations"
            figures.append(_filtered(browser, address, "time", named, button))
    # In a process of its own, whose memory is measured.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
        cold, narrowed, grown = other.submit(_compute, *_kept(LARGE)).result()
    named = f"figures of {LARGE:,} comparisons"
    return (
        *figures,
        figure(f"{named}: cold", cold, "s", limit=3),
        figure(f"{named}: a filter", narrowed, "s", limit=0.3),
        figure(f"{named}: memory", grown, "MB", limit=200),
    )


def _loads(browser: Browser, address: str, named: str, hello: Figure, times: float) -> Iterator[Figure]:
    page = tab(browser)
    history = address.replace("/dashboards", "/history")
    cold = load(page, address, until=ANSWER)
    before = memory()
    answers, drawn, listed = [], [], []
    for _ in range(LOADS):
        answers.append(load(page, address, until=ANSWER))
        drawn.append(answers[-1] + wait(page, until=DRAWN))
        began = time.perf_counter()
        page.goto(history, wait_until="commit")
        wait(page, until=LISTED)
        listed.append((time.perf_counter() - began) * 1000)
    grown = memory() - before
    page.context.close()
    for name, took in (("answer", answers), ("first chart", drawn), ("history's list", listed)):
        yield figure(f"{named}: {name} visible", took, "ms", floor=hello.value, times=times, of=HELLO)
    yield figure(f"{named}: the first answer of a new process", cold, "ms")
    yield figure(f"{named}: memory grown over {2 * LOADS} loads", grown, "MB", limit=100)


def _filtered(browser: Browser, address: str, part: str, named: str, button: Figure) -> Figure:
    """Milliseconds from taking a filter away until the last chart of the tab says something else, the second time."""
    page, took = tab(browser), 0.0
    for _ in range(2):
        load(page, f"{address}&part={PARTS[part]}&by=Criterion", until=CHIP)
        wait(page, until=DRAWN)
        page.wait_for_timeout(800)
        page.evaluate(f"window.benchBefore = {WORDS}")
        took = click(page, CHIP, until=f"!['', undefined, window.benchBefore].includes({WORDS})")
    page.context.close()
    name = f"{named}: {PARTS[part]}, a filter to its changed charts"
    return figure(name, took, "ms", floor=button.value, times=4, of=CLICK)


@contextmanager
def _served(comparisons: int) -> Iterator[str]:
    """The address of the dashboards of a new app, narrowed to a task."""
    path, _, task = _kept(comparisons)
    with (
        tempfile.TemporaryDirectory(prefix="bench-home-") as home,
        App(Path(home), COMPARATOR_DATABASE_URL=f"sqlite:///{path}") as server,
    ):
        chosen = f"project={NAME}&verdicts=Reviews%2C%20else%20the%20judge&within=task:{task}"
        yield f"{server.url}/dashboards?{chosen}"


def _kept(comparisons: int) -> tuple[str, str, str]:
    """A database's path, the id of its project and of one of its tasks; 0 comparisons: the experiment."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{comparisons}.db"
    new = not path.exists()
    with closing(Database.open(f"sqlite:///{path}")) as database:
        database.upgrade()
        if new and comparisons:
            generate(database, comparisons)
        elif new:
            world = World(database, BlobStore.at(os.fspath(KEPT / "blobs")), project=NAME)
            Experiment(world, iterations=ITERATIONS, tasks_of=TASKS).build()
        project_id = next(each.id for each in all_projects(database) if each.name == NAME)
        with database.read() as connection:
            own = sa.select(tables.task.c.id).where(tables.task.c.project_id == project_id)
            return str(path), project_id, str(connection.scalar(own.limit(1)))


def _compute(path: str, project_id: str, task: str) -> tuple[float, float, float]:
    """Seconds of the first result and of a narrowed one, and the megabytes that the process has grown by."""
    database, before = Database.open(f"sqlite:///{path}"), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    met = project_state(database, project_id).revealed_meetings[0]
    asked = ResultFilter(project_id=project_id, one=met.one, two=met.two, verdicts=Verdicts.EITHER)
    result(database, asked)
    cold = time.perf_counter() - began
    narrower = asked.model_copy(update={"within": (Within(by=By.TASK, value=task),)})
    narrowed = seconds(lambda: result(database, narrower))
    return cold, narrowed, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
