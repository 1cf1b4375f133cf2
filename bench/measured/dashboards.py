"""Dashboards and history of a revealed project at 100 and 10,000 comparisons, and the figures of 100,000.

The floor of a load is Streamlit's hello page, of a filter a button's click, both in the same run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Browser

from bench.browser import ROOT, app, chromium, click, clicks, greetings, load, memory, tab, wait
from bench.figures import Figure, figure
from bench.generator import generate
from comparator.reporting.history.listing import all_projects
from comparator.reporting.results.candidates import project_state
from comparator.reporting.scope import By, ResultFilter, Verdicts, Within
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.ui.frame.lists.filters import PARTS
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World

KEPT = ROOT / "build" / "bench-dashboards"
LOADS, TIMES = 2, 1
LARGE = 100_000
ANSWER = ".st-key-dashboards_answer"
CHIP = ".st-key-chip_0 button"
DRAWN = "document.querySelectorAll('.js-plotly-plot .main-svg').length >= 3"
WORDS = "[...document.querySelectorAll('.js-plotly-plot')].at(-1)?.textContent"
LISTED = "window.benchAll('tbody tr').length >= 20"
GRID = (35, 60)
"""Iterations and tasks of the experiment over time."""


def measure() -> Sequence[Figure]:
    """Medians in milliseconds of loads and of filters, and what one process pays for the figures of 100,000."""
    with chromium() as browser:
        button = figure("floor: a button's click", clicks(browser), "ms")
        hello = figure("floor: a load of Streamlit's hello page", greetings(browser), "ms")
        figures = [button, hello]
        for comparisons, times in ((100, 2.0), (10_000, 2.5)):
            with _served(f"{comparisons}", comparisons) as address:
                figures += _loads(browser, address, f"{comparisons:,} comparisons", hello, times)
                for part in ("why", "where", "differ"):
                    figures.append(_filtered(browser, address, part, f"{comparisons:,} comparisons", button))
        with _served("grid", 0) as address:
            named = f"{GRID[1]} tasks in {GRID[0]} iterations"
            figures.append(_filtered(browser, address, "time", named, button))
    return (*figures, *_figures())


def _loads(browser: Browser, address: str, named: str, hello: Figure, times: float) -> Iterator[Figure]:
    page = tab(browser)
    history = address.replace("/dashboards", "/history")
    cold = load(page, address, until=ANSWER)
    before = memory()
    answers, drawn, listed = [], [], []
    for _ in range(LOADS):
        began = time.perf_counter()
        answers.append(load(page, address, until=ANSWER))
        wait(page, until=DRAWN)
        drawn.append((time.perf_counter() - began) * 1000)
        began = time.perf_counter()
        page.goto(history, wait_until="commit")
        wait(page, until=LISTED)
        listed.append((time.perf_counter() - began) * 1000)
    grown = memory() - before
    page.context.close()
    for name, took in (("answer", answers), ("first chart", drawn), ("history's list", listed)):
        yield figure(f"dashboards, {named}: {name} visible", took, "ms", floor=hello.value, times=times,
                     of="the hello page")  # fmt: skip
    yield figure(f"dashboards, {named}: the first answer of a new process", cold, "ms")
    yield figure(f"dashboards, {named}: memory grown over {2 * LOADS} loads", grown, "MB", limit=100)


def _filtered(browser: Browser, address: str, part: str, named: str, button: Figure) -> Figure:
    """Milliseconds from taking a filter away until the last chart of the tab says something else."""
    page, took = tab(browser), []
    for _ in range(TIMES + 1):
        load(page, f"{address}&part={PARTS[part]}&by=Criterion", until=CHIP)
        wait(page, until=DRAWN)
        page.wait_for_timeout(800)
        page.evaluate(f"window.benchBefore = {WORDS}")
        took.append(click(page, CHIP, until=f"!['', undefined, window.benchBefore].includes({WORDS})"))
    page.context.close()
    return figure(f"dashboards, {named}: {PARTS[part]}, a filter to its changed charts", took[1:], "ms",
                  floor=button.value, times=4, of="a click")  # fmt: skip


@contextmanager
def _served(name: str, comparisons: int) -> Iterator[str]:
    """The address of the dashboards of a new app, narrowed to a task."""
    path, _, task = _kept(name, comparisons)
    with (
        tempfile.TemporaryDirectory(prefix="bench-home-") as home,
        app(Path(home), COMPARATOR_DATABASE_URL=f"sqlite:///{path}") as url,
    ):
        yield f"{url}/dashboards?project=Generated&verdicts=Reviews%2C%20else%20the%20judge&within=task:{task}"


def _kept(name: str, comparisons: int) -> tuple[Path, str, str]:
    """A database that stays for the next time, its project and one of its tasks; an experiment for 0 comparisons."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{name}.db"
    new = not path.exists()
    database = Database.open(f"sqlite:///{path}")
    database.upgrade()
    if new and comparisons:
        generate(database, comparisons)
    elif new:
        world = World(database, BlobStore.at(os.fspath(KEPT / "blobs")), project="Generated")
        Experiment(world, iterations=GRID[0], tasks_of=GRID[1]).build()
    project_id = next(each.id for each in all_projects(database) if each.name == "Generated")
    with database.read() as connection:
        own = sa.select(tables.task.c.id).where(tables.task.c.project_id == project_id)
        task = str(connection.execute(own.limit(1)).scalar_one())
    database.close()
    return path, project_id, task


def _figures() -> Sequence[Figure]:
    """Seconds and megabytes of a process that computes the answer for 100,000 pairs, first and then filtered."""
    path, project_id, task = _kept(f"{LARGE}", LARGE)
    said = subprocess.run(
        [sys.executable, "-m", "bench.measured.dashboards", str(path), project_id, task],
        stdout=subprocess.PIPE, check=True, text=True, cwd=ROOT,
    ).stdout.split()  # fmt: skip
    cold, narrowed, grown = map(float, said)
    named = f"figures of {LARGE:,} comparisons"
    return (
        figure(f"{named}: cold", cold, "s", limit=3),
        figure(f"{named}: a filter", narrowed, "s", limit=0.3),
        figure(f"{named}: memory", grown, "MB", limit=200),
    )


def _compute(url: str, project_id: str, task: str) -> None:
    """Print seconds of the first result and of a narrowed one, and the megabytes that the process has grown by."""
    import resource

    from comparator.reporting.results.result import result

    database = Database.open(url)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    met = project_state(database, project_id).revealed_meetings[0]
    asked = ResultFilter(project_id=project_id, one=met.one, two=met.two, verdicts=Verdicts.EITHER)
    result(database, asked)
    cold = time.perf_counter() - began
    began = time.perf_counter()
    result(database, asked.model_copy(update={"within": (Within(by=By.TASK, value=task),)}))
    narrowed = time.perf_counter() - began
    print(cold, narrowed, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)


if __name__ == "__main__":
    _compute(f"sqlite:///{sys.argv[1]}", *sys.argv[2:])
